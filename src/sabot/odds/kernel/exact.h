/* Shared by the files of the exact count. */

#ifndef SABOT_EXACT_H
#define SABOT_EXACT_H

#include "kernel.h"

enum {
    POINTS = 10,
    RANKS = 13,
    SUITS = 4,
    CELLS = 400,
    LOW = 8, /* totals below this are no natural */
};

/* By the totals of the first two cards, Player's and Banker's; Banker also by the column of the table of play:
 * no card, or the points of Player's third card plus one. */
struct table_of_play {
    uint8_t player[POINTS][POINTS];
    uint8_t banker[POINTS][POINTS][POINTS + 1];
};

struct start {
    int32_t player, banker;
};

static inline int modulo_ten(int total) { return total < 0 ? total + 10 : total >= 10 ? total - 10 : total; }

static inline int cell(int player_drew, int banker_drew, int player, int banker) {
    return ((player_drew * 2 + banker_drew) * 10 + modulo_ten(player)) * 10 + modulo_ten(banker);
}

void count_any(const struct table_of_play *play, const int32_t points[POINTS], int64_t cells[CELLS]);

#endif
