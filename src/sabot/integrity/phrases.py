"""The sentences of lights: what was seen, and what to do. Gaps are named; the pages hold the other languages."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    "integrity_return": "{coups} coups: {actual} came back to patrons, where {theoretical} is expected; the true "
    "return lies between {lower} and {upper}",
    "integrity_return_skipped": "{told}; {skipped} coups whose cards left are not known are left out",
    "integrity_nothing_yet": "nothing was wagered yet",
    "advise_return_of_bet": "Compare the recorded cards of these coups with the video, and check the shoe's cards.",
    "advise_return_of_table": "Compare the recorded cards with the video, check the cards, and change the shoe.",
    "advise_return_of_dealer": "Watch this dealer's hands and entries, compare the recorded cards with the video.",
    "advise_return_of_seat": "Watch this seat: when it raises its stakes, who sits there, what it sees of the cards.",
    "integrity_slug_none": "{coups} coups: no stretch of cards followed an earlier shoe",
    "integrity_slug": "In shoe {shoe} the cards came in the order of shoe {earlier}, {way}",
    "integrity_slug_new_decks": "In shoe {shoe} the cards came in the order of new decks",
    "slug_as_dealt": "as they were dealt",
    "slug_as_dealt_backwards": "as they were dealt, backwards",
    "slug_player_first": "as the hands were gathered, Player first",
    "slug_player_first_backwards": "as the hands were gathered, Player first, backwards",
    "slug_banker_first": "as the hands were gathered, Banker first",
    "slug_banker_first_backwards": "as the hands were gathered, Banker first, backwards",
    "integrity_clumps": "{shoes} shoes: neighbours of one suit or one size, against those of a shuffled shoe",
    "integrity_repeats": "{shoes} shoes: equal ranks and cards near each other, against those of a shuffled shoe",
    "integrity_census": "{shoes} shoes: how often each rank and card came, against what the decks hold",
    "integrity_source": "{shoes} virtual shoes: ranks by position, and equal ranks and suits at small distances",
    "integrity_source_again": "Virtual shoe {shoe} began with the cards of an earlier shoe",
    "integrity_late_wagers": "{won} of {late} late wagers of {seat} won, where {expected} are expected",
    "integrity_favours": "With {dealer} dealing, {seat} won {won} of {wagers} wagers, where {expected} are expected",
    "integrity_corrections": "{marked} of {things} coups were corrected later, where {expected} are expected from the "
    "other dealers",
    "integrity_voids": "{marked} of {things} coups were voided, where {expected} are expected from the other dealers",
    "integrity_claims": "{marked} claims in {things} coups, where {expected} are expected from the other seats",
    "integrity_opposed_seats": "Both wagered in {common} coups, in {opposed} of them against each other with like "
    "amounts",
    "integrity_knowing": "{favourable} of {wagers} wagers fell on coups whose cards left favoured the bet, where "
    "{expected} are expected",
    "advise_slug": "Stop the shoe, keep its cards in order, and compare them with the video. Check how the shuffle was "
    "done and who washed the cards.",
    "advise_clumps": "Have the cards shuffled again and watch the whole shuffle. Check the shuffling machine.",
    "advise_repeats": "Have the cards shuffled again and watch the whole shuffle. Check the shuffling machine.",
    "advise_census": "Take the shoe out of play and count its cards. A card that the decks do not hold is foreign or "
    "was entered wrongly.",
    "advise_source": "Stop virtual shoes at this table, keep their commitments, and have the random source tested.",
    "advise_late_wagers": "See on the video when wagering closed in these coups, and what the seat could see by then.",
    "advise_favours": "Compare the recorded cards of the coups that this seat won with the video, and give the dealer "
    "another table.",
    "advise_corrections": "Read the corrections with the video, and have a supervisor watch this dealer's entries.",
    "advise_voids": "Read the voided coups with the video: who had wagered, and which cards were known.",
    "advise_claims": "Read the claims with the video. A claim that was granted without ground is a loss to the house.",
    "advise_opposed_seats": "Ask who sits there, and watch whether chips change hands or a promotion is being used.",
    "advise_knowing": "Watch this seat for notes and devices. The house may set another cutting card or take the bet "
    "from the layout.",
}
