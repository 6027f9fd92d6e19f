"""The sections on what is played: game, credits, wagers, rounds, buying back, prizes, accounts."""

from collections.abc import Iterator

from sabot.basics.money import write_amount
from sabot.rules import shipped
from sabot.rules.terms import Terms
from sabot.tournament.conditions.check.game import offered_in
from sabot.tournament.conditions.document.form import DocumentSection
from sabot.tournament.conditions.parts import (
    Balances,
    Conditions,
    EachCoup,
    From,
    Prize,
    RoundPart,
    TieBreak,
    WildCardsBy,
)
from sabot.tournament.conditions.words import ConditionsWords


def local_time(written: str) -> str:
    return written.replace("T", " ")


def game_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    game = conditions.game
    rule_set = shipped.rule_set(game.rule_set)
    terms = Terms(rule_set, game.decks, game.options)
    offered = offered_in(game, terms)
    seconds = game.period_ms / 1000
    options = {rules.option for bet, rules in terms.bets.items() if bet in offered and rules.option}
    lines = [
        words("game_equal"),
        words("game_played", rule_set=f"{rule_set.title} ({rule_set.id})", decks=game.decks, seconds=f"{seconds:g}"),
        *(words("game_option", option=name, choice=terms.options[name]) for name in sorted(options)),
        *([words("game_fresh_shoe")] if game.fresh_shoe else []),
    ]
    head = tuple(words(f"head_{name}") for name in ("bet", "minimum", "step", "maximum"))
    limits = [(bet, game.limits[bet]) for bet in offered]
    rows = [
        (words.sentences.get(f"bet_{bet}", bet), *map(write_amount, (one.minimum, one.step, one.maximum)))
        for bet, one in limits
    ]
    return DocumentSection("CROWN 12.1.1", words("section_game"), tuple(lines), (head, *rows))


def credits_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    head = tuple(words(f"head_{name}") for name in ("round", "credit", "buy_in", "balances"))
    rows = [
        (
            one.name,
            write_amount(one.credit) if one.credit else words("credit_carried"),
            write_amount(one.buy_in_cents) if one.buy_in_cents else words("none"),
            words(f"balances_{one.balances.value}"),
        )
        for one in conditions.rounds
    ]
    cash = any(one.balances is Balances.CASH for one in conditions.rounds)
    line = words("credits_cash" if cash else "credits_no_cash")
    return DocumentSection("CROWN 12.2.1(b)", words("section_b"), (line,), (head, *rows))


def wagers_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    wagers = conditions.wagers
    lines = [words(f"each_{wagers.each_coup.value}", credits=write_amount(wagers.credits))]
    if wagers.each_coup is EachCoup.COMPULSORY and wagers.missed is not None:
        lines.append(words(f"missed_{wagers.missed.value}", warnings=wagers.warnings))
    lines += [words("simultaneous"), words(f"shown_{wagers.shown.value}")]
    if wagers.hidden_last_coups:
        lines.append(words("hidden_last_coups", number=wagers.hidden_last_coups))
    return DocumentSection("CROWN 12.2.1(c)", words("section_c"), tuple(lines))


def structure_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    ranking, conduct = conditions.ranking, conditions.conduct
    breaks = words.listed([_tie_break(conditions, one, words) for one in ranking.tie_breaks], "semicolon")
    lines = (
        words(f"score_{ranking.score.value}"),
        words("tie_breaks", breaks=breaks),
        words(f"void_{conduct.void_coups.value}"),
        words(f"interrupted_{conduct.interrupted.value}"),
        words(f"after_{conduct.after_next_round.value}"),
    )
    head = tuple(words(f"head_{name}") for name in ("round", "kind", "from", "room", "length", "starts"))
    rows = (_round_row(one, words) for one in conditions.rounds)
    return DocumentSection("CROWN 12.2.1(d)", words("section_d"), lines, (head, *rows))


def _tie_break(conditions: Conditions, one: TieBreak, words: ConditionsWords) -> str:
    play_off = conditions.ranking.play_off
    coups, credit = (play_off.coups, write_amount(play_off.credit)) if play_off is not None else (0, "")
    return words(f"tie_{one.value}", coups=coups, credit=credit)


def _round_row(one: RoundPart, words: ConditionsWords) -> tuple[str, ...]:
    form = "both" if one.coups and one.minutes else "coups" if one.coups else "minutes"
    return (
        one.name,
        words(f"kind_{one.kind.value}"),
        words.listed([_source(line, words) for line in one.from_], "semicolon"),
        words("room", sessions=one.sessions, tables=one.tables, seats=one.seats),
        words(f"length_{form}", coups=one.coups, minutes=one.minutes),
        words.listed([local_time(start) for start in one.starts]),
    )


def _source(line: From, words: ConditionsWords) -> str:
    if line.entrants:
        return words("from_entrants")
    if line.round:
        number = line.top_per_table or line.top_overall or line.wild_cards
        wild = "from_wild_draw" if line.by is WildCardsBy.DRAW else "from_wild_score"
        name = "from_top_per_table" if line.top_per_table else "from_top_overall" if line.top_overall else wild
        return words(name, round=line.round, number=number)
    others = (("bought_back", line.bought_back_after), ("missed", line.missed), ("eliminated", line.eliminated_in))
    return next(words(f"from_{name}", round=source) for name, source in others if source)


def buy_back_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    one = conditions.buy_back
    lines = [words("buy_back_none")]
    if one.allowed:
        price, part = write_amount(one.price_cents), write_amount(one.to_pool_cents)
        lines = [
            words("buy_back", after=one.after, into=one.into, price=price, part=part),
            words("buy_back_limits", each=one.each, in_all=one.in_all, minutes=one.until_minutes_before, into=one.into),
        ]
    return DocumentSection("CROWN 12.2.1(e)", words("section_e"), tuple(lines))


def prizes_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    pool = conditions.pool
    lines = [words(f"prize_ties_{conditions.ranking.prize_ties.value}")]
    if pool.added_cents:
        lines.append(words("pool_added", added=write_amount(pool.added_cents)))
    if pool.guaranteed_cents:
        lines.append(words("pool_guaranteed", guaranteed=write_amount(pool.guaranteed_cents)))
    head = (words("head_place"), words("head_prize"))
    rows = (_prize_row(prize, words) for prize in conditions.prizes)
    return DocumentSection("CROWN 12.2.1(j)", words("section_j"), tuple(lines), (head, *rows))


def _prize_row(prize: Prize, words: ConditionsWords) -> tuple[str, str]:
    place = words("place_of", place=prize.place, round=prize.of) if prize.of else str(prize.place)
    if prize.share is not None:
        return place, words("prize_share", share=prize.share)
    return place, write_amount(prize.cents) if prize.cents is not None else words.text(prize.text or {})


def accounts_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    lines = tuple(_accounts(conditions, words)) or (words("accounts_unchanged"),)
    return DocumentSection("CROWN 12.2.2", words("section_accounts"), lines)


def _accounts(conditions: Conditions, words: ConditionsWords) -> Iterator[str]:
    accounts = conditions.accounts
    if accounts.excluded:
        yield words("accounts_excluded", clauses=words.listed(list(accounts.excluded)))
    for clause, text in accounts.modified.items():
        yield words("accounts_modified", clause=clause, text=words.text(text))
