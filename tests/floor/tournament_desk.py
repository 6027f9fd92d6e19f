"""Every act of a tournament, as somebody asks it at a desk: which role may, and which may not."""

from collections.abc import Collection
from typing import Any

import msgspec

from sabot.floor.lines.table import LineTable
from sabot.floor.stamper import Giver
from sabot.floor.tournament_stamper import TournamentPlace, stamp_for_tournament
from sabot.tournament import acts
from sabot.tournament.decide import decide
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.state import TournamentState

SLIP = "SPRING-000001"
_WORDS: dict[str, dict[str, Any]] = {
    "create_tournament": {"name": "Spring"},
    "save_conditions": {"conditions": {}},
    "withdraw_version": {"version": 1},
    "approve_conditions": {"version": 1, "digest": "", "reference": "VCGR-7"},
    "appoint_director": {"director": "TD1"},
    "register_entrant": {"player": "P-1"},
    "refuse_application": {"player": "P-1", "reason": "none"},
    "sign_conditions": {"entrant": 1},
    "withdraw_entrant": {"entrant": 1},
    "designate_tables": {"tables": ["T1"]},
    "commit_draw": {"draw": "SPRING/heats", "commitment": "c0"},
    "draw_seats": {"round": "heats", "words": "AS KD 7C 2H 9S TD"},
    "alter_start": {"round": "heats", "to_ms": 1},
    "call_session": {"round": "heats"},
    "record_arrival": {"entrant": 1},
    "declare_absent": {"entrant": 1},
    "approve_substitute": {"entrant": 1, "substitute": "P-7"},
    "retire": {"entrant": 1},
    "disqualify": {"entrant": 1, "ground": "conduct", "reason": "noise"},
    "conclude_early": {"table": "T1"},
    "abandon_sitting": {"table": "T1", "reason": "fire"},
    "confirm_round": {"round": "heats"},
    "reopen_round": {"round": "heats", "reason": "a correction"},
    "admit_place": {"entrant": 1, "table": "T1", "reason": "a correction"},
    "buy_back": {"entrant": 1},
    "cancel_tournament": {"reason": "fire"},
    "note_table": {"table": "T1", "state": "reserved"},
    "note_score": {"table": "T1", "sitting": "x", "revision": 1, "counted": 1, "scores": [], "seats": {}},
    "note_slip": {"slip": SLIP, "settled": "taken"},
    "note_exclusion": {"player": "P-1"},
    "note_dismissal": {"person": "TD1"},
}


def tournament_body(word: str) -> dict[str, Any]:
    return {"do": word, "tournament": "SPRING", **_WORDS.get(word, {})}


def asked_at_a_desk(table: LineTable, word: str, person: str, authority: Collection[str]) -> str:
    """What a tournament that TD1 directs says of who asks, or `yes`; what it says of what is asked does not matter."""
    act: acts.TournamentAct = msgspec.convert(tournament_body(word), acts.DirectedAct)
    state = TournamentState(tournament="SPRING", director="TD1")
    place = TournamentPlace(state, table.floor.house, {table.name: table.state}, 0)
    given = stamp_for_tournament(act, Giver(person, "OP1" if person == "CS1" else "CS1"), place)
    if isinstance(given, TournamentRefused):
        return given.code
    decision = decide(state, act, given)
    return decision.code if isinstance(decision, TournamentRefused) and decision.code in authority else "yes"
