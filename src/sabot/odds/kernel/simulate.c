/* Simulated shoes, several at once, one per lane. docs/odds.md describes the method; simulated_arrays.py is the same in
 * NumPy and tests/odds/plain_shoes.py the same card by card. All three give the same histogram for the same seed.
 *
 * Nothing is shuffled beforehand: each card is drawn when it is due, from the ranks not seen yet, which is equivalent to
 * a shuffle. Suits matter only for the kind of a pair, so they are drawn only for a pair.
 *
 * Four shoes share a random generator, whose 64-bit word holds 16 bits for each. A shoe depends only on its group of
 * four, so the number of lanes does not matter. */

#include "kernel.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    RANKS = 13,               /* ace, two to nine, ten, jack, queen, king */
    BASIC_CELLS = 400,        /* whether Player drew, whether Banker drew, Player's total, Banker's total */
    CELLS = 16 * BASIC_CELLS, /* the same for each kind of pair of Player and of Banker */
    NOWHERE = CELLS,          /* counts lanes whose shoe is over */
    WORDS_OF_FOUR = 8,        /* words reserved for each group of four shoes */
    SUITS_WORD = 4,           /* the first four words seed the generator; this one keys the suits */
};

/* The dealing procedure of a rule set with the table of play; simulated_kernel.py fills it in. */
struct dealing {
    int32_t cards_of_a_rank;
    int32_t burns_by_face_value;
    int32_t cutting_card; /* how many cards lie in front of it */
    int32_t coups_after_cutting_card;
    int32_t coups_a_shoe; /* 0 where the cutting card decides */
    int32_t player_draws_up_to;
    int32_t banker_draws_up_to[11]; /* by Player's third card: none, then 0 to 9 */
};

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

/* SplitMix64 with random access: `word_of` is word number n of the stream with this key. */
static inline uint64_t mixed(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static inline uint64_t word_of(uint64_t key, uint64_t n) { return mixed(key + (n + 1) * GOLDEN); }

/* Draw a suit by its index. `unseen` has the unseen cards of each suit as running totals in the bytes of a word. */
static inline int draw_suit(uint32_t *unseen, uint32_t index) {
    uint32_t beyond = ((*unseen | 0x80808080u) - (index + 1) * 0x01010101u) & 0x80808080u;
    *unseen -= beyond >> 7;
    return 4 - __builtin_popcount(beyond);
}

/* An index below `limit` from 32 random bits, or -1 for the few values that would favour some indices. */
static inline int64_t index_below(uint32_t limit, uint32_t chance) {
    uint64_t product = (uint64_t)limit * chance;
    uint32_t low = (uint32_t)product;
    return low < limit && low < -limit % limit ? -1 : (int64_t)(product >> 32);
}

/* The kind of a pair: 1 mixed, 2 coloured, 3 perfect. The numbers of two suits of one colour add up to three. */
static inline int kind_of_pair(uint32_t *unseen, uint64_t key, uint64_t place) {
    uint32_t left = *unseen >> 24;
    for (uint64_t attempt = 0;; attempt++) {
        uint64_t chance = word_of(key, attempt << 32 | place);
        int64_t first = index_below(left, (uint32_t)(chance >> 32)), second = index_below(left - 1, (uint32_t)chance);
        if (first < 0 || second < 0)
            continue;
        int one = draw_suit(unseen, (uint32_t)first), other = draw_suit(unseen, (uint32_t)second);
        return one == other ? 3 : one + other == 3 ? 2 : 1;
    }
}

#define ALWAYS static inline __attribute__((always_inline))

#if defined(__x86_64__)

#define PATH(name) name##_512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2,popcnt")))
#define LANES 32
#define HIGH_PRODUCT(a, b) _mm512_mulhi_epu16((__m512i)(a), (__m512i)(b))
#define LOOKED_UP(table, index) _mm512_permutexvar_epi16((__m512i)(index), (__m512i)(table))
#define LANES_OF(mask) _mm512_movepi16_mask((__m512i)(mask))
#define COUNT_DOWN(index, total, rank)                                                                                  \
    do {                                                                                                               \
        __mmask32 below = _mm512_cmplt_epi16_mask((__m512i)(index), (__m512i)(total));                                 \
        total = (PATH(numbers))_mm512_mask_sub_epi16((__m512i)(total), below, (__m512i)(total), _mm512_set1_epi16(1)); \
        rank = (PATH(numbers))_mm512_mask_sub_epi16((__m512i)(rank), below, (__m512i)(rank), _mm512_set1_epi16(1));    \
    } while (0)
#include "lanes.h"

#define PATH(name) name##_256
#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define LANES 16
#define HIGH_PRODUCT(a, b) _mm256_mulhi_epu16((__m256i)(a), (__m256i)(b))
#include "lanes.h"

#define PATH(name) name##_plain
#define TARGET
#define LANES 8
#define HIGH_PRODUCT(a, b) _mm_mulhi_epu16((__m128i)(a), (__m128i)(b))
#include "lanes.h"

#else

#define PATH(name) name##_plain
#define TARGET
#define LANES 8
#include "lanes.h"

#endif

/* The fastest path that this processor supports: 2 for 512-bit registers, 1 for 256-bit registers, 0 for any. */
EXPORTED int32_t sabot_simulate_path(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return 1;
#endif
    return 0;
}

/* Deal so many shoes from number `first`, a multiple of 4, and add their coups to the histogram. */
EXPORTED void sabot_simulate(const struct dealing *dealing, uint64_t seed, uint64_t first, uint64_t shoes, int32_t path,
                             uint64_t histogram[CELLS + 1]) {
    const uint64_t key = mixed(seed), end = first + shoes;
#if defined(__x86_64__)
    if (path == 2)
        deal_512(dealing, key, first, end, histogram);
    else if (path == 1)
        deal_256(dealing, key, first, end, histogram);
    else
#endif
        deal_plain(dealing, key, first, end, histogram);
    (void)path; /* Other processors have only the plain path. */
}
