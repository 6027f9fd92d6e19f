"""What the floor says of the past of a table."""

from sabot.basics.act import Act
from sabot.table.history.shelved import FromShelf
from sabot.table.history.wanted import Wanted


class BringBack(Act, frozen=True, kw_only=True):
    """Put something of the past before the table again, because the next act needs it."""

    wanted: Wanted
    found: FromShelf
