"""The HTTP operations of tournaments: the desk and its acts, entry forms, and what is public."""

import hashlib
from collections.abc import Mapping
from typing import Annotated

import msgspec

from sabot.basics.act import Reference
from sabot.basics.role import Role, in_words
from sabot.floor.stamper import Giver
from sabot.runtime.shared_runner import Unreachable
from sabot.runtime.tournaments import RunningTournaments
from sabot.tournament.acts import DirectedAct, SaveConditions
from sabot.tournament.conditions.file import raw_conditions
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.conditions.problem import ConditionsRefused
from sabot.tournament.events import AnyTournamentEvent
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.state import TournamentState
from sabot.views.tournament_board import TournamentBoard, board_of
from sabot.views.tournament_desk import TournamentDesk, desk_of
from sabot.web.http.operation import AnyOperation, ApiCall, BareCall, Body, Operation, Query
from sabot.web.http.refusal import WebCause, passed_on, refusal
from sabot.web.identity.identities import Identities
from sabot.web.identity.vault import Vault

MOST_CONDITIONS_BYTES = 65_536
OVERSEERS = frozenset(
    {
        Role.OPERATOR,
        Role.CASINO_SUPERVISOR,
        Role.GAME_SUPERVISOR,
        Role.TOURNAMENT_DIRECTOR,
        Role.CASHIER,
        Role.INSPECTOR,
        Role.SURVEILLANCE,
    }
)
"""The roles that may see a tournament's desk."""
REGISTRARS = frozenset({Role.OPERATOR, Role.CASINO_SUPERVISOR, Role.TOURNAMENT_DIRECTOR, Role.CASHIER})
"""The roles that may see and keep the particulars of entrants."""
ON_BOARD = "name_on_board"
_Field = Annotated[str, msgspec.Meta(max_length=200)]


class TournamentLine(msgspec.Struct, frozen=True):
    """One tournament in the list of tournaments."""

    tournament: str
    name: str
    phase: str
    present: str


class TournamentDone(msgspec.Struct, frozen=True):
    """The events that an act caused."""

    events: tuple[AnyTournamentEvent, ...]


class EntryForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's particulars, which are kept apart from the journal and can be erased."""

    player: Reference
    fields: dict[Annotated[str, msgspec.Meta(max_length=40)], _Field]


class FormKept(msgspec.Struct, frozen=True):
    digest: str
    """What the register's record names."""


class ConditionsText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A conditions file as it was written."""

    text: str
    json: bool = False
    """Whether it is JSON; TOML otherwise."""


class FormErasure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: Reference


class ConditionsShown(msgspec.Struct, frozen=True):
    """The conditions as approved; before an approval the newest version."""

    version: int
    digest: str
    approval: str
    conditions: Conditions


class DrawProof(msgspec.Struct, frozen=True):
    """The commitment of a draw, and once it is opened what anybody can recompute."""

    round: str
    commitment: str
    seed: str
    words: str
    places: tuple[tuple[int, int, str, str], ...]
    """Entrant, session, table and station, in the drawn order."""


class RoundResult(msgspec.Struct, frozen=True):
    round: str
    confirmed: bool
    ranked: tuple[int, ...]
    through: Mapping[str, tuple[int, ...]]
    eliminated: tuple[int, ...]


class TournamentRoutes:
    def __init__(self, tournaments: RunningTournaments, identities: Identities, vault: Vault) -> None:
        self._tournaments, self._identities, self._vault = tournaments, identities, vault

    def operations(self) -> tuple[AnyOperation, ...]:
        own = "/api/tournaments/{tournament}"
        staff = (WebCause.WRONG_ROLE, WebCause.NO_SUCH_PATH)
        asks = (WebCause.WRONG_ROLE, WebCause.APPROVAL_OVER, WebCause.NO_SUCH_PATH)
        return (
            Operation("GET", "/api/tournaments", "List the tournaments.", self.listed,
                      answer=tuple[TournamentLine, ...]),
            Operation("GET", own, "Show a tournament as its desk does.", self.desk, answer=TournamentDesk,
                      staff=True, refuses=staff),
            Operation("POST", own, "Ask something of a tournament.", self.ask, body=DirectedAct,
                      answer=TournamentDone, staff=True, most_bytes=MOST_CONDITIONS_BYTES, refuses=asks),
            Operation("POST", own + "/forms", "Keep a player's entry form.", self.keep_form, body=EntryForm,
                      answer=FormKept, staff=True, refuses=(*staff, WebCause.FORM_INCOMPLETE)),
            Operation("GET", own + "/forms", "Show the entry forms.", self.forms,
                      answer=dict[str, dict[str, str]], staff=True, refuses=staff),
            Operation("POST", own + "/forms/erase", "Erase a player's entry form.", self.erase_form,
                      body=FormErasure, staff=True, refuses=staff),
            Operation("GET", own + "/board", "Show the leader board.", self.board, answer=TournamentBoard,
                      tagged=True, refuses=(WebCause.NO_SUCH_PATH,)),
            Operation("GET", own + "/conditions", "Show the conditions.", self.conditions,
                      answer=ConditionsShown, refuses=(WebCause.NO_SUCH_PATH,)),
            Operation("PUT", own + "/conditions", "Save a conditions file as a new version.", self.save_conditions,
                      body=ConditionsText, answer=TournamentDone, staff=True, most_bytes=MOST_CONDITIONS_BYTES,
                      refuses=(*asks, WebCause.UNREAD_CONDITIONS)),
            Operation("GET", own + "/draw/{round}", "Show a draw, and what proves it.", self.draw,
                      answer=DrawProof, refuses=(WebCause.NO_SUCH_PATH,)),
            Operation("GET", own + "/rounds/{round}", "Show the result of a round.", self.round,
                      answer=RoundResult, refuses=(WebCause.NO_SUCH_PATH,)),
        )  # fmt: skip

    async def listed(self, _: BareCall) -> tuple[TournamentLine, ...]:
        states = self._tournaments.states()
        return tuple(TournamentLine(name, one.name, one.phase.value, one.present) for name, one in states.items())

    async def desk(self, call: BareCall) -> TournamentDesk:
        self._check(call, OVERSEERS)
        return desk_of(self._state(call), self._identities.now_ms(), self._tournaments.time_zone)

    async def ask(self, call: ApiCall[DirectedAct, None]) -> TournamentDone:
        act: DirectedAct = call.body
        if act.tournament != call.path["tournament"]:
            raise refusal(WebCause.NO_SUCH_PATH)
        return await self._asked(call, act)

    async def save_conditions(self, call: ApiCall[ConditionsText, None]) -> TournamentDone:
        """The same as the act, from a file's text; one that cannot be read is refused at once."""
        try:
            raw = raw_conditions(call.body.text.encode(), "conditions.json" if call.body.json else "conditions.toml")
        except ConditionsRefused as unread:
            raise refusal(WebCause.UNREAD_CONDITIONS, why=unread.problems[0].why) from None
        if not isinstance(raw, dict):
            raise refusal(WebCause.UNREAD_CONDITIONS, why="conditions are a table of keys")
        return await self._asked(call, SaveConditions(tournament=call.path["tournament"], conditions=raw))

    async def _asked(self, call: ApiCall[Body, Query], act: DirectedAct) -> TournamentDone:
        second = await self._identities.sessions.second(call.second, call.staff, act.verb)
        try:
            decision = await self._tournaments.ask(act, Giver(call.staff.person, second))
        except Unreachable:
            raise refusal(WebCause.UNAVAILABLE) from None
        if isinstance(decision, TournamentRefused):
            raise passed_on(decision)
        return TournamentDone(decision)  # type: ignore[arg-type]  # Events of a tournament are these kinds.

    async def keep_form(self, call: ApiCall[EntryForm, None]) -> FormKept:
        self._check(call, REGISTRARS)
        form: EntryForm = call.body
        wanted = self._state(call).conditions.entry.form if self._state(call).versions else ()
        missing = [field for field in wanted if not form.fields.get(field, "").strip()]
        if missing:
            raise refusal(WebCause.FORM_INCOMPLETE, fields=", ".join(missing))
        fields = msgspec.json.encode(form.fields, order="sorted")
        await self._vault.keep_form(call.path["tournament"], form.player, fields.decode())
        return FormKept(hashlib.sha256(fields).hexdigest())

    async def forms(self, call: BareCall) -> dict[str, dict[str, str]]:
        self._check(call, REGISTRARS)
        kept = await self._vault.forms(self._state(call).tournament)
        return {player: msgspec.json.decode(fields) for player, fields in kept.items()}

    async def erase_form(self, call: ApiCall[FormErasure, None]) -> None:
        self._check(call, REGISTRARS)
        self._state(call)
        if not await self._vault.erase_form(call.path["tournament"], call.body.player):
            raise refusal(WebCause.NO_SUCH_PATH)

    async def board(self, call: BareCall) -> TournamentBoard:
        state = self._state(call)
        kept = await self._vault.forms(state.tournament)
        names = {player: msgspec.json.decode(fields).get(ON_BOARD, "") for player, fields in kept.items()}
        board = board_of(state, names, self._identities.now_ms())
        return msgspec.structs.replace(board, time_zone=self._tournaments.time_zone)

    async def conditions(self, call: BareCall) -> ConditionsShown:
        state = self._state(call)
        if not state.versions:
            raise refusal(WebCause.NO_SUCH_PATH)
        held = state.plays_by
        return ConditionsShown(held.version, held.digest, held.approval, held.conditions)

    async def draw(self, call: BareCall) -> DrawProof:
        state, name = self._state(call), call.path["round"]
        progress = state.rounds.get(name)
        commitment = (progress.commitment if progress else "") or state.commitments.get(
            f"{state.tournament}/{name}", ""
        )
        if not commitment:
            raise refusal(WebCause.NO_SUCH_PATH)
        drawn = (progress.drawn if progress else None) or ()
        places = tuple((one.entrant, one.session, one.table, one.station) for one in drawn)
        seed, words = (progress.seed, progress.words) if progress else ("", "")
        return DrawProof(name, commitment, seed, words, places)

    async def round(self, call: BareCall) -> RoundResult:
        state, name = self._state(call), call.path["round"]
        if not state.versions or state.round(name) is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        one = state.progress(name)
        return RoundResult(name, one.confirmed, one.ranked, one.through, one.eliminated)

    def _state(self, call: ApiCall[Body, Query]) -> TournamentState:
        state = self._tournaments.states().get(call.path["tournament"])
        if state is None or not state.tournament:
            raise refusal(WebCause.NO_SUCH_PATH)
        return state

    def _check(self, call: ApiCall[Body, Query], roles: frozenset[Role]) -> None:
        if not roles.intersection(self._identities.sessions.roles(call.staff)):
            raise refusal(WebCause.WRONG_ROLE, needed=in_words(roles))
