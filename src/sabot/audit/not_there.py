"""What a question to the records names, and the journal or the table does not have."""

import enum

from sabot.basics.figures import figures_of, in_english
from sabot.basics.mistake import Mistake


class NoSuch(enum.StrEnum):
    """Each with its sentence; the names are the codes by which pages tell it in their language."""

    NO_SUCH_TABLE = "there is no table {table!r} in this journal"
    NO_SUCH_STATION = "there is no station {station!r} at table {table}; there are {stations}"
    NO_SUCH_COUP = "there is no coup {coup} at table {table}; it has played {coups}"
    NO_SUCH_CODE = "no significant event has the code {code}; `sabot journal events` lists the codes"


class NotThere(Mistake):
    def __init__(self, what: NoSuch, **figures: object) -> None:
        self.what, self.values = what, figures_of(figures)
        super().__init__(in_english(what.value, self.values))
