/* Deals several shoes at once, one per lane of a vector; simulate.c includes this file once for each kind of
 * processor.
 *
 * simulate.c defines LANES, the number of shoes, a multiple of 16; PATH, which adds the path to each function's
 * name; TARGET, which lets the compiler use that kind of processor; and, where the processor has them, the few
 * operations that plain vector arithmetic lacks. A mask is all ones in the lanes that it selects and 0 elsewhere,
 * as vector comparisons make it.
 *
 * A lane is a byte, which cannot count the cards of a whole shoe. So a shoe is first split into piles by random
 * bits, and dealt from one pile after the other. Given the sizes of the piles their order is uniform, so a split
 * whose piles do not fit is made again without bias; and the few cards left of a pile may be mixed into the next. */

typedef uint8_t PATH(bytes) __attribute__((vector_size(LANES)));
typedef int8_t PATH(signed_bytes) __attribute__((vector_size(LANES)));
typedef uint16_t PATH(numbers) __attribute__((vector_size(LANES)));
typedef uint32_t PATH(fours) __attribute__((vector_size(LANES)));
typedef uint64_t PATH(words) __attribute__((vector_size(LANES)));
#define bytes PATH(bytes)
#define signed_bytes PATH(signed_bytes)
#define numbers PATH(numbers)
#define fours PATH(fours)
#define words PATH(words)

/* A number for each lane. Of each 16 lanes the first 8 are in the first half, the others in the second. */
struct PATH(wide) {
    numbers half[2];
};

/* SFC64, one generator for each group of four lanes. All count the same. */
struct PATH(stream) {
    words a[2], b[2], c[2], count;
};

/* 16 bits for each lane. */
ALWAYS TARGET struct PATH(wide) PATH(next)(struct PATH(stream) * stream) {
    struct PATH(wide) chance;
    for (int half = 0; half < 2; half++) {
        words b = stream->b[half], c = stream->c[half], word = stream->a[half] + b + stream->count;
        stream->a[half] = b ^ b >> 11;
        stream->b[half] = c + (c << 3);
        stream->c[half] = (c << 24 | c >> 40) + word;
        chance.half[half] = (numbers)word;
    }
    stream->count += 1;
    return chance;
}

ALWAYS TARGET numbers PATH(high_product)(numbers a, numbers b) {
#ifdef HIGH_PRODUCT
    return (numbers)HIGH_PRODUCT(a, b);
#else
    for (int n = 0; n < LANES / 2; n++)
        a[n] = (uint16_t)((uint32_t)a[n] * b[n] >> 16);
    return a;
#endif
}

ALWAYS TARGET numbers PATH(least)(numbers a, numbers b) {
#ifdef LEAST
    return (numbers)LEAST(a, b);
#else
    numbers less = (numbers)(a < b);
    return (a & less) | (b & ~less);
#endif
}

/* Numbers up to 255 as bytes. */
ALWAYS TARGET bytes PATH(packed)(struct PATH(wide) wide) {
#ifdef PACKED
    return (bytes)PACKED(wide.half[0], wide.half[1]);
#else
    bytes narrow;
    for (int lane = 0; lane < LANES; lane++)
        narrow[lane] = (uint8_t)wide.half[lane / 8 % 2][lane / 16 * 8 + lane % 8];
    return narrow;
#endif
}

/* The number high * 256 + low for each lane. */
ALWAYS TARGET struct PATH(wide) PATH(widened)(bytes low, bytes high) {
    struct PATH(wide) wide = {0};
#ifdef FIRST_HALVES
    wide.half[0] = (numbers)FIRST_HALVES(low, high);
    wide.half[1] = (numbers)SECOND_HALVES(low, high);
#else
    for (int lane = 0; lane < LANES; lane++)
        wide.half[lane / 8 % 2][lane / 16 * 8 + lane % 8] = (uint16_t)(high[lane] << 8 | low[lane]);
#endif
    return wide;
}

/* Entries of a table of 16, of which every 16 lanes have a copy; `index` is at most 15. */
ALWAYS TARGET bytes PATH(looked_up)(bytes table, bytes index) {
#ifdef LOOKED_UP
    return (bytes)LOOKED_UP(table, index);
#else
    bytes found = {0};
    for (int n = 0; n < 13; n++)
        found |= table[n] & (bytes)(index == (uint8_t)n);
    return found;
#endif
}

/* A sum of two digits less ten where it has two digits itself. */
ALWAYS TARGET bytes PATH(last_digit)(bytes sum) {
#ifdef LEAST_BYTE
    return (bytes)LEAST_BYTE(sum, sum - 10);
#else
    return sum - (10 & (bytes)(sum > 9));
#endif
}

/* A bit for each lane of the mask. */
ALWAYS TARGET uint64_t PATH(lanes_of)(bytes mask) {
#ifdef LANES_OF
    return LANES_OF(mask);
#else
    uint64_t lanes = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes |= (uint64_t)(mask[lane] & 1) << lane;
    return lanes;
#endif
}

/* Totals are kept less 128, because processors compare signed bytes. */
struct PATH(shoes) {
    struct PATH(stream) stream;
    uint64_t suits_keys[LANES / 4], again_keys[LANES / 4];
    bytes totals[RANKS - 1]; /* how many unseen cards of the pile in use have this rank or a lower one */
    bytes unseen;            /* how many cards of the pile in use have not been seen */
    bytes joined;            /* how many piles have been joined to the first one */
    bytes counts[PILES][RANKS], sizes[PILES];
};

static TARGET void PATH(seed)(struct PATH(shoes) * shoes, uint64_t key, uint64_t first) {
    for (int four = 0; four < LANES / 4; four++) {
        uint64_t number = (first / 4 + (uint64_t)four) * WORDS_OF_FOUR;
        int half = four / 2 % 2, place = four / 4 * 2 + four % 2; /* of the group's lanes among the wide numbers */
        shoes->stream.a[half][place] = word_of(key, number);
        shoes->stream.b[half][place] = word_of(key, number + 1);
        shoes->stream.c[half][place] = word_of(key, number + 2);
        shoes->suits_keys[four] = word_of(key, number + SUITS_WORD);
        shoes->again_keys[four] = word_of(key, number + AGAIN_WORD);
    }
    shoes->stream.count = (words){0} + 1;
}

ALWAYS TARGET numbers PATH(ones_of)(numbers n) {
    n -= n >> 1 & 0x5555;
    n = (n & 0x3333) + (n >> 2 & 0x3333);
    n = (n + (n >> 4)) & 0x0F0F;
    return (n + (n >> 8)) & 31;
}

/* How many cards of one rank go to each pile, by one or two random bits for each card. */
ALWAYS TARGET void PATH(split_rank)(struct PATH(shoes) * shoes, int cards_of_a_rank, int piles,
                                    struct PATH(wide) split[PILES]) {
    struct PATH(wide) of_x = {0}, of_y = {0}, of_both = {0};
    for (int cards = cards_of_a_rank; cards > 0; cards -= 16) {
        const uint16_t mask = cards < 16 ? (uint16_t)((1 << cards) - 1) : 0xFFFF;
        struct PATH(wide) x = PATH(next)(&shoes->stream), y = {0};
        if (piles == 4)
            y = PATH(next)(&shoes->stream);
        for (int half = 0; half < 2; half++) {
            of_x.half[half] += PATH(ones_of)(x.half[half] & mask);
            of_y.half[half] += PATH(ones_of)(y.half[half] & mask);
            of_both.half[half] += PATH(ones_of)(x.half[half] & y.half[half] & mask);
        }
    }
    for (int half = 0; half < 2; half++) {
        split[3].half[half] = of_both.half[half];
        split[2].half[half] = of_y.half[half] - of_both.half[half];
        split[1].half[half] = of_x.half[half] - of_both.half[half];
        split[0].half[half] = (uint16_t)cards_of_a_rank - of_x.half[half] - split[2].half[half];
    }
}

static TARGET void PATH(split)(struct PATH(shoes) * shoes, int cards_of_a_rank) {
    const int piles = RANKS * cards_of_a_rank > 8 * 52 ? 4 : 2;
    struct PATH(wide) sizes[PILES] = {0}, uneven = {0};
    for (int rank = 0; rank < RANKS; rank++) {
        struct PATH(wide) split[PILES];
        PATH(split_rank)(shoes, cards_of_a_rank, piles, split);
        for (int pile = 0; pile < PILES; pile++) {
            shoes->counts[pile][rank] = PATH(packed)(split[pile]);
            for (int half = 0; half < 2; half++)
                sizes[pile].half[half] += split[pile].half[half];
        }
    }
    for (int pile = 0; pile < PILES; pile++) {
        for (int half = 0; half < 2; half++) {
            uneven.half[half] |= (numbers)(sizes[pile].half[half] > MOST_OF_A_PILE) & 255;
            sizes[pile].half[half] &= 255;
        }
        shoes->sizes[pile] = PATH(packed)(sizes[pile]);
    }
    for (uint64_t lanes = PATH(lanes_of)(PATH(packed)(uneven)); lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctzll(lanes);
        uint8_t counts[PILES][RANKS];
        split_again(shoes->again_keys[lane / 4], lane, cards_of_a_rank, piles, counts);
        for (int pile = 0; pile < PILES; pile++) {
            shoes->sizes[pile][lane] = 0;
            for (int rank = 0; rank < RANKS; rank++) {
                shoes->counts[pile][rank][lane] = counts[pile][rank];
                shoes->sizes[pile][lane] += counts[pile][rank];
            }
        }
    }
    bytes total = {0};
    for (int k = 0; k < RANKS - 1; k++) {
        total += shoes->counts[0][k];
        shoes->totals[k] = total ^ 0x80;
    }
    shoes->unseen = shoes->sizes[0];
    shoes->joined = (bytes){0};
}

/* Where fewer cards than a coup may need are left of the piles in use, join the next pile to them. */
static TARGET __attribute__((noinline)) void PATH(join)(struct PATH(shoes) * shoes) {
    for (int pile = 1; pile < PILES; pile++) {
        bytes who = (bytes)(shoes->unseen < CARDS_OF_A_COUP) & (bytes)(shoes->joined == (uint8_t)(pile - 1));
        bytes total = {0};
        for (int k = 0; k < RANKS - 1; k++) {
            total += shoes->counts[pile][k] & who;
            shoes->totals[k] += total;
        }
        shoes->unseen += shoes->sizes[pile] & who;
        shoes->joined -= who;
    }
}

/* Draw the unfair ones among the suspects' indices again. */
static TARGET __attribute__((noinline)) void PATH(draw_again)(const struct PATH(shoes) * shoes,
                                                              const struct PATH(wide) * chances, uint64_t suspects,
                                                              int draws, int number, bytes *indices) {
    for (; suspects; suspects &= suspects - 1) {
        int lane = __builtin_ctzll(suspects), place = lane / 16 * 8 + lane % 8;
        uint32_t unseen = shoes->unseen[lane];
        for (int draw = 0; draw < draws; draw++, unseen--)
            if (is_unfair(chances[draw].half[lane / 8 % 2][place] * unseen, unseen))
                indices[draw][lane] = drawn_again(shoes->again_keys[lane / 4], lane, 8 * number + draw, unseen);
    }
}

/* The indices of `draws` cards to be drawn one after the other: bits * unseen / 65536, rounded down. Where the
 * remainder is below 65536 mod unseen, which would favour some cards, other bits are drawn. */
ALWAYS TARGET void PATH(draw_indices)(struct PATH(shoes) * shoes, bytes active, int draws, int number, bytes *indices) {
    const struct PATH(wide) most = PATH(widened)(shoes->unseen, (bytes){0});
    struct PATH(wide) unseen = most, low = {{~(numbers){0}, ~(numbers){0}}}, chances[CARDS_OF_A_COUP], suspect;
#pragma GCC unroll 6
    for (int draw = 0; draw < draws; draw++) {
        struct PATH(wide) chance = PATH(next)(&shoes->stream), index;
        for (int half = 0; half < 2; half++) {
            index.half[half] = PATH(high_product)(chance.half[half], unseen.half[half]);
            low.half[half] = PATH(least)(low.half[half], chance.half[half] * unseen.half[half]);
            unseen.half[half] -= 1;
        }
        indices[draw] = PATH(packed)(index);
        chances[draw] = chance;
    }
    for (int half = 0; half < 2; half++)
        suspect.half[half] = (numbers)(PATH(least)(low.half[half], most.half[half]) == low.half[half]) & 255;
    uint64_t lanes = PATH(lanes_of)(PATH(packed)(suspect) & active);
    if (__builtin_expect(lanes != 0, 0))
        PATH(draw_again)(shoes, chances, lanes, draws, number, indices);
}

/* Draw a card in each lane by its index among the unseen, less 128: it has the lowest rank whose running total is
 * above the index. Ranks from `ranks` on are not told apart. An index of 127 draws nothing. */
ALWAYS TARGET bytes PATH(draw)(bytes totals[RANKS - 1], bytes index, int ranks) {
    bytes rank = (bytes){0} + (uint8_t)(ranks - 1), more = {0};
#pragma GCC unroll 12
    for (int k = 0; k < RANKS - 1; k++) {
#ifdef COUNT_DOWN
        if (k < ranks - 1)
            COUNT_DOWN(index, totals[k], rank);
        else
            COUNT_DOWN(index, totals[k], more);
#else
        bytes below = (bytes)((signed_bytes)index < (signed_bytes)totals[k]);
        totals[k] += below;
        if (k < ranks - 1 && k % 2)
            rank += below;
        else if (k < ranks - 1)
            more += below;
#endif
    }
#ifdef COUNT_DOWN
    return rank;
#else
    return rank + more;
#endif
}

/* The words with these numbers of the streams with these keys: `word_of` for each lane. */
ALWAYS TARGET words PATH(words_of)(words keys, words numbers) {
    words word = keys + (numbers + 1) * GOLDEN;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
    word = (word ^ word >> 27) * 0x94D049BB133111EBu;
    return word ^ word >> 31;
}

/* The suits of some pairs: their kinds, the suits that are unseen behind them, and where the chance may be unfair. */
struct PATH(suits) {
    fours kind, unseen, doubtful;
};

/* Draw both suits of each pair by the halves of its chance, as `kind_of_pair` does. */
ALWAYS TARGET struct PATH(suits) PATH(draw_suits)(fours unseen, fours chance) {
    const fours left = unseen >> 24;
    const numbers limits = (numbers)(left | (left - 1) << 16), low = (numbers)chance * limits;
    const fours index = (fours)PATH(high_product)((numbers)chance, limits);
    const fours one = ((unseen | 0x80808080u) - ((index & 0xFFFF) + 1) * 0x01010101u) >> 7 & 0x01010101u;
    const fours rest = unseen - one;
    const fours other = ((rest | 0x80808080u) - ((index >> 16) + 1) * 0x01010101u) >> 7 & 0x01010101u;
    struct PATH(suits) suits = {
        .kind = 1 - (fours)((one + other) * 0x01010101u >> 24 == 5) - 2 * (fours)(one == other),
        .unseen = rest - other,
        .doubtful = (fours)(numbers)(PATH(least)(low, limits) == low),
    };
    return suits;
}

#ifdef COMPRESSED
#include "pairs_compressed.h"
#else
#include "pairs.h"
#endif

static TARGET __attribute__((noinline)) void PATH(count_codes)(const struct PATH(coups) * coups, int number,
                                                               struct tally *tally) {
    const uint16_t *codes = (const uint16_t *)coups->codes;
    for (int coup = 0; coup < number; coup++)
        for (int n = 0; n < LANES; n += 4)
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++)
                tally->codes[k][codes[coup * LANES + n + k]]++;
}

static TARGET void PATH(deal_abreast)(const struct dealing *dealing, uint64_t key, uint64_t first, int in_use,
                                      struct tally *tally) {
    struct PATH(shoes) shoes;
    struct PATH(coups) coups;
    const bytes none = {0};
    const int cards = RANKS * dealing->cards_of_a_rank;
    PATH(seed)(&shoes, key, first);
    PATH(split)(&shoes, dealing->cards_of_a_rank);

    bytes active = none, points = none, rows = none, indices[CARDS_OF_A_COUP];
    for (int lane = 0; lane < LANES; lane++) {
        active[lane] = lane < in_use ? 255 : 0;
        points[lane] = lane % 16 < 9 ? (uint8_t)(lane % 16 + 1) : 0;
        rows[lane] = lane % 16 < 11 ? (uint8_t)dealing->banker_draws_up_to[lane % 16] : 0;
    }
    bytes totals[RANKS - 1];
    struct PATH(wide) position = PATH(widened)(none + 1, none);
    bytes to_come = none - 1;
    PATH(join)(&shoes);
    memcpy(totals, shoes.totals, sizeof totals);
    if (dealing->burns_by_face_value) {
        PATH(draw_indices)(&shoes, active, 1, 0, indices);
        bytes shown = PATH(looked_up)(points, PATH(draw)(totals, indices[0] ^ 0x80, RANKS));
        shoes.unseen += active;
        shown += 10 & (bytes)(shown == 0);
        struct PATH(wide) burned = PATH(widened)(shown, none);
        for (int half = 0; half < 2; half++)
            position.half[half] += burned.half[half];
    }
    const uint16_t cutting_card = (uint16_t)dealing->cutting_card;
    const uint8_t after = (uint8_t)dealing->coups_after_cutting_card;
    const uint8_t player_draws_up_to = (uint8_t)dealing->player_draws_up_to;
    const int32_t coups_a_shoe = dealing->coups_a_shoe;

    int coup = 0;
    for (; coups_a_shoe ? coup < coups_a_shoe : PATH(lanes_of)(active) != 0; coup++) {
        if (PATH(lanes_of)((bytes)(shoes.unseen < CARDS_OF_A_COUP) & active)) {
            memcpy(shoes.totals, totals, sizeof totals);
            PATH(join)(&shoes);
            memcpy(totals, shoes.totals, sizeof totals);
        }
        PATH(draw_indices)(&shoes, active, CARDS_OF_A_COUP, coup + 1, indices);
        bytes p1 = PATH(draw)(totals, indices[0] ^ 0x80, RANKS), b1 = PATH(draw)(totals, indices[1] ^ 0x80, RANKS);
        bytes p2 = PATH(draw)(totals, indices[2] ^ 0x80, RANKS), b2 = PATH(draw)(totals, indices[3] ^ 0x80, RANKS);
        bytes player = PATH(last_digit)(PATH(looked_up)(points, p1) + PATH(looked_up)(points, p2));
        bytes banker = PATH(last_digit)(PATH(looked_up)(points, b1) + PATH(looked_up)(points, b2));

        bytes open = active & (bytes)((signed_bytes)player < 8) & (bytes)((signed_bytes)banker < 8);
        bytes player_draws = open & (bytes)((signed_bytes)player <= (int8_t)player_draws_up_to);
        bytes at_once = open & ~player_draws & (bytes)((signed_bytes)banker <= (int8_t)rows[0]);
        bytes fifth = PATH(looked_up)(points, PATH(draw)(totals, (indices[4] | ~(player_draws | at_once)) ^ 0x80, 10));
        bytes row = PATH(looked_up)(rows, fifth + 1);
        bytes then = player_draws & (bytes)((signed_bytes)banker <= (signed_bytes)row);
        bytes sixth = PATH(looked_up)(points, PATH(draw)(totals, (indices[5] | ~then) ^ 0x80, 10));
        bytes banker_draws = at_once | then;
        player = PATH(last_digit)(player + (fifth & player_draws));
        banker = PATH(last_digit)(banker + (fifth & at_once) + (sixth & then));

        bytes player_pair = (bytes)(p1 == p2) & active, banker_pair = (bytes)(b1 == b2) & active;
        bytes other = (player_pair | banker_pair | ~active) & OTHER;
        bytes flags = (player_draws & 2) | (banker_draws & 1) | other;
        bytes twice = player + player, code = banker + twice + twice + twice + twice + twice;
        const bytes ranks[2] = {p1, b1}, pairs[2] = {player_pair, banker_pair};
        PATH(note_pairs)(&coups, coup, ranks, pairs, code, flags & 3);
        coups.codes[coup] = PATH(widened)(code, flags);

        bytes used = (4 & active) - player_draws - banker_draws;
        shoes.unseen -= used;
        if (coups_a_shoe == 0) {
            struct PATH(wide) more = PATH(widened)(used, none), beyond, enough;
            for (int half = 0; half < 2; half++) {
                position.half[half] += more.half[half];
                beyond.half[half] = (numbers)(position.half[half] > cutting_card) & 255;
                enough.half[half] = (numbers)(position.half[half] <= (uint16_t)(cards - CARDS_OF_A_COUP)) & 255;
            }
            bytes seen = (bytes)(to_come == 255) & PATH(packed)(beyond);
            to_come = (after & seen) | ((to_come + (bytes)(to_come != 255)) & ~seen);
            active &= (bytes)(to_come != 0) & PATH(packed)(enough);
        }
    }
    PATH(count_codes)(&coups, coup, tally);
    PATH(count_pairs)(&shoes, &coups, coup, dealing->cards_of_a_rank, tally);
}

static TARGET void PATH(deal)(const struct dealing *dealing, uint64_t key, uint64_t first, uint64_t end,
                              struct tally *tally) {
    for (; first < end; first += LANES)
        PATH(deal_abreast)(dealing, key, first, end - first < LANES ? (int)(end - first) : LANES, tally);
}

#undef bytes
#undef signed_bytes
#undef numbers
#undef fours
#undef words
#undef PATH
#undef TARGET
#undef LANES
#undef HIGH_PRODUCT
#undef LEAST
#undef LEAST_BYTE
#undef PACKED
#undef FIRST_HALVES
#undef SECOND_HALVES
#undef LOOKED_UP
#undef LANES_OF
#undef GATHERED
#undef COMPRESSED
#undef COUNT_DOWN
