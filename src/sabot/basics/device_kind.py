"""What a device is: a screen, or a machine beside one."""

import enum


class DeviceKind(enum.StrEnum):
    STATION = "station"
    CONSOLE = "console"
    DISPLAY = "display"
    NOTE_ACCEPTOR = "note_acceptor"
    PRINTER = "printer"
    SHOE = "shoe"
