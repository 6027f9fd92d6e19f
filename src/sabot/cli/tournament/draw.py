"""`sabot tournament draw`: what a laboratory recomputes of a seat draw."""

import msgspec

from sabot.audit.tournament_at_record import tournament_state
from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Json
from sabot.cli.journal.shared import ask, check_tournament
from sabot.cli.terminal import console, print_json, table
from sabot.journal.journal import ReadableJournal
from sabot.tournament.seats.draw import commitment_of, drawn_order
from sabot.tournament.seats.seating import seats_label
from sabot.tournament.state import TournamentState


class DrawShown(msgspec.Struct, frozen=True):
    label: str
    commitment: str
    """Published before the words were drawn."""
    seed: str
    words: str
    order: tuple[int, ...]
    """Recomputed here."""
    places: tuple[tuple[int, int, str, str], ...]
    """Entrant, session, table and station."""
    agrees: bool
    """Whether the seed leads to the commitment, and the recomputed order to the recorded places."""


def draw(place: str, tournament: str, round: str, /, *, json: Json = False) -> int:  # noqa: A002  The word of the rules.
    """Show a seat draw and compute it again: commitment, seed, words, order. The exit code is 1 where it disagrees.

        sabot tournament draw floor.journal SPRING heats

    The commitment is SHA-256 of the byte 02, the seed and the label. The order is Fisher and Yates over the entrants in
    rising order; docs/tournaments.md has the recipe.

    Parameters
    ----------
    place
        The path of a journal, or its postgresql:// URL.
    tournament
        The id of the tournament.
    round
        The round whose seats were drawn.
    """

    async def read(journal: ReadableJournal) -> TournamentState:
        await check_tournament(journal, tournament)
        return await tournament_state(journal, tournament)

    shown = _shown(ask(place, read), round)
    if json:
        print_json(shown)
        return 0 if shown.agrees else 1
    out = console()
    for name in ("label", "commitment", "seed", "words"):
        out.print(f"{name:<11} {getattr(shown, name)}", soft_wrap=True)
    seats = table("drawn|", "entrant|", "session|", "table", "station")
    for at, one in enumerate(shown.places, 1):
        seats.add_row(str(at), *(str(part) for part in one))
    out.print(seats)
    out.print("✓ computed again, it is the same" if shown.agrees else "✗ computed again, it is another")
    return 0 if shown.agrees else 1


def _shown(state: TournamentState, name: str) -> DrawShown:
    progress = state.progress(name)
    if progress.drawn is None:
        drawn = [one for one, known in state.rounds.items() if known.drawn is not None]
        raise Mistake(f"the seats of {name!r} are not drawn; drawn are {', '.join(drawn) or 'none'}")
    label, seed = seats_label(state, name), bytes.fromhex(progress.seed)
    order = drawn_order(seed, label, sorted(one.entrant for one in progress.drawn), progress.words)
    places = tuple((one.entrant, one.session, one.table, one.station) for one in progress.drawn)
    is_same = commitment_of(seed, label) == progress.commitment and order == tuple(one[0] for one in places)
    return DrawShown(label, progress.commitment, progress.seed, progress.words, order, places, is_same)
