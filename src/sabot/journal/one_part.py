"""A journal that is not rotated: all its records are in one part."""

from sabot.journal.journal import Unusable
from sabot.journal.parts import OpeningState, PartAtHand, PartSeal, RotationPlan


class OnePart:
    why_one = "only a journal in a file or a database is rotated"

    async def opening(self, stream: str) -> OpeningState | None:  # noqa: ARG002
        return None

    async def parts(self, newest: int | None = None) -> list[PartAtHand]:  # noqa: ARG002
        return []

    async def rotate(self, plan: RotationPlan) -> PartSeal:  # noqa: ARG002
        raise Unusable(f"the journal is not rotated: {self.why_one}")
