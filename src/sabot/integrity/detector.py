"""What every detector is: it takes what was seen, keeps its state as a struct, and has lights."""

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from sabot.integrity.light import Light, LightState
from sabot.integrity.seen import ClaimSeen, CorrectionSeen, CoupSeen, ShoeSeen, VoidSeen


class Detector:
    """A detector of one table. It overrides what it takes; what it does not, it passes over.

    All that it keeps is in `state`, a struct of msgspec that is written as bytes and read again. A detector that is
    made from the state of another goes on as that one would have.
    """

    name: ClassVar[str]
    """The name under which its state is kept; a change of the state's form or meaning gives it another number, as in
    `returns/2`."""
    form: ClassVar[type[msgspec.Struct]]
    """The class of its state, whose defaults are the beginning."""

    def __init__(self, state: Any = None) -> None:
        self.state: Any = self.form() if state is None else state

    def take_coup(self, coup: CoupSeen) -> None:
        """A coup was settled."""

    def take_shoe(self, shoe: ShoeSeen) -> None:
        """A shoe has ended."""

    def take_void(self, void: VoidSeen) -> None:
        """A coup was voided."""

    def take_correction(self, correction: CorrectionSeen) -> None:
        """A settled coup was corrected."""

    def take_claim(self, claim: ClaimSeen) -> None:
        """A patron claimed about a coup."""

    def begin_day(self) -> None:
        """A gaming day begins; not called before the first one."""

    def lights(self, table: str) -> Iterator[Light]:
        """A light for each subject. It is called when a page asks, and may take longer than `take_coup`."""
        raise NotImplementedError

    def raised(self, table: str) -> Iterator[Light]:
        """The lights that are not quiet; asked for far more often than all."""
        return (light for light in self.lights(table) if light.state is not LightState.QUIET)

    def before_keeping(self) -> None:
        """Called before the state is written, for a detector that works with another form of it."""
