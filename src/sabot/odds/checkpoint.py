"""The state of a long simulation as text, so that it can be kept in a file and resumed.

The shoes of a run are numbered, and those of a checkpoint are always the first ones. So a run that goes on from a
checkpoint ends with the same answer as one without a break.
"""

import hashlib
from typing import Final

import msgspec
import numpy as np

from sabot.basics.mistake import Mistake
from sabot.odds.dealing import Dealing
from sabot.odds.histogram import Histogram
from sabot.odds.simulated_arrays import SEED_VERSION, classes_of
from sabot.odds.simulation import Simulation

FORM: Final = "sabot simulation 1"


class RunIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """What the coups of a run depend on."""

    rule_set: str
    dealing: Dealing
    seed: int
    seed_version: int = SEED_VERSION

    @staticmethod
    def of(rule_set: str, simulation: Simulation) -> "RunIdentity":
        return RunIdentity(rule_set=rule_set, dealing=simulation.dealing, seed=simulation.seed)

    def difference(self, other: "RunIdentity") -> str | None:
        """What is different in the other, in words."""
        others = other.named()
        for name, value in self.named().items():
            if others[name] != value:
                return f"{name} {value}, not {others[name]}"
        return None

    def named(self) -> dict[str, object]:
        named: dict[str, object] = {"rule set": self.rule_set, "seed": self.seed, "seed version": self.seed_version}
        dealing = msgspec.structs.asdict(self.dealing)
        return named | {name.replace("_", " "): value for name, value in dealing.items()}


class _Kept(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    form: str
    run: RunIdentity
    shoes: int
    counts: list[int]


class _Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    digest: str
    kept: msgspec.Raw


def write_checkpoint(run: RunIdentity, dealt: Histogram) -> bytes:
    kept = _Kept(form=FORM, run=run, shoes=dealt.shoes, counts=dealt.counts.tolist())
    text = msgspec.json.encode(kept)
    return msgspec.json.encode(_Sealed(_digest(text), msgspec.Raw(text))) + b"\n"


def read_checkpoint(text: bytes) -> tuple[RunIdentity, Histogram]:
    try:
        sealed = msgspec.json.decode(text, type=_Sealed)
        if sealed.digest != _digest(bytes(sealed.kept)):
            raise Mistake("it is damaged: its digest is that of another text")
        kept = msgspec.json.decode(sealed.kept, type=_Kept)
    except msgspec.MsgspecError:
        raise Mistake("it is damaged, or no checkpoint of a simulation") from None
    told_apart = kept.run.dealing.told_apart
    if kept.form != FORM or len(kept.counts) != classes_of(told_apart):
        raise Mistake(f"it has another form than {FORM!r}")
    return kept.run, Histogram(kept.shoes, np.array(kept.counts, dtype=np.int64), told_apart)


def check_resumes(run: RunIdentity, kept: RunIdentity, dealt: Histogram, simulation: Simulation) -> None:
    """Refuse a checkpoint of another run, and one that is further than this run goes."""
    difference = kept.difference(run)
    if difference is not None:
        raise Mistake(f"it is of another run, with {difference}")
    if dealt.shoes > simulation.sure_shoes:
        raise Mistake(f"it has {dealt.shoes:,} shoes already, and this run surely deals {simulation.sure_shoes:,}")
    if dealt.shoes % 4 and dealt.shoes != simulation.sure_shoes:
        raise Mistake(f"it ends after {dealt.shoes:,} shoes, which is no multiple of four, so it cannot go on")


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
