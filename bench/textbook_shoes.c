/* The baseline of bench/simulate.py: shoes as a textbook deals them. The whole shoe is shuffled with random() % n, the
 * table of play is a row of branches, and a card is its rank and its suit. It is compiled for the very processor that
 * it runs on, which the kernel is not. The task and the tally are the kernel's own. */

#include <stdint.h>
#include <stdlib.h>

struct card {
    int rank, suit;
};

#include "textbook_play.h"

/* Deal so many shoes, burning by face value, one coup after the one in which the cutting card shows. */
void textbook_shoes(unsigned seed, int decks, int behind_cutting_card, long shoes, uint64_t histogram[6400]) {
    int cards = 52 * decks;
    struct card shoe[52 * 12];
    srandom(seed);
    for (int n = 0; n < cards; n++)
        shoe[n] = (struct card){n % 13, n / 13 % 4};
    for (long dealt = 0; dealt < shoes; dealt++) {
        for (int n = cards - 1; n > 0; n--) {
            int other = (int)(random() % (n + 1));
            struct card kept = shoe[n];
            shoe[n] = shoe[other];
            shoe[other] = kept;
        }
        int face = points(shoe[0]);
        int at = 1 + (face ? face : 10), to_come = -1;
        while (to_come != 0 && cards - at >= 6) {
            struct card p1 = shoe[at], b1 = shoe[at + 1], p2 = shoe[at + 2], b2 = shoe[at + 3];
            int player = (points(p1) + points(p2)) % 10, banker = (points(b1) + points(b2)) % 10;
            int player_drew = 0, banker_drew = 0;
            at += 4;
            if (player < 8 && banker < 8) {
                int third = 0;
                if (player <= 5) {
                    third = points(shoe[at++]);
                    player_drew = 1;
                }
                if (banker_draws(banker, player_drew, third)) {
                    banker = (banker + points(shoe[at++])) % 10;
                    banker_drew = 1;
                }
                player = (player + third) % 10;
            }
            int kinds = 4 * kind_of_pair(p1, p2) + kind_of_pair(b1, b2);
            histogram[400 * kinds + 200 * player_drew + 100 * banker_drew + 10 * player + banker]++;
            if (to_come > 0)
                to_come--;
            else if (at > cards - behind_cutting_card)
                to_come = 1;
        }
    }
}
