/* Simulated shoes, several at once, one per lane. docs/odds.md describes the method; simulated_arrays.py is the same in
 * NumPy and tests/odds/plain_shoes.py the same card by card. All three give the same histogram for the same seed.
 *
 * Nothing is shuffled beforehand: each card is drawn when it is due, from the ranks not seen yet, which is equivalent
 * to a shuffle. Suits matter only for the kind of a pair, so they are drawn only for a pair.
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
    CARDS_OF_A_COUP = 6,      /* that it may need */
    MOST_COUPS = 160,         /* of a shoe, which has at most 12 decks */
    LIST = 8 * MOST_COUPS + 16, /* pairs of four shoes, with space for reading and writing beyond them */
    PILES = 4,                /* that a shoe may be split into */
    MOST_OF_A_PILE = 250,     /* so that a byte can count a pile and the cards left of the one before */
    BASIC_CELLS = 400,        /* whether Player drew, whether Banker drew, Player's total, Banker's total */
    CELLS = 16 * BASIC_CELLS, /* the same for each kind of pair of Player and of Banker */
    WORDS_OF_FOUR = 8,        /* words reserved for each group of four shoes; the first three seed its generator */
    SUITS_WORD = 4,           /* keys the suits of pairs */
    AGAIN_WORD = 5,           /* keys what is drawn again */
    SPLIT_PLACE = 0x8000,     /* beyond the places of cards */
    OTHER = 4,                /* in a code: the coup has a pair, or the shoe is over */
    CODES = 8 * 256,          /* who drew and OTHER, then ten times Player's total plus Banker's */
    NO_CODE = 255,            /* that no coup has */
    DREW_SHIFT = 4,           /* in the byte of a pair's rank: who drew, and the hand */
    HAND_SHIFT = 6,
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

typedef uint16_t eight __attribute__((vector_size(16)));

/* Coups without a pair by their code, four times over, because the same count is slow to change twice in a row; coups
 * with a pair by the kinds of both hands and the code. */
struct tally {
    uint32_t codes[4][CODES];
    uint32_t pairs[16 * 1024];
    eight listed[256]; /* the pairs of a group of four, by a bit for each Player and then for each Banker */
};

#define ALWAYS static inline __attribute__((always_inline))
/* What was stored as a vector is read from memory, which is quicker than taking it out of the vector. */
#define FROM_MEMORY __asm__ volatile("" : : : "memory")
#define RARE static __attribute__((noinline, cold))

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

/* SplitMix64 with random access: `word_of` is word number n of the stream with this key. */
ALWAYS uint64_t mixed(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

ALWAYS uint64_t word_of(uint64_t key, uint64_t n) { return mixed(key + (n + 1) * GOLDEN); }

/* The word of one of four shoes for a place of that shoe. */
ALWAYS uint64_t word_at(uint64_t key, int lane, int place, uint64_t attempt) {
    return word_of(key, attempt << 32 | (uint64_t)(lane % 4) << 16 | (uint64_t)place);
}

/* Whether the low half of bits * n would favour some indices. */
ALWAYS int is_unfair(uint32_t product, uint32_t n) { return (product & 0xFFFF) < 65536 % n; }

/* An index below n, from the first 16 bits of the place that are fair. */
RARE uint8_t drawn_again(uint64_t key, int lane, int place, uint32_t n) {
    for (uint64_t attempt = 0;; attempt++) {
        uint32_t product = (uint32_t)(word_at(key, lane, place, attempt) >> 48) * n;
        if (!is_unfair(product, n))
            return (uint8_t)(product >> 16);
    }
}

/* The piles of a shoe with a pile of too many cards: split again until none has. */
RARE void split_again(uint64_t key, int lane, int cards_of_a_rank, int piles, uint8_t counts[PILES][RANKS]) {
    const uint64_t mask = ((uint64_t)1 << cards_of_a_rank) - 1;
    int most = MOST_OF_A_PILE + 1;
    for (uint64_t attempt = 0; most > MOST_OF_A_PILE; attempt++) {
        int sizes[PILES] = {0};
        for (int rank = 0; rank < RANKS; rank++) {
            uint64_t x = word_at(key, lane, SPLIT_PLACE | rank << 1, attempt) & mask;
            uint64_t y = piles == 4 ? word_at(key, lane, SPLIT_PLACE | rank << 1 | 1, attempt) & mask : 0;
            int of_x = __builtin_popcountll(x), of_y = __builtin_popcountll(y), of_both = __builtin_popcountll(x & y);
            int split[PILES] = {cards_of_a_rank - of_x - of_y + of_both, of_x - of_both, of_y - of_both, of_both};
            for (int pile = 0; pile < PILES; pile++) {
                counts[pile][rank] = (uint8_t)split[pile];
                sizes[pile] += split[pile];
            }
        }
        most = 0;
        for (int pile = 0; pile < PILES; pile++)
            most = sizes[pile] > most ? sizes[pile] : most;
    }
}

/* Draw a suit by its index. `unseen` has the unseen cards of each suit as running totals in the bytes of a word. The
 * result has a one in each byte from that suit on. */
ALWAYS uint32_t draw_suit(uint32_t *unseen, uint32_t index) {
    uint32_t from = ((*unseen | 0x80808080u) - (index + 1) * 0x01010101u) >> 7 & 0x01010101u;
    *unseen -= from;
    return from;
}

/* The kind of a pair: 1 mixed, 2 coloured, 3 perfect. The numbers of two suits of one colour add up to three. */
RARE uint32_t kind_of_pair(uint32_t *unseen, uint64_t key, int lane, int place) {
    const uint32_t left = *unseen >> 24;
    for (uint64_t attempt = 0;; attempt++) {
        uint64_t word = word_at(key, lane, place, attempt);
        uint32_t first = (uint32_t)(word >> 32 & 0xFFFF) * left, second = (uint32_t)(word >> 48) * (left - 1);
        if (is_unfair(first, left) || is_unfair(second, left - 1))
            continue;
        uint32_t one = draw_suit(unseen, first >> 16), other = draw_suit(unseen, second >> 16);
        return 1 + ((one + other) * 0x01010101u >> 24 == 5) + 2 * (one == other);
    }
}

static void begin(struct tally *tally) {
    memset(tally, 0, sizeof *tally);
    for (int which = 0; which < 256; which++)
        for (int bit = 0, n = 0; bit < 8; bit++)
            if (which >> bit & 1)
                tally->listed[which][n++] = (uint16_t)bit;
}

#if defined(__x86_64__)

#define PATH(name) name##_512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi2,avx2,bmi,bmi2,popcnt")))
#define LANES 64
#define HIGH_PRODUCT(a, b) _mm512_mulhi_epu16((__m512i)(a), (__m512i)(b))
#define LEAST(a, b) _mm512_min_epu16((__m512i)(a), (__m512i)(b))
#define LEAST_BYTE(a, b) _mm512_min_epu8((__m512i)(a), (__m512i)(b))
#define PACKED(a, b) _mm512_packus_epi16((__m512i)(a), (__m512i)(b))
#define FIRST_HALVES(a, b) _mm512_unpacklo_epi8((__m512i)(a), (__m512i)(b))
#define SECOND_HALVES(a, b) _mm512_unpackhi_epi8((__m512i)(a), (__m512i)(b))
#define LOOKED_UP(table, index) _mm512_shuffle_epi8((__m512i)(table), (__m512i)(index))
#define COMPRESSED(mask, lanes) ((PATH(bytes))_mm512_maskz_compress_epi8(mask, (__m512i)(lanes)))
#define LANES_OF(mask) ((uint64_t)_mm512_movepi8_mask((__m512i)(mask)))
#define COUNT_DOWN(index, total, rank)                                                                             \
    do {                                                                                                           \
        __mmask64 below = _mm512_cmplt_epi8_mask((__m512i)(index), (__m512i)(total));                              \
        total = (PATH(bytes))_mm512_mask_sub_epi8((__m512i)(total), below, (__m512i)(total), _mm512_set1_epi8(1)); \
        rank = (PATH(bytes))_mm512_mask_sub_epi8((__m512i)(rank), below, (__m512i)(rank), _mm512_set1_epi8(1));    \
    } while (0)
#include "lanes.h"

/* There are fewer registers here than values, so the compiler had better put instructions in another order first. */
#pragma GCC push_options
#pragma GCC optimize("schedule-insns", "sched-pressure")
#define PATH(name) name##_256
#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define LANES 32
#define HIGH_PRODUCT(a, b) _mm256_mulhi_epu16((__m256i)(a), (__m256i)(b))
#define LEAST(a, b) _mm256_min_epu16((__m256i)(a), (__m256i)(b))
#define LEAST_BYTE(a, b) _mm256_min_epu8((__m256i)(a), (__m256i)(b))
#define PACKED(a, b) _mm256_packus_epi16((__m256i)(a), (__m256i)(b))
#define FIRST_HALVES(a, b) _mm256_unpacklo_epi8((__m256i)(a), (__m256i)(b))
#define SECOND_HALVES(a, b) _mm256_unpackhi_epi8((__m256i)(a), (__m256i)(b))
#define LOOKED_UP(table, index) _mm256_shuffle_epi8((__m256i)(table), (__m256i)(index))
#define GATHERED(base, place) _mm256_i32gather_epi32((const int *)(base), (__m256i)(place), 1)
#define LANES_OF(mask) ((uint64_t)(uint32_t)_mm256_movemask_epi8((__m256i)(mask)))
#include "lanes.h"
#pragma GCC pop_options

#define PATH(name) name##_plain
#define TARGET
#define LANES 16
#define HIGH_PRODUCT(a, b) _mm_mulhi_epu16((__m128i)(a), (__m128i)(b))
#define LEAST_BYTE(a, b) _mm_min_epu8((__m128i)(a), (__m128i)(b))
#define PACKED(a, b) _mm_packus_epi16((__m128i)(a), (__m128i)(b))
#define FIRST_HALVES(a, b) _mm_unpacklo_epi8((__m128i)(a), (__m128i)(b))
#define SECOND_HALVES(a, b) _mm_unpackhi_epi8((__m128i)(a), (__m128i)(b))
#define LANES_OF(mask) ((uint64_t)(uint32_t)_mm_movemask_epi8((__m128i)(mask)))
#include "lanes.h"

#else

#define PATH(name) name##_plain
#define TARGET
#define LANES 16
#include "lanes.h"

#endif

/* The fastest path that this processor supports: 2 for 512-bit registers, 1 for 256-bit registers, 0 for any. */
EXPORTED int32_t sabot_simulate_path(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vbmi2"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return 1;
#endif
    return 0;
}

/* Deal so many shoes from number `first`, a multiple of 4, and add their coups to the histogram. At most 2^24 shoes, so
 * that no count of a code overflows. */
EXPORTED void sabot_simulate(const struct dealing *dealing, uint64_t seed, uint64_t first, uint64_t shoes, int32_t path,
                             uint64_t histogram[CELLS]) {
    const uint64_t key = mixed(seed), end = first + shoes;
    struct tally tally;
    begin(&tally);
#if defined(__x86_64__)
    if (path == 2)
        deal_512(dealing, key, first, end, &tally);
    else if (path == 1)
        deal_256(dealing, key, first, end, &tally);
    else
#endif
        deal_plain(dealing, key, first, end, &tally);
    (void)path; /* Other processors have only the plain path. */
    for (int cell = 0; cell < CELLS; cell++) {
        int code = cell % BASIC_CELLS / 100 * 256 + cell % 100;
        histogram[cell] += tally.pairs[cell / BASIC_CELLS * 1024 + code];
        for (int n = 0; n < 4; n++)
            histogram[cell] += cell < BASIC_CELLS ? tally.codes[n][code] : 0;
    }
}
