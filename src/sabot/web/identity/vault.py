"""The vault: secrets that may be changed and deleted, and so are never written to a journal.

It holds hashes of PINs, digests of tokens and codes, and devices that wait to be enrolled, with their public keys. It
also holds the entry forms of tournaments, which must be erasable, and virtual shoes until they are opened, locked with
a key that is elsewhere. No secret is stored in the clear: reading the vault lets nobody sign on, act or know a card.
Each method is one statement, so it takes effect whole or not at all, whichever process of the floor runs it. The
statements are the same in every store.
"""

import enum
import secrets
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

import msgspec

from sabot.house.state import DeviceKind
from sabot.web.http.refusal import Refusal, WebCause

ANY = "*"
"""Every person, or every place; no reference and no address is written so."""
MINUTE_MS = 60_000
LOCKED_FOR_MIN = (1, 5, 15, 60)
"""How long the first lock-out of a series lasts, the second, the third, and every further one (G-118)."""
FORGOTTEN_AFTER_MS = 24 * 60 * MINUTE_MS
TAKEN_FOR_MS = 30_000
"""After so long another process carries out what one has begun and not ended."""
_FRESH = "(guess.series <> excluded.series OR guess.seen_ms <= CAST($7 AS BIGINT))"
_LONGEST_MS = LOCKED_FOR_MIN[-1] * MINUTE_MS
_LOCKED = f"(NOT {_FRESH} AND guess.until_ms > excluded.seen_ms AND guess.until_ms <= excluded.seen_ms + {_LONGEST_MS})"
"""A lock that would last longer than any does was made by a clock that was ahead, and is over."""
_NOW_LOCKS = f"(NOT {_FRESH} AND (guess.failures + 1) % CAST($6 AS BIGINT) = 0)"
_LASTS = " ".join(
    f"WHEN {time} THEN {minutes * MINUTE_MS}" for time, minutes in enumerate(LOCKED_FOR_MIN[:-1], start=1)
)
_COUNT_GUESS = f"""INSERT INTO guess VALUES ($1, $2, CAST($3 AS BIGINT), 1, 0, CAST($4 AS BIGINT), $5)
ON CONFLICT (person, place) DO UPDATE SET
  series = excluded.series,
  failures = CASE WHEN {_FRESH} THEN 1 WHEN {_LOCKED} THEN guess.failures ELSE guess.failures + 1 END,
  until_ms = CASE WHEN {_LOCKED} THEN guess.until_ms WHEN {_NOW_LOCKS} THEN excluded.seen_ms
    + CASE (guess.failures + 1) / CAST($6 AS BIGINT) {_LASTS} ELSE {LOCKED_FOR_MIN[-1] * MINUTE_MS} END ELSE 0 END,
  seen_ms = CASE WHEN {_LOCKED} THEN guess.seen_ms ELSE excluded.seen_ms END,
  newest = CASE WHEN {_LOCKED} THEN guess.newest ELSE excluded.newest END
RETURNING failures, until_ms, newest"""  # noqa: S608  Our own names and figures.


class StaffSession(msgspec.Struct, frozen=True):
    """A person who has signed on."""

    digest: str
    """Of the token, which only the person's screen holds."""
    person: str
    device: str
    """The enrolment of the console or desk at which the person signed on; empty for a desk that has no key."""
    address: str
    made_ms: int
    seen_ms: int
    expires_ms: int


class Approval(msgspec.Struct, frozen=True):
    """A second person's approval, valid once for one act of one session."""

    digest: str
    person: str
    session: str
    act: str
    expires_ms: int


class EnrolmentStatus(enum.StrEnum):
    WAITING = "waiting"
    ENROLLED = "enrolled"
    REFUSED = "refused"


class EnrolmentRequest(msgspec.Struct, frozen=True):
    """A device that has asked to be enrolled."""

    id: str
    kind: DeviceKind
    public_key: str
    code: str
    """The digest of the code that the device shows."""
    address: str
    expires_ms: int
    tries: int = 0
    status: EnrolmentStatus = EnrolmentStatus.WAITING
    device: str = ""


class Guard(NamedTuple):
    """Whose wrong PINs are counted together, and how many make a series."""

    person: str
    place: str
    """The console or desk, or the address of a desk that has no key."""
    series: int
    """Changes when the person is unlocked."""
    allowed: int


class GuessCount(NamedTuple):
    failures: int
    until_ms: int
    """Until when nothing more is counted; 0 while there is room."""
    is_counted: bool
    """Whether this attempt had room; its PIN counts for nothing otherwise."""


class Unlocking(NamedTuple):
    id: str
    person: str
    reason: str


class Unavailable(Refusal):
    """The store does not answer; whether it changed is not known."""

    def __init__(self, why: str) -> None:
        cause = WebCause.UNAVAILABLE
        super().__init__(cause.code, cause.clause, cause.sentence, cause.status)
        self.why = why


class VaultStore(Protocol):
    """A database that holds the tables of the vault."""

    async def fetch(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        """Run one statement durably, and return its rows; `$1` stands for the first value."""

    async def close(self) -> None: ...


class Vault:
    """The operations on the tables of a store."""

    def __init__(self, store: VaultStore) -> None:
        self._store = store

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._store.close()

    # PINs

    async def set_pin(self, person: str, hashed: str) -> None:
        await self._store.fetch(
            "INSERT INTO pin VALUES ($1, $2) ON CONFLICT (person) DO UPDATE SET hash = excluded.hash", person, hashed
        )

    async def pin_of(self, person: str) -> str | None:
        """The hash of a person's PIN."""
        rows = await self._store.fetch("SELECT hash FROM pin WHERE person = $1", person)
        return rows[0][0] if rows else None

    async def forget_pin(self, person: str) -> bool:
        return bool(await self._store.fetch("DELETE FROM pin WHERE person = $1 RETURNING person", person))

    async def count_guess(self, guard: Guard, now_ms: int) -> GuessCount:
        """Count an attempt before its PIN is checked, so that simultaneous attempts are all counted.

        The attempt that completes a series locks in the same statement, and may itself still be right; while the lock
        lasts nothing is counted. A new series begins when the person was unlocked, and after a day without a guess.
        """
        own = secrets.token_hex(8)
        rows = await self._store.fetch(
            _COUNT_GUESS,
            *(guard.person, guard.place, guard.series, now_ms, own, guard.allowed, now_ms - FORGOTTEN_AFTER_MS),
        )
        failures, until_ms, newest = rows[0]
        return GuessCount(int(failures), int(until_ms), is_counted=newest == own)

    async def look_at_guesses(self, guard: Guard) -> None:
        """The work of counting without its effect, for an attempt that is refused already."""
        await self._store.fetch("SELECT * FROM guess WHERE person = $1 AND place = $2", guard.person, guard.place)

    async def forget_guesses(self, person: str, place: str) -> None:
        """The right PIN was given here: the person's count here and everywhere begins anew, and this place's."""
        await self._store.fetch(
            """DELETE FROM guess WHERE (person = $1 AND place = $2) OR (person = $1 AND place = $3)
            OR (person = $3 AND place = $2)""",
            *(person, place, ANY),
        )

    async def forget_guesses_of(self, person: str) -> None:
        await self._store.fetch("DELETE FROM guess WHERE person = $1", person)

    # Unlocking from the machine itself

    async def ask_to_unlock(self, person: str, reason: str) -> None:
        """Let a person try again at once, and have the floor put it on record."""
        await self.forget_guesses_of(person)
        await self._store.fetch("INSERT INTO unlocking VALUES ($1, $2, $3, 0)", *(secrets.token_hex(8), person, reason))

    async def take_unlockings(self, now_ms: int) -> list[Unlocking]:
        """What is to be put on record, for one process at a time; asked again when that one has not said it is done."""
        rows = await self._store.fetch(
            "UPDATE unlocking SET taken_ms = $1 WHERE taken_ms <= $2 RETURNING id, person, reason",
            *(now_ms, now_ms - TAKEN_FOR_MS),
        )
        return [Unlocking(*row) for row in rows]

    async def settle_unlocking(self, unlocking: Unlocking) -> None:
        await self._store.fetch("DELETE FROM unlocking WHERE id = $1", unlocking.id)

    # Sessions

    async def open_session(self, session: StaffSession) -> None:
        await self._store.fetch(
            "INSERT INTO session VALUES ($1, $2, $3, $4, $5, $6, $7)", *msgspec.structs.astuple(session)
        )

    async def session(self, digest: str) -> StaffSession | None:
        rows = await self._store.fetch("SELECT * FROM session WHERE digest = $1", digest)
        return StaffSession(*rows[0]) if rows else None

    async def sessions(self) -> list[StaffSession]:
        return [StaffSession(*row) for row in await self._store.fetch("SELECT * FROM session ORDER BY made_ms, digest")]

    async def see_session(self, digest: str, at_ms: int) -> None:
        """Record that the person was active at this time."""
        await self._store.fetch("UPDATE session SET seen_ms = $2 WHERE digest = $1 AND seen_ms < $2", digest, at_ms)

    async def end_session(self, digest: str) -> bool:
        return bool(await self._store.fetch("DELETE FROM session WHERE digest = $1 RETURNING digest", digest))

    async def end_sessions_of(self, person: str) -> None:
        await self._store.fetch("DELETE FROM session WHERE person = $1", person)

    async def end_sessions_at(self, device: str) -> None:
        await self._store.fetch("DELETE FROM session WHERE device = $1", device)

    # Approvals

    async def keep_approval(self, approval: Approval) -> None:
        await self._store.fetch("INSERT INTO approval VALUES ($1, $2, $3, $4, $5)", *msgspec.structs.astuple(approval))

    async def take_approval(self, digest: str) -> Approval | None:
        """The approval, which is removed and so cannot be taken again."""
        rows = await self._store.fetch("DELETE FROM approval WHERE digest = $1 RETURNING *", digest)
        return Approval(*rows[0]) if rows else None

    # Devices

    async def ask_to_enrol(self, enrolment: EnrolmentRequest) -> None:
        await self._store.fetch(
            "INSERT INTO enrolment VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", *msgspec.structs.astuple(enrolment)
        )

    async def enrolment(self, identity: str) -> EnrolmentRequest | None:
        rows = await self._store.fetch("SELECT * FROM enrolment WHERE id = $1", identity)
        return _enrolment(rows[0]) if rows else None

    async def waiting(self, now_ms: int) -> list[EnrolmentRequest]:
        """The devices that wait, oldest request first."""
        rows = await self._store.fetch(
            "SELECT * FROM enrolment WHERE status = 'waiting' AND expires_ms > $1 ORDER BY expires_ms, id", now_ms
        )
        return [_enrolment(row) for row in rows]

    async def drop_enrolment(self, identity: str) -> None:
        """As if it had never been asked for; the device asks again."""
        await self._store.fetch("DELETE FROM enrolment WHERE id = $1 AND status = 'waiting'", identity)

    async def try_code(self, identity: str) -> int:
        """Count a try of the code before it is checked; 0 where nothing waits under that id."""
        rows = await self._store.fetch(
            "UPDATE enrolment SET tries = tries + 1 WHERE id = $1 AND status = 'waiting' RETURNING tries", identity
        )
        return int(rows[0][0]) if rows else 0

    async def settle_enrolment(self, identity: str, status: EnrolmentStatus, device: str = "") -> bool:
        rows = await self._store.fetch(
            "UPDATE enrolment SET status = $2, device = $3 WHERE id = $1 AND status = 'waiting' RETURNING id",
            *(identity, status.value, device),
        )
        return bool(rows)

    async def keep_key(self, fingerprint: str, public_key: str) -> None:
        await self._store.fetch(
            "INSERT INTO device_key VALUES ($1, $2) ON CONFLICT (fingerprint) DO NOTHING", fingerprint, public_key
        )

    async def key(self, fingerprint: str) -> str | None:
        rows = await self._store.fetch("SELECT public_key FROM device_key WHERE fingerprint = $1", fingerprint)
        return rows[0][0] if rows else None

    async def keep_invitation(self, code: str, words: str, expires_ms: int) -> None:
        await self._store.fetch("INSERT INTO invitation VALUES ($1, $2, $3)", code, words, expires_ms)

    async def invitation(self, code: str, now_ms: int) -> str | None:
        """The content of an invitation unless it has expired; it can still be taken."""
        rows = await self._store.fetch("SELECT words FROM invitation WHERE code = $1 AND expires_ms > $2", code, now_ms)
        return rows[0][0] if rows else None

    async def withdraw_invitations(self) -> int:
        """Delete every invitation that was not taken; returns how many."""
        return len(await self._store.fetch("DELETE FROM invitation RETURNING code"))

    async def take_invitation(self, code: str, now_ms: int) -> str | None:
        """The content of an invitation unless it has expired; it cannot be taken again."""
        rows = await self._store.fetch("DELETE FROM invitation WHERE code = $1 RETURNING words, expires_ms", code)
        return rows[0][0] if rows and rows[0][1] > now_ms else None

    # Entry forms of tournaments

    async def keep_form(self, tournament: str, player: str, fields: str) -> None:
        """Keep a player's particulars; the newest form counts."""
        await self._store.fetch(
            """INSERT INTO entry_form VALUES ($1, $2, $3)
            ON CONFLICT (tournament, player) DO UPDATE SET fields = excluded.fields""",
            *(tournament, player, fields),
        )

    async def form(self, tournament: str, player: str) -> str | None:
        rows = await self._store.fetch(
            "SELECT fields FROM entry_form WHERE tournament = $1 AND player = $2", tournament, player
        )
        return rows[0][0] if rows else None

    async def forms(self, tournament: str) -> dict[str, str]:
        """Every form of a tournament, by player."""
        rows = await self._store.fetch("SELECT player, fields FROM entry_form WHERE tournament = $1", tournament)
        return {player: fields for player, fields in rows}  # noqa: C416  A row has two columns.

    async def erase_form(self, tournament: str, player: str) -> bool:
        rows = await self._store.fetch(
            "DELETE FROM entry_form WHERE tournament = $1 AND player = $2 RETURNING player", tournament, player
        )
        return bool(rows)

    # Virtual shoes

    async def shoe_key(self, digest: str) -> str:
        """The digest of the key that locks the floor's shoes: this one, where no other has locked a shoe."""
        await self._store.fetch(
            "INSERT INTO shoe_key VALUES (1, $1) ON CONFLICT (floor) DO UPDATE SET digest = excluded.digest"
            " WHERE NOT EXISTS (SELECT 1 FROM virtual_shoe)",
            digest,
        )
        ((found,),) = await self._store.fetch("SELECT digest FROM shoe_key")
        return str(found)

    async def has_shoes(self) -> bool:
        return bool(await self._store.fetch("SELECT 1 FROM virtual_shoe LIMIT 1"))

    async def keep_shoe(self, table: str, number: int, commitment: str, locked: str) -> None:
        await self._store.fetch("INSERT INTO virtual_shoe VALUES ($1, $2, $3, $4)", table, number, commitment, locked)

    async def shoe(self, table: str, number: int, commitment: str) -> str | None:
        rows = await self._store.fetch(
            "SELECT locked FROM virtual_shoe WHERE gaming_table = $1 AND number = $2 AND commitment = $3",
            *(table, number, commitment),
        )
        return str(rows[0][0]) if rows else None

    async def forget_shoes(self, table: str, number: int) -> None:
        """This shoe, those before it, and those that were shuffled and never brought in."""
        await self._store.fetch("DELETE FROM virtual_shoe WHERE gaming_table = $1 AND number <= $2", table, number)

    async def sweep(self, now_ms: int) -> None:
        """Delete what has expired."""
        for table in ("session", "approval", "enrolment", "invitation"):
            await self._store.fetch(f"DELETE FROM {table} WHERE expires_ms <= $1", now_ms)  # noqa: S608  Our own names.
        await self._store.fetch("DELETE FROM guess WHERE seen_ms <= $1", now_ms - FORGOTTEN_AFTER_MS)


def _enrolment(row: tuple[Any, ...]) -> EnrolmentRequest:
    one = EnrolmentRequest(*row)
    return msgspec.structs.replace(one, kind=DeviceKind(one.kind), status=EnrolmentStatus(one.status))
