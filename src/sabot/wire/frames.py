"""Frames: what devices and the floor exchange, one JSON object each, told apart by `type`.

`docs/wire.md` says in which order they come. A device's frame is read strictly: whole numbers stay whole, an unknown
field is refused, and so is a frame of more than four kilobytes. The owner of a table makes the floor's frames itself;
each carries the owner's epoch, and a device that has met a newer epoch leaves older frames alone.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from sabot.basics.doubled_keys import DoubledKey, check_keys
from sabot.house.state import DeviceKind
from sabot.ledger.ledger import Purse
from sabot.rules.rule_set import Bet
from sabot.rules.rule_set_file import read_odds
from sabot.table import acts
from sabot.table.acts import DeviceAct
from sabot.table.events import AnyEvent
from sabot.table.preview import Preview
from sabot.table.refusal import Refused
from sabot.views.audience import TablePicture
from sabot.views.recall import Recall

MOST_BYTES = 4_096
"""Of a frame that arrives."""

_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Word = Annotated[str, msgspec.Meta(max_length=200)]


class Name(NamedTuple):
    """An act's identity within its device: the epoch of the owner that the device said hello to, and a count."""

    epoch: _Count
    n: _Count


class _FromDevice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A frame from a device."""


class _FromFloor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A frame to a device."""


# From devices


class Prove(_FromDevice, frozen=True, kw_only=True, tag_field="type", tag="prove"):
    """Answer the challenge with the device's own key."""

    device: _Word
    signature: _Word
    """Of `proof_text`, by ECDSA on P-256 with SHA-256: the 64 bytes r and s, in base64url without padding."""
    table: _Word = ""
    """Which of its tables the connection is for, where it is enrolled for several; its first one unless said."""


class Checkpoint(_FromDevice, frozen=True, kw_only=True):
    """A signed head of the table's stream, as a device was given it."""

    version: _Count
    epoch: _Count
    hash: _Word
    at_ms: _Count
    key_id: _Word
    signature: _Word


class Hello(_FromDevice, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """Say where the device stands, and in which form it wants to be told."""

    feed: Literal["views", "events"] = "views"
    epoch: _Count = 0
    version: _Count = 0
    """The newest version it was told of, and in which epoch; 0 for a device that knows nothing."""
    pending: Name | None = None
    """The command it still waits for an answer to."""
    checkpoint: Checkpoint | None = None


class Ask(_FromDevice, frozen=True, kw_only=True, tag_field="type", tag="ask"):
    """Ask something of the table."""

    epoch: _Count
    n: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    """Counts the device's commands in this epoch, from 1."""
    coup: _Count | None = None
    """The coup that it is meant for; none for what belongs to no coup."""
    act: DeviceAct = msgspec.field(name="command")
    token: _Word = ""
    """Of the staff member who acts, at a console."""
    second: _Word = ""
    """Of the one who approves, where nobody acts alone."""

    @property
    def name(self) -> Name:
        return Name(self.epoch, self.n)


TIED_TO_A_COUP = acts.TOUCHES | frozenset(
    {
        acts.Close,
        acts.Card,
        acts.Amend,
        acts.Confirm,
        acts.Void,
    }
)
"""What would mean something else in another coup, and so must say which one it means."""


class PrintedFrame(_FromDevice, frozen=True, kw_only=True, tag_field="type", tag="printed"):
    """A printer has printed a ticket. It is not answered, and said again it changes nothing."""

    ticket: _Word


class AskRecall(_FromDevice, frozen=True, kw_only=True, tag_field="type", tag="recall"):
    """Ask to be told the last coups step by step; a console says of which station."""

    station: _Word = ""


class AskPreview(_FromDevice, frozen=True, kw_only=True, tag_field="type", tag="preview"):
    """Ask, at a console, what an act would do to every account; nothing is done."""

    n: _Count
    """Which question it is; the answer says it again."""
    act: DeviceAct = msgspec.field(name="command")
    token: _Word = ""
    """Of the staff member who would act."""


class Showing(_FromDevice, frozen=True, kw_only=True, tag_field="type", tag="showing"):
    """What a display shows as the newest result. What it shows instead of what is true counts for nothing."""

    version: _Count
    """The newest that it was told of."""
    coup: _Count = 0
    winner: _Word = ""


DeviceFrame = Prove | Hello | Ask | Showing | PrintedFrame | AskRecall | AskPreview


# To devices


class Challenge(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="challenge"):
    nonce: str
    floor: str
    """Which floor asks, so that a proof for one is of no use at another."""


class Ready(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="ready"):
    """The device is known, and may say hello."""

    device: str
    kind: DeviceKind
    table: str
    station: str = ""
    """The station that it is, or belongs to."""
    places: Mapping[str, str] = {}
    """For a station at several tables, its station at each of them; a connection is for one."""
    valid_days: int = 0
    """For a printer, the days after which a ticket is void, as the house is configured; 0 where tickets stay good."""


class Answer(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="answer"):
    """The answer to a command: accepted, or refused with the reason. It is durable."""

    epoch: int
    n: int
    version: int
    """The record that holds it, or 0 for a refusal that needed no decision of the table."""
    refusal: Refused | None = None
    layout: Mapping[Bet, int] | None = None
    """What lies on the station's layout after a touch that was accepted, so that the next touch waits for no view."""

    @property
    def accepted(self) -> bool:
        return self.refusal is None


class Lost(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="lost"):
    """A command of an earlier owner's time that was never recorded, and never will be."""

    epoch: int
    n: int


class Told(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="told"):
    """What a record means for this device, for those who follow events."""

    epoch: int
    after: int
    """The version that the device knew before, if it missed nothing; otherwise it says hello again."""
    version: int
    events: tuple[AnyEvent, ...]
    purse: Purse | None = None


class StalePicture(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """That no view can be made of the table as it is: what the device shows is the last sound picture (G-196)."""

    since_ms: int
    """The time of that picture on the table's clock; 0 where the device has none."""


class ViewFrame(_FromFloor, frozen=True, kw_only=True, eq=False, tag_field="type", tag="view"):
    """The sections of the view that changed, each whole. Several devices may get the very same frame."""

    epoch: int
    version: int
    changed: dict[str, Any]
    stale: StalePicture | None = None
    """Where the picture that the device has is not current any more; without it, it is."""


class Welcome(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="welcome"):
    """Where the table stands; with nothing of the three below, the device is up to date."""

    epoch: int
    version: int
    missed: tuple[Told, ...] = ()
    picture: TablePicture | None = None
    """The whole picture, for those who follow events."""
    view: dict[str, Any] | None = None
    """The whole view, or the sections that changed meanwhile, for those who follow views."""
    whole: bool = False
    """Whether the view is the whole of it."""
    stale: StalePicture | None = None
    """Where the picture is not current; with neither view nor picture the device has none to show."""
    pending: Answer | Lost | None = None
    last: int = 0
    """The n of the newest command received from this device in this epoch.

    The device counts on from there, also where it has lost its own count, as a page does that is loaded again.
    """


class Paused(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="paused"):
    """The journal does not answer: nothing is acknowledged until the next word."""

    epoch: int


class Resynchronise(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="resynchronise"):
    """The command belongs to another owner's time: say hello first."""

    epoch: int


class Vouched(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="vouched"):
    """A signed head of the table's records, to be kept and shown at the next hello."""

    checkpoint: Checkpoint


class Recalled(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="recalled"):
    """The last coups of one station, as an answer."""

    recall: Recall


class Previewed(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="previewed"):
    """What an act would do, as an answer."""

    n: int
    preview: Preview


class Trouble(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="trouble"):
    """A frame that was not taken, and why. Nothing was done."""

    code: str
    text: str
    n: int | None = None
    """Of the command, where it was one."""


TURNED_AWAY = 4003
"""The code with which a socket is closed whose device the floor does not know, or whose proof it refuses. After any
other code the device tries again at once."""
STANDS_STILL = "the table stands still: its journal does not answer, and nothing is acknowledged until it does"
"""Why a connection ends while nothing can be written down; the device comes back and waits."""
REPLACED = "another connection of this device has taken its place"
"""Why a connection ends that its own device has replaced: to come back would be to replace the newer one."""


class Bye(_FromFloor, frozen=True, kw_only=True, tag_field="type", tag="bye"):
    """The floor ends the connection."""

    why: str
    owner: str = ""
    """Where the table is owned now, as far as is known."""


OwnerFrame = Answer | Told | Welcome | Paused | Resynchronise
"""What the owner of a table sends."""
FloorFrame = Challenge | Ready | OwnerFrame | Lost | ViewFrame | Vouched | Recalled | Previewed | Trouble | Bye

_decode_device = msgspec.json.Decoder(DeviceFrame, strict=True)
_decode_floor = msgspec.json.Decoder(FloorFrame, dec_hook=read_odds)
_encode = msgspec.json.Encoder(enc_hook=str).encode


class UnreadableFrame(Exception):
    """A frame that is no frame, in one sentence."""


def read_device_frame(frame: str | bytes) -> DeviceFrame:
    """A device's frame; what is wrong with another is said with its place."""
    try:
        read: DeviceFrame = _decode_device.decode(frame)
        check_keys(frame.encode() if isinstance(frame, str) else frame)
    except msgspec.ValidationError as error:
        raise UnreadableFrame(str(error)) from None
    except DoubledKey as doubled:
        raise UnreadableFrame(f"it names {doubled} twice") from None
    except (msgspec.DecodeError, UnicodeError):
        raise UnreadableFrame("it is not JSON") from None
    return read


def read_floor_frame(frame: str | bytes) -> FloorFrame:
    read: FloorFrame = _decode_floor.decode(frame)
    return read


def write(frame: DeviceFrame | FloorFrame) -> bytes:
    return _write_view(frame) if type(frame) is ViewFrame else _encode(frame)


def write_answer(answer: Answer, version: int) -> bytes:
    """An answer under another version than its own; most are plain, and need no frame of their own for that."""
    if answer.refusal is None:
        plain = b'{"type":"answer","epoch":%d,"n":%d,"version":%d' % (answer.epoch, answer.n, version)
        return plain + (b"}" if answer.layout is None else b',"layout":%b}' % _encode(answer.layout))
    return _encode(msgspec.structs.replace(answer, version=version))


def write_view(frame: ViewFrame, version: int) -> bytes:
    """A frame under another version than its own; the rest of it is written out once."""
    whole, own = _write_view(frame), b'"version":%d' % frame.version
    return whole.replace(own, b'"version":%d' % version, 1)


@lru_cache(maxsize=1)
def _write_view(frame: ViewFrame) -> bytes:
    """All stations are often sent the very same frame, one after the other; it is written out once."""
    return _encode(frame)


def proof_text(floor: str, nonce: str) -> bytes:
    """What a device signs to prove that it holds its key."""
    return f"sabot device proof\n{floor}\n{nonce}".encode()
