"""A coup, from the opening of the wagering to the confirmed result."""

from sabot.table.act import Command


class OpenWagering(Command, frozen=True, kw_only=True, tag="open"):
    pass


class CloseWagering(Command, frozen=True, kw_only=True, tag="close"):
    salts: dict[str, str] = {}
    """Sixteen random bytes in hexadecimal for each station's seal."""


class Tick(Command, frozen=True, kw_only=True, tag="tick"):
    """Time passes; the wagering closes when its time is up."""

    salts: dict[str, str] = {}


class TurnFaceUp(Command, frozen=True, kw_only=True, tag="face_up"):
    """Choose whether cards are dealt face up, or face down and turned."""

    up: bool


class DealCard(Command, frozen=True, kw_only=True, tag="card"):
    card: str
    salts: dict[str, str] = {}
    """For the case that this first card closes the wagering (CROWN 8.1(c))."""
    proof: str = ""
    """That the card is the next one of a virtual shoe's committed order."""


class AmendCard(Command, frozen=True, kw_only=True, tag="amend"):
    """Correct the last entry before the result is confirmed."""

    card: str


class ConfirmResult(Command, frozen=True, kw_only=True, tag="confirm"):
    pass


class VoidCoup(Command, frozen=True, kw_only=True, tag="void"):
    """Void a coup that nobody wagered on, before any card."""


CoupAct = OpenWagering | CloseWagering | Tick | TurnFaceUp | DealCard | AmendCard | ConfirmResult | VoidCoup
