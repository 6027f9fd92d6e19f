"""The keys of tournament conditions, in the order in which problems are listed: the clause, and what the key says.

Letters are of CROWN 12.2.1. `[]` stands for any entry of a list.
"""

import re
from typing import Final, NamedTuple


class KeyRow(NamedTuple):
    key: str
    clause: str
    """The clause by which the key is there, and by which a file without it or with a wrong value is refused."""
    says: str


_A, _B, _C, _D, _E = (f"CROWN 12.2.1({letter})" for letter in "abcde")
_G, _H, _I, _J, _K = (f"CROWN 12.2.1({letter})" for letter in "ghijk")
_F1, _F2, _F3 = (f"CROWN 12.2.1(f)({number})" for number in ("i", "ii", "iii"))
_NAME = 'CROWN 1.1 "tournament"'

KEYS: Final = tuple(
    KeyRow(*row)
    for row in (
        ("id", _NAME, "the name of the tournament's stream: capital letters, digits and dashes, 20 at most"),
        ("title", _NAME, "the title in every language"),
        ("document", "CROWN 12.1", "the document whose rules are played: CROWN, the only one with tournaments"),
        ("statements", _F1, "which statements are printed: entitled_only, rules_prevail, may_refuse"),
        ("approval", "CROWN 12.1.3", "the written approval, once there is one"),
        ("approval.reference", "CROWN 12.1.3", "the reference of the written approval"),
        ("approval.dated", "CROWN 12.1.3", "its date"),
        ("approval.by", "CROWN 12.1.3", "who gave it"),
        ("director", "CROWN 12.1.2", "who is to direct the tournament"),
        ("director.person", "CROWN 12.1.2", "the Tournament Director, by the name on the staff list"),
        ("director.deputies", "CROWN 12.1.2", "who may be present in the Director's place"),
        ("entry", _G, "the terms of entry"),
        ("entry.fee_cents", _A, "the entry fee in cents, 0 for none"),
        ("entry.to_pool_cents", _J, "the part of the fee that goes into the prize pool"),
        ("entry.opens", _G, "when entry opens, in the house's local time"),
        ("entry.closes", _G, "when entry closes"),
        ("entry.withdraw_free_until", _G, "until when a withdrawal is refunded in full"),
        ("entry.minimum_players", _G, "how many must have entered"),
        ("entry.maximum_players", _G, "how many may enter"),
        ("entry.alternates", _G, "how many more may wait for a place"),
        ("entry.form", _G, "the fields of the entry form"),
        ("entry.terms", _G, "the terms of entry in every language"),
        ("eligibility", _F3, "who may enter"),
        ("eligibility.may_refuse", _F2, "whether the operator reserves the right to refuse any application"),
        ("eligibility.criteria", _F3, "the selection criteria, where there are any"),
        ("eligibility.criteria[].id", _F3, "the criterion's short name"),
        ("eligibility.criteria[].text", _F3, "the criterion in every language"),
        ("game", "CROWN 12.1.1", "what is played, the same at every seat"),
        ("game.rule_set", "CROWN 12.1", "the rule set that is played"),
        ("game.decks", "CROWN 3.1", "the number of decks in the shoe"),
        ("game.options", "CROWN 10.1 note *", "the pay table option of each side bet that has one, 1 unless given"),
        ("game.side_bets", "CROWN 10.1", "which optional bets are offered"),
        ("game.period_ms", "CROWN 8.1(a)", "the wagering period in milliseconds"),
        ("game.fresh_shoe", "CROWN 12.1.1", "whether a sitting begins with a new shoe"),
        ("game.limits", "CROWN 5.1", "minimum, step and maximum of every offered bet, in hundredths of a credit"),
        ("wagers", _C, "what entrants must wager, and what others see of it"),
        ("wagers.each_coup", _C, "what must be wagered in each coup: none, minimum or compulsory"),
        ("wagers.credits", _C, "how much that is, in hundredths of a credit"),
        ("wagers.missed", "G-102", "what a missed compulsory wager costs: forfeit, warning or disqualification"),
        ("wagers.warnings", "G-102", "how many warnings are given before a disqualification"),
        ("wagers.shown", "G-122", "when others see a wager: after_close or after_result"),
        ("wagers.hidden_last_coups", "G-122", "in how many last coups wagers are shown after the result in any case"),
        ("rounds", _D, "the rounds, in the order in which they are played"),
        ("rounds[].name", _D, "the round's name"),
        ("rounds[].kind", _D, "round, repechage, catch_up or secondary"),
        ("rounds[].from", _D, "where its players come from, line by line"),
        ("rounds[].from[].entrants", _D, "all: everybody who entered"),
        ("rounds[].from[].round", _D, "an earlier round, with top_per_table, top_overall or wild_cards"),
        ("rounds[].from[].top_per_table", _D, "so many of each table"),
        ("rounds[].from[].top_overall", _D, "so many of the whole round"),
        ("rounds[].from[].wild_cards", _D, "so many of those who are not through"),
        ("rounds[].from[].by", "G-139", "whether wild cards go by score or by draw"),
        ("rounds[].from[].bought_back_after", _D, "those who bought back after this round"),
        ("rounds[].from[].missed", _D, "those who were absent from this round"),
        ("rounds[].from[].eliminated_in", _D, "those who were eliminated in this round"),
        ("rounds[].sessions", _D, "how many times the round is played, one after another"),
        ("rounds[].tables", _D, "how many tables play in a session"),
        ("rounds[].seats", _D, "how many seats a table has"),
        ("rounds[].coups", _D, "how many coups count"),
        ("rounds[].minutes", _D, "how long a sitting lasts; with coups, whichever ends first"),
        ("rounds[].credit", _B, "the credit of each seat at the start, in hundredths"),
        ("rounds[].buy_in_cents", _B, "what the credit costs, in cents"),
        ("rounds[].balances", _B, "what becomes of the balances at the end: cancelled, carried or cash"),
        ("rounds[].starts", _D, "when each session starts, in the house's local time"),
        ("ranking", _D, "how places are decided"),
        ("ranking.score", _D, "what is ranked: balance, total or best"),
        ("ranking.tie_breaks", "G-103", "how ties are broken, in order; the last is lots"),
        ("ranking.play_off", "G-103", "the length and credit of a play-off"),
        ("ranking.play_off.coups", "G-103", "the coups of a play-off"),
        ("ranking.play_off.credit", "G-103", "the credit of each seat in a play-off"),
        ("ranking.prize_ties", _J, "whether equals share their prizes or are told apart: share or tie_break"),
        ("buy_back", _E, "whether and when eliminated players may buy back"),
        ("buy_back.allowed", _E, "whether eliminated players may buy back"),
        ("buy_back.after", _E, "the round after which they may"),
        ("buy_back.into", _E, "the round that they come into"),
        ("buy_back.each", _E, "how many times each may"),
        ("buy_back.in_all", _E, "how many may in all"),
        ("buy_back.price_cents", _E, "the price in cents"),
        ("buy_back.to_pool_cents", _E, "the part of the price that goes into the prize pool"),
        ("buy_back.until_minutes_before", _E, "how long before the round it ends, in minutes"),
        ("leaving", _H, "retirement and disqualification"),
        ("leaving.retirement", _H, "whether entrants may retire, what is refunded, and what becomes of the score"),
        ("leaving.retirement.allowed", _H, "whether entrants may retire"),
        ("leaving.retirement.refund_percent", _H, "the part of the fee that is refunded"),
        ("leaving.retirement.score", _H, "what becomes of the score: stands, zero or unranked"),
        ("leaving.grounds", _H, "the grounds of disqualification"),
        ("leaving.grounds[].id", _H, "the ground's short name"),
        ("leaving.grounds[].text", _H, "the ground in every language"),
        ("leaving.grounds[].refund_percent", _H, "the part of the fee that is refunded"),
        ("attendance", _I, "lateness and absence"),
        ("attendance.grace_minutes", _I, "how long after the start an entrant is not yet absent"),
        ("attendance.late", _I, "whether a late entrant is admitted, and at what cost"),
        ("attendance.late.admitted", _I, "whether a late entrant is admitted"),
        ("attendance.late.penalty_credits", _I, "what each missed coup costs, in hundredths of a credit"),
        ("attendance.late.latest_coup", _I, "the last coup for which a late entrant is seated"),
        ("attendance.absent", _I, "what becomes of an absent entrant"),
        ("attendance.absent.outcome", _I, "eliminated, or catch_up where a round takes those who missed another"),
        ("attendance.absent.refund_percent", _I, "the part of the fee that is refunded"),
        ("attendance.absent.buy_in_refund_percent", _I, "the part of the buy-in that is refunded"),
        ("conduct", _D, "how sessions are conducted"),
        ("conduct.signature", "CROWN 12.2.4", "whether entrants sign the conditions"),
        ("conduct.substitutes", "CROWN 12.3.3", "whether an entrant may nominate a substitute"),
        ("conduct.substitutes.allowed", "CROWN 12.3.3", "whether an entrant may nominate a substitute"),
        ("conduct.substitutes.latest_coup", "CROWN 12.3.3", "the last coup before which a substitute takes the seat"),
        ("conduct.start_notice_minutes", "CROWN 12.3.4", "the least notice of an altered start, in minutes"),
        ("conduct.void_coups", _D, "whether a void coup is replayed or counted"),
        ("conduct.interrupted", _D, "what follows when a sitting cannot go on: resume, replay or stand"),
        (
            "conduct.after_next_round",
            _D,
            "what a later correction does to the next round: places_stand or adds_a_place",
        ),
        ("accounts", "CROWN 12.2.2", "which clauses of rule 6 do not apply, or apply in another way"),
        ("accounts.excluded", "CROWN 12.2.2", "the clauses of rule 6 that do not apply"),
        ("accounts.modified", "CROWN 12.2.2", "the clauses of rule 6 that apply in another way, each with its words"),
        ("pool", _J, "what the house adds to the prize pool"),
        ("pool.added_cents", _J, "what the house adds"),
        ("pool.guaranteed_cents", _J, "what the pool comes to at least"),
        ("prizes", _J, "the prizes"),
        ("prizes[].place", _J, "the place, from 1"),
        ("prizes[].share", _J, "per cent of the pool"),
        ("prizes[].cents", _J, "an amount in cents, beside the pool"),
        ("prizes[].text", _J, "a prize in words, in every language"),
        ("prizes[].of", _J, "the secondary round whose places it is for"),
    )
)
ROW: Final = {row.key: number for number, row in enumerate(KEYS)}
_OTHER: Final = KeyRow("", _K, "")


def key_row(path: str) -> KeyRow:
    """The row of a key, or of the part that it belongs to; what conditions cannot say is against (k)."""
    key = re.sub(r"\[[0-9]+\]", "[]", path)
    while key:
        if key in ROW:
            return KEYS[ROW[key]]
        key = key[:-2] if key.endswith("[]") else key.rpartition(".")[0]
    return _OTHER
