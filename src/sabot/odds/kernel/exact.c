/* The exact count of exact.py for one composition or for many: sequences of six cards by group of cells, and by pair.
 *
 * The caller passes the table of play (who draws after which totals) and the groups: cells that all its bets treat
 * alike. No rule of the game and no bet is in this file. Both are made into a plan once, which serves all compositions.
 *
 * exact_rows.h counts in doubles, so it serves shoes whose sequences of six stay below 2^53; exact_any.c serves the
 * others. */

#include "exact.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    ROWS_UP_TO = 456, /* 456 * 455 * ... * 451 is below 2^53, and 457 * ... * 452 is not */
    PAIRS = 4,        /* none, mixed, coloured, perfect */
    ANY_SIZE = -1,    /* the path of exact_any.c */
    PERIODS = 2 * POINTS + LOW,
    BEYOND = POINTS + LOW,
};

/* A start after which nobody draws. F is symmetric, so the higher total comes first. */
struct standing {
    int16_t high, low;
};

struct plan {
    struct table_of_play play;
    int32_t path;
    int32_t rows;         /* both hands draw only where Player's total is below this */
    int32_t standing;     /* the number of starts after which nobody draws */
    struct standing stands[POINTS * POINTS];
    uint8_t player_draws[LOW], banker_draws[LOW]; /* by Player's total: whether that hand may draw alone */
    double both[POINTS][LOW][LOW];                /* by Player's third card and the totals: 1 where both draw */
    double player_alone[POINTS][LOW][LOW];
    double banker_alone[LOW][LOW];
    int32_t groups, reached;
    int16_t cells[CELLS];  /* the cells that can be reached, by group */
    int16_t places[CELLS]; /* their places in struct sums, counted in doubles */
    int16_t ends[CELLS];   /* where each group ends among them */
};

/* The cards left by points, over and over in both directions, so that a row can be read from any of them on. */
struct layout {
    int32_t forward[PERIODS], backward[PERIODS];
};

/* A(t) of exact.py, and by s and t: 4 E(s, t) - 2 [s = t] A(t), where E is the sum over a of m_a M_a(s) M_a(t). So
 * F(s, t) is A(s) A(t) less this term. */
struct starts {
    int32_t hands[LOW], less[LOW][LOW];
} __attribute__((aligned(64)));

struct full_starts {
    struct starts low;
    int32_t hands[2 * LOW];
    int32_t less[POINTS][2 * LOW]; /* the same term for every s and lower t */
};

/* Weighted starts. The totals of Banker run on beyond nine, where a row begins at the points of his third card; they
 * are folded in the end. */
struct sums {
    double by_third_card[POINTS][POINTS][LOW]; /* both draw: Player's total, Banker's third card, his first two cards */
    double player_alone[POINTS][LOW];          /* the totals of Player and Banker, as in what follows */
    double banker_alone[LOW][BEYOND];
    double both[POINTS][BEYOND];
    double nobody[POINTS * POINTS]; /* in the order of the plan */
} __attribute__((aligned(64)));

/* Small rows that turn counts of cards into M of exact.py, which does not count the card itself. */
static struct {
    int32_t doubled[POINTS][2 * LOW];   /* by a and t: 1 where 2a = t */
    int32_t of_other[POINTS][LOW][LOW]; /* by x, s and t: 1 where 2(s-x) = t, and 2 more where s = t */
    int32_t of_back[POINTS][LOW][LOW];  /* by x, s and t: 1 where 2(t-x) = s */
} constants __attribute__((aligned(64)));

__attribute__((constructor)) static void fill_constants(void) {
    for (int x = 0; x < POINTS; x++) {
        for (int t = 0; t < 2 * LOW; t++)
            constants.doubled[x][t] = t < POINTS && 2 * x % POINTS == t;
        for (int s = 0; s < LOW; s++)
            for (int t = 0; t < LOW; t++) {
                constants.of_other[x][s][t] = (2 * modulo_ten(s - x) % POINTS == t) + 2 * (s == t);
                constants.of_back[x][s][t] = 2 * modulo_ten(t - x) % POINTS == s;
            }
    }
}

static inline void add_cards(struct layout *left, int x, int number) {
    for (int place = x; place < PERIODS; place += POINTS)
        left->forward[place] += number;
    for (int place = modulo_ten(POINTS - x); place < PERIODS; place += POINTS)
        left->backward[place] += number;
}

/* Lay the cards out; returns how many there are. */
static inline int arrange(struct layout *left, const int32_t points[POINTS]) {
    int cards = 0;
    memset(left, 0, sizeof *left);
    for (int a = 0; a < POINTS; a++) {
        add_cards(left, a, points[a]);
        cards += points[a];
    }
    return cards;
}

#define PLACE_OF(member) ((int)(offsetof(struct sums, member) / sizeof(double)))

/* The place of a cell's sum, counted in doubles. */
static int place_of(const struct plan *plan, int number) {
    int player = number / 10 % 10, banker = number % 10, n = 0;
    if (number >= 300)
        return PLACE_OF(both) + player * BEYOND + banker;
    if (number >= 200)
        return PLACE_OF(player_alone) + player * LOW + banker;
    if (number >= 100)
        return PLACE_OF(banker_alone) + player * BEYOND + banker;
    while (plan->stands[n].high != (player > banker ? player : banker)
           || plan->stands[n].low != (player > banker ? banker : player))
        n++;
    return PLACE_OF(nobody) + n;
}

#define ALWAYS static inline __attribute__((always_inline))

#if defined(__x86_64__)

#define PATH(name) name##_512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")))
#define WIDTH 8
#include "exact_rows.h"

#define PATH(name) name##_256
#define TARGET __attribute__((target("avx2,fma")))
#define WIDTH 4
#define AS_REALS(from) _mm256_cvtepi32_pd(*(const __m128i_u *)(from))
#include "exact_rows.h"

#endif

#define PATH(name) name##_plain
#define TARGET
#define WIDTH 2
#include "exact_rows.h"

/* The fastest path that this processor supports: 2 for 512-bit registers, 1 for 256-bit registers, 0 for any. */
EXPORTED int32_t sabot_exact_path(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 1;
#endif
    return 0;
}

/* Who draws after this start, and the cells that can follow from it. */
static void plan_start(struct plan *plan, int s, int t, uint8_t reached[CELLS]) {
    int stands = !plan->play.player[s][t];
    if (stands && !plan->play.banker[s][t][0]) {
        if (s >= t)
            plan->stands[plan->standing++] = (struct standing){(int16_t)s, (int16_t)t};
        else if (plan->play.player[t][s] || plan->play.banker[t][s][0])
            plan->path = ANY_SIZE;
        reached[cell(0, 0, s, t)] = 1;
        return;
    }
    if (s >= LOW || t >= LOW)
        plan->path = ANY_SIZE;
    for (int x = 0; x < POINTS; x++) {
        int both = !stands && plan->play.banker[s][t][x + 1];
        for (int y = 0; y < POINTS; y++)
            reached[stands ? cell(0, 1, s, t + y) : both ? cell(1, 1, s + x, t + y) : cell(1, 0, s + x, t)] = 1;
        if (s >= LOW || t >= LOW)
            continue;
        plan->both[x][s][t] = both;
        plan->player_alone[x][s][t] = !stands && !both;
        plan->banker_alone[s][t] = stands;
        plan->player_draws[s] |= !stands && !both;
        plan->banker_draws[s] |= (uint8_t)stands;
        if (both && plan->rows <= s)
            plan->rows = s + 1;
    }
}

EXPORTED size_t sabot_exact_plan_size(void) { return sizeof(struct plan); }

/* Make a plan of a table of play, the group of each cell, and a path. */
EXPORTED void sabot_exact_plan(const struct table_of_play *play, const uint16_t group_of[CELLS], int32_t groups,
                               int32_t path, struct plan *plan) {
    uint8_t reached[CELLS] = {0};
    memset(plan, 0, sizeof *plan);
    plan->play = *play;
    plan->path = path;
    plan->groups = groups;
    for (int s = 0; s < POINTS; s++)
        for (int t = 0; t < POINTS; t++)
            plan_start(plan, s, t, reached);
    for (int group = 0; group < groups; group++) {
        for (int place = 0; place < CELLS; place++)
            if (reached[place] && group_of[place] == group) {
                plan->places[plan->reached] = plan->path == ANY_SIZE ? 0 : (int16_t)place_of(plan, place);
                plan->cells[plan->reached++] = (int16_t)place;
            }
        plan->ends[group] = (int16_t)plan->reached;
    }
}

static void sum_any(const struct plan *plan, const int32_t points[POINTS], int64_t *sums) {
    int64_t cells[CELLS];
    count_any(&plan->play, points, cells);
    for (int group = 0, n = 0; group < plan->groups; group++)
        for (sums[group] = 0; n < plan->ends[group]; n++)
            sums[group] += cells[plan->cells[n]];
}

static void sum_rows(const struct plan *plan, const int32_t points[POINTS], int64_t *groups) {
    struct sums sums;
#if defined(__x86_64__)
    if (plan->path == 2)
        count_512(plan, points, &sums);
    else if (plan->path == 1)
        count_256(plan, points, &sums);
    else
#endif
        count_plain(plan, points, &sums);
    for (int group = 0, n = 0; group < plan->groups; group++) {
        double sum = 0;
        for (; n < plan->ends[group]; n++)
            sum += ((const double *)&sums)[plan->places[n]];
        groups[group] = (int64_t)sum;
    }
}

/* Sequences by the pair of one hand: none, mixed, coloured, perfect; returns the number of cards. Cards come suit by
 * suit, spades, hearts, diamonds, clubs, from the ace to the king. */
static int64_t count_pairs(const uint8_t cards[SUITS * RANKS], int32_t points[POINTS], int64_t pairs[PAIRS]) {
    int64_t size = 0, every = 0, coloured = 0, perfect = 0;
    for (int r = 0; r < RANKS; r++) {
        int32_t s = cards[r], h = cards[RANKS + r], d = cards[2 * RANKS + r], c = cards[3 * RANKS + r];
        int32_t copies = s + h + d + c;
        points[r < 9 ? r + 1 : 0] += copies;
        size += copies;
        every += copies * (copies - 1);
        coloured += 2 * (s * c + h * d);
        perfect += s * (s - 1) + h * (h - 1) + d * (d - 1) + c * (c - 1);
    }
    int64_t rest = (size - 2) * (size - 3) * (size - 4) * (size - 5);
    pairs[0] = (size * (size - 1) - every) * rest;
    pairs[1] = (every - coloured - perfect) * rest;
    pairs[2] = coloured * rest;
    pairs[3] = perfect * rest;
    return size;
}

/* For each of so many compositions: the sequences of each group, of each pair, and of all. */
EXPORTED void sabot_exact(const uint8_t *cards, size_t compositions, const struct plan *plan, int64_t *sums) {
    for (; compositions > 0; compositions--) {
        int32_t points[POINTS] = {0};
        int64_t size = count_pairs(cards, points, sums + plan->groups);
        if (size <= ROWS_UP_TO && plan->path != ANY_SIZE)
            sum_rows(plan, points, sums);
        else
            sum_any(plan, points, sums);
        sums += plan->groups + PAIRS;
        *sums++ = size * (size - 1) * (size - 2) * (size - 3) * (size - 4) * (size - 5);
        cards += SUITS * RANKS;
    }
}
