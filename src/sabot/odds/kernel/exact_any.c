/* The same count as exact.py, third cards first, for shoes of any size: sequences of six cards by cell.
 *
 * exact.c counts most shoes faster; this way is for those whose sequences of six do not fit in a double, and for a
 * table of play that draws after a natural.
 *
 * All figures are integers. Sequences of six stay below 2^63 for any shoe of up to twelve decks. The terms of a shoe's
 * starts stay below 2^31 and are kept in 32 bits, which compilers can vectorise.
 */
#include <string.h>

#include "exact.h"

/* The terms of F(s, t) in exact.py: M_a(s), A(s) and the sum over a of m_a M_a(s) M_a(t). */
struct shoe {
    int32_t points[POINTS];
    int32_t others[POINTS][POINTS];
    int32_t hands[POINTS];
    int32_t shared[POINTS][POINTS];
};

/* The starts after which both draw, by the points of Player's third card. */
struct both_draw {
    int length[POINTS];
    struct start starts[POINTS][POINTS * POINTS];
};

static int64_t ways(const struct shoe *shoe, int s, int t)
{
    return (int64_t)shoe->hands[s] * shoe->hands[t] - 4 * (int64_t)shoe->shared[s][t]
           + (s == t ? 2 * (int64_t)shoe->hands[s] : 0);
}

static void lay_out(struct shoe *shoe, const int32_t points[POINTS])
{
    memset(shoe, 0, sizeof *shoe);
    memcpy(shoe->points, points, sizeof shoe->points);
    for (int a = 0; a < POINTS; a++)
        for (int s = 0; s < POINTS; s++) {
            int b = modulo_ten(s - a);
            shoe->others[a][s] = points[b] - (a == b);
            shoe->hands[s] += points[a] * shoe->others[a][s];
        }
    for (int a = 0; a < POINTS; a++)
        for (int s = 0; s < POINTS; s++)
            for (int t = 0; t < POINTS; t++)
                shoe->shared[s][t] += points[a] * shoe->others[a][s] * shoe->others[a][t];
}

/* One card of x points fewer changes M only where s = a + x. Multiplying the sums out again leaves, with M before the
 * change, A(s) less 2 M_x(s), and the shared sum less M_x(s) M_x(t) + M_x(s) M_(s-x)(t) + M_x(t) M_(t-x)(s), plus
 * M_x(s) where s = t. */
static void take_out(struct shoe *after, const struct shoe *shoe, int x)
{
    int32_t mine[POINTS], crossed[POINTS][POINTS];
    memcpy(mine, shoe->others[x], sizeof mine);
    *after = *shoe;
    after->points[x]--;
    for (int s = 0; s < POINTS; s++) {
        const int32_t *other = shoe->others[modulo_ten(s - x)];
        for (int t = 0; t < POINTS; t++)
            crossed[s][t] = mine[s] * other[t];
    }
    for (int s = 0; s < POINTS; s++) {
        for (int t = 0; t < POINTS; t++)
            after->shared[s][t] -= mine[s] * mine[t] + crossed[s][t] + crossed[t][s];
        after->shared[s][s] += mine[s];
        after->hands[s] -= 2 * mine[s];
        after->others[s][modulo_ten(s + x)]--;
    }
}

static void find_starts(struct both_draw *both, const struct table_of_play *play)
{
    memset(both->length, 0, sizeof both->length);
    for (int s = 0; s < POINTS; s++)
        for (int t = 0; t < POINTS; t++)
            for (int x = 0; play->player[s][t] && x < POINTS; x++)
                if (play->banker[s][t][x + 1])
                    both->starts[x][both->length[x]++] = (struct start){s, t};
}

static void without_third_cards(const struct table_of_play *play, const struct shoe *shoe, int64_t weight,
                                int64_t *cells)
{
    for (int s = 0; s < POINTS; s++)
        for (int t = 0; t < POINTS; t++)
            if (!play->player[s][t] && !play->banker[s][t][0])
                cells[cell(0, 0, s, t)] += ways(shoe, s, t) * weight;
}

static void with_one_third_card(const struct table_of_play *play, const struct shoe *shoe, int x, int64_t weight,
                                int64_t *cells)
{
    for (int s = 0; s < POINTS; s++)
        for (int t = 0; t < POINTS; t++)
            if (play->player[s][t]) {
                if (!play->banker[s][t][x + 1])
                    cells[cell(1, 0, s + x, t)] += ways(shoe, s, t) * weight;
            } else if (play->banker[s][t][0])
                cells[cell(0, 1, s, t + x)] += ways(shoe, s, t) * weight;
}

static void with_two_third_cards(const struct both_draw *both, const struct shoe *shoe, int x, int y, int64_t weight,
                                 int64_t *cells)
{
    for (int number = 0; number < both->length[x]; number++) {
        struct start start = both->starts[x][number];
        cells[cell(1, 1, start.player + x, start.banker + y)] += ways(shoe, start.player, start.banker) * weight;
    }
}

void count_any(const struct table_of_play *play, const int32_t points[POINTS], int64_t cells[CELLS])
{
    struct shoe full, less_one, less_two;
    struct both_draw both;
    int64_t left = -4;
    memset(cells, 0, CELLS * sizeof *cells);
    for (int a = 0; a < POINTS; a++)
        left += points[a];
    find_starts(&both, play);
    lay_out(&full, points);
    without_third_cards(play, &full, left * (left - 1), cells);
    for (int x = 0; x < POINTS; x++) {
        if (!full.points[x])
            continue;
        take_out(&less_one, &full, x);
        with_one_third_card(play, &less_one, x, points[x] * (left - 1), cells);
        for (int y = x; y < POINTS; y++) {
            if (!less_one.points[y])
                continue;
            int64_t weight = (int64_t)points[x] * less_one.points[y];
            take_out(&less_two, &less_one, y);
            with_two_third_cards(&both, &less_two, x, y, weight, cells);
            if (x != y)
                with_two_third_cards(&both, &less_two, y, x, weight, cells);
        }
    }
}
