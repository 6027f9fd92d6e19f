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
}
