"""`sabot device`: hosts the drivers of note acceptors, printers, shoes and card readers."""

from cyclopts import App

from sabot.cli.help_text import late_commands, paragraphs

device = App(
    name="device",
    help_epilogue=paragraphs("""A device has a folder with its key, its name and what its driver must find again after
    a loss of power. Enrol it once, then run it:

        sabot device list

        sabot device enrol https://floor cctalk-notes --folder A1 --invitation CODE

        sabot device run cctalk-notes --port /dev/ttyUSB0 --folder A1

    Drivers of other parties are found by entry points of the group `sabot.devices`. docs/devices.md says how to fit a
    device, and what was tried only against simulations."""),
)
late_commands(
    device,
    {
        "list": ("sabot.cli.device.listing:list_kinds", "List the drivers, shipped and of others."),
        "enrol": ("sabot.cli.device.running:enrol_device", "Make a device's key, and enrol it at a floor."),
        "run": ("sabot.cli.device.running:run_device", "Run a driver until it is stopped."),
    },
)
