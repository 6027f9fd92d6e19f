"""From what a table tells a link to the frame that goes out."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec

from sabot.floor.table_owner import messages as m
from sabot.journal.journal import SignedCheckpoint
from sabot.runtime import link
from sabot.wire import frames as f

_encode = msgspec.json.Encoder(enc_hook=str).encode


def written(telling: link.Telling) -> bytes:
    return _shown(telling) if isinstance(telling, link.ViewShown) else _encode(_FRAMES[type(telling)](telling))


@lru_cache(maxsize=1)
def _shown(one: link.ViewShown) -> bytes:
    """All stations are often told the very same, one after the other; it is written out once."""
    return _encode(f.Shown(epoch=one.epoch, version=one.version, changed=dict(one.changed)))


def frame_bytes(frame: f.Said) -> bytes:
    return _encode(frame)


def _answer(one: m.Answer) -> f.Answer:
    return f.Answer(epoch=one.epoch, n=one.n, version=one.version, refusal=one.refusal)


def _pending(one: m.Answer | m.Lost | None) -> f.Answer | f.Lost | None:
    if isinstance(one, m.Lost):
        return f.Lost(epoch=one.epoch, n=one.n)
    return None if one is None else _answer(one)


def _told(one: m.Told) -> f.Told:
    return f.Told(epoch=one.epoch, after=one.after, version=one.version, events=one.events, purse=one.purse)  # type: ignore[arg-type]


def _welcome(one: m.Welcome) -> f.Welcome:
    return f.Welcome(
        epoch=one.epoch,
        version=one.version,
        missed=tuple(map(_told, one.missed)),
        picture=one.picture,
        pending=_pending(one.pending),
        last=one.last,
    )


def _view_welcome(one: link.ViewWelcome) -> f.Welcome:
    return f.Welcome(
        epoch=one.epoch,
        version=one.version,
        view=dict(one.changed) if one.changed else None,
        whole=one.whole,
        pending=_pending(one.pending),
        last=one.last,
    )


def checkpoint_frame(one: SignedCheckpoint) -> f.Checkpoint:
    head = one.head
    return f.Checkpoint(
        version=head.version,
        epoch=head.epoch,
        hash=head.hash.hex(),
        at_ms=one.at_ms,
        key_id=one.key_id,
        signature=one.signature.hex(),
    )


_FRAMES: dict[type, Callable[[Any], f.Said]] = {
    m.Answer: _answer,
    m.Told: _told,
    m.Welcome: _welcome,
    m.Paused: lambda one: f.Paused(epoch=one.epoch),
    m.Resynchronise: lambda one: f.Resynchronise(epoch=one.epoch),
    link.ViewWelcome: _view_welcome,
    link.Vouched: lambda one: f.Vouched(checkpoint=checkpoint_frame(one.checkpoint)),
}
