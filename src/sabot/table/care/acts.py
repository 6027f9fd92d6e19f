"""What a patron sets for the own play, and a call for an attendant."""

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid
from sabot.table.care.state import OwnLimitKind


class SetOwnLimit(Act, frozen=True, kw_only=True):
    """Set a limit of one's own: at once where it is lower, later where it is higher or none."""

    station: NameSaid = ""
    limit: OwnLimitKind
    cents: AmountSaid = 0
    minutes: CountSaid = 0


class TakeBreak(Act, frozen=True, kw_only=True):
    """Take a break of one of the lengths that the house offers."""

    station: NameSaid = ""
    minutes: CountSaid


class AcknowledgeCheck(Act, frozen=True, kw_only=True):
    """The patron has seen the time played and the money, and goes on."""

    station: NameSaid = ""


class CallAttendant(Act, frozen=True, kw_only=True):
    station: NameSaid = ""


class AnswerCall(Act, frozen=True, kw_only=True):
    """An attendant is on the way."""

    station: NameSaid


class EndCall(Act, frozen=True, kw_only=True):
    """The patron was served, or does not need anybody any more."""

    station: NameSaid = ""


CareAct = SetOwnLimit | TakeBreak | AcknowledgeCheck | CallAttendant | AnswerCall | EndCall
