"""Claims, disputes, breaches and complaints, as a table keeps them."""

import enum

import msgspec


class CaseKind(enum.StrEnum):
    CLAIM = "claim"
    DISPUTE = "dispute"
    BREACH = "breach"
    COMPLAINT = "complaint"


class Case(msgspec.Struct, frozen=True, gc=False):
    """A claim, dispute, breach or complaint. It is a patron's or another person's, not the seat's (G-141)."""

    kind: CaseKind
    station: str
    text: str
    prohibited_device: bool = False
    control: int = 0
    """The control session of its patron, or 0 for a person who had none here."""
    seized: int = 0
    closed: bool = False
    patron: str = ""
    person: str = ""
    """A description of a person whose reference is not known."""
    coup: int = 0
    as_of: int = 0
    """The newest control session when it was opened: it concerns nobody who came later."""
    remedy: str = ""
    """What an accepted claim leads to; the claim stays open until that is done."""
    seized_in_all: int = 0
    """What was ever seized on it, so that nothing is seized twice."""
    detained_ms: int | None = None
    """Since when a person is detained on it."""
    told: tuple[str, ...] = ()
    """What the person who complained was told."""
    reason: str = ""
    """What is wrong by a patron's claim, as it was touched at the station."""

    def is_of(self, station: str, control: int) -> bool:
        """Whether it is open and concerns the patron who has this control session at this station."""
        return not self.closed and (self.station, self.control) == (station, control)
