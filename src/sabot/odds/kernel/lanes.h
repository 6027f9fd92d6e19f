/* Deals several shoes at once, one per lane of a vector; simulate.c includes this file once for each kind of processor.
 *
 * simulate.c defines LANES, the number of shoes, a multiple of four; PATH, which adds the path to each function's name;
 * TARGET, which lets the compiler use that kind of processor; and, where the processor has them, the few operations that
 * plain vector arithmetic lacks. A mask is -1 in the lanes that it selects and 0 elsewhere, as vector comparisons make
 * it. */

typedef int16_t PATH(numbers) __attribute__((vector_size(2 * LANES)));
typedef uint16_t PATH(bits) __attribute__((vector_size(2 * LANES)));
typedef uint64_t PATH(words) __attribute__((vector_size(2 * LANES)));
#define numbers PATH(numbers)
#define bits PATH(bits)
#define words PATH(words)

/* xoshiro256++, one generator for each group of four lanes. */
struct PATH(stream) {
    words state[4];
};

ALWAYS TARGET words PATH(rotated)(words w, int by) { return w << by | w >> (64 - by); }

ALWAYS TARGET bits PATH(next)(struct PATH(stream) * stream) {
    words *s = stream->state;
    words result = PATH(rotated)(s[0] + s[3], 23) + s[0], shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = PATH(rotated)(s[3], 45);
    return (bits)result;
}

ALWAYS TARGET bits PATH(high_product)(bits a, bits b) {
#ifdef HIGH_PRODUCT
    return (bits)HIGH_PRODUCT(a, b);
#else
    for (int lane = 0; lane < LANES; lane++)
        a[lane] = (uint16_t)((uint32_t)a[lane] * b[lane] >> 16);
    return a;
#endif
}

ALWAYS TARGET numbers PATH(looked_up)(numbers table[11], numbers index) {
#ifdef LOOKED_UP
    numbers entries = {0};
    for (int n = 0; n < 11; n++)
        entries[n] = table[n][0];
    return (numbers)LOOKED_UP(entries, index);
#else
    numbers found = {0};
    for (int n = 0; n < 11; n++)
        found |= table[n] & (index == (int16_t)n);
    return found;
#endif
}

/* A bit for each lane of the mask. */
ALWAYS TARGET uint32_t PATH(lanes_of)(numbers mask) {
#ifdef LANES_OF
    return LANES_OF(mask);
#else
    uint32_t lanes = 0;
    uint64_t fours[LANES / 4];
    memcpy(fours, &mask, sizeof fours);
    for (int four = 0; four < LANES / 4; four++)
        lanes |= (uint32_t)((fours[four] & 0x0008000400020001u) * 0x0001000100010001u >> 48) << 4 * four;
    return lanes;
#endif
}

struct PATH(shoes) {
    struct PATH(stream) stream;
    numbers totals[RANKS - 1]; /* how many unseen cards have this rank or a lower one */
    numbers unseen;            /* how many cards have not been seen, including those burned face down */
};

struct PATH(redrawn) {
    struct PATH(stream) stream;
    bits index;
};

/* Draw again in the lanes whose random bits would favour some cards: their group takes its next word until none does. */
static TARGET __attribute__((noinline)) struct PATH(redrawn)
    PATH(redraw)(struct PATH(stream) stream, bits index, bits low, bits unseen, uint32_t suspects) {
    for (;;) {
        uint32_t again = 0;
        for (; suspects; suspects &= suspects - 1) {
            int lane = __builtin_ctz(suspects);
            again |= (uint32_t)(low[lane] < 65536u % unseen[lane]) << lane;
        }
        if (again == 0)
            return (struct PATH(redrawn)){stream, index};
        struct PATH(stream) stepped = stream;
        bits chance = PATH(next)(&stepped);
        for (int four = 0; four < LANES / 4; four++)
            if (again >> 4 * four & 15)
                for (int n = 0; n < 4; n++)
                    stream.state[n][four] = stepped.state[n][four];
        for (suspects = again; again; again &= again - 1) {
            int lane = __builtin_ctz(again);
            uint32_t product = (uint32_t)chance[lane] * unseen[lane];
            index[lane] = (uint16_t)(product >> 16);
            low[lane] = (uint16_t)product;
        }
    }
}

/* The rank of a card drawn in each lane of the mask. Other lanes draw nothing; their entry is meaningless.
 * The card with a given index among the unseen has the lowest rank whose running total is above the index. */
ALWAYS TARGET numbers PATH(draw)(struct PATH(shoes) * shoes, numbers who) {
    bits chance = PATH(next)(&shoes->stream), unseen = (bits)shoes->unseen;
    bits drawn = PATH(high_product)(chance, unseen), low = chance * unseen;
    uint32_t suspects = PATH(lanes_of)((numbers)(low < unseen) & who);
    if (__builtin_expect(suspects != 0, 0)) {
        struct PATH(redrawn) redrawn = PATH(redraw)(shoes->stream, drawn, low, unseen, suspects);
        shoes->stream = redrawn.stream;
        drawn = redrawn.index;
    }
    numbers index = (numbers)drawn | (~who & 0x7FFF), rank = (numbers){0} + (RANKS - 1);
#pragma GCC unroll 12
    for (int k = 0; k < RANKS - 1; k++) {
#ifdef COUNT_DOWN
        COUNT_DOWN(index, shoes->totals[k], rank);
#else
        numbers below = index < shoes->totals[k];
        shoes->totals[k] += below;
        rank += below;
#endif
    }
    shoes->unseen += who;
    return rank;
}

ALWAYS TARGET numbers PATH(points)(numbers rank) {
    numbers value = rank + 1;
    return value & (value < 10);
}

ALWAYS TARGET numbers PATH(last_digit)(numbers sum) { return sum - (10 & (sum > 9)); }

static TARGET void PATH(deal_abreast)(const struct dealing *dealing, uint64_t key, uint64_t first, int in_use,
                                      uint64_t *histogram) {
    struct PATH(shoes) shoes;
    uint64_t suits_keys[LANES / 4];
    for (int four = 0; four < LANES / 4; four++) {
        uint64_t number = (first / 4 + (uint64_t)four) * WORDS_OF_FOUR;
        for (uint64_t n = 0; n < 4; n++)
            shoes.stream.state[n][four] = word_of(key, number + n);
        suits_keys[four] = word_of(key, number + SUITS_WORD);
    }

    const numbers none = {0};
    numbers active = none, rows[11];
    for (int lane = 0; lane < LANES; lane++)
        active[lane] = lane < in_use ? -1 : 0;
    for (int column = 0; column < 11; column++)
        rows[column] = none + (int16_t)dealing->banker_draws_up_to[column];
    const int16_t cards = (int16_t)(RANKS * dealing->cards_of_a_rank);
    for (int k = 0; k < RANKS - 1; k++)
        shoes.totals[k] = none + (int16_t)((k + 1) * dealing->cards_of_a_rank);
    shoes.unseen = none + cards;

    uint32_t suits[RANKS][LANES];
    for (int rank = 0; rank < RANKS; rank++)
        for (int lane = 0; lane < LANES; lane++)
            suits[rank][lane] = (uint32_t)(dealing->cards_of_a_rank / 4) * 0x04030201u;

    numbers position = none + 1, to_come = none - 1;
    if (dealing->burns_by_face_value) {
        numbers shown = PATH(points)(PATH(draw)(&shoes, active));
        position += shown + (10 & (shown == 0));
    }
    const int16_t cutting_card = (int16_t)dealing->cutting_card, after = (int16_t)dealing->coups_after_cutting_card;
    const int16_t player_draws_up_to = (int16_t)dealing->player_draws_up_to;
    const int32_t coups_a_shoe = dealing->coups_a_shoe;

    for (int32_t coup = 0; coups_a_shoe ? coup < coups_a_shoe : PATH(lanes_of)(active) != 0; coup++) {
        numbers p1 = PATH(draw)(&shoes, active), b1 = PATH(draw)(&shoes, active);
        numbers p2 = PATH(draw)(&shoes, active), b2 = PATH(draw)(&shoes, active);
        numbers player = PATH(last_digit)(PATH(points)(p1) + PATH(points)(p2));
        numbers banker = PATH(last_digit)(PATH(points)(b1) + PATH(points)(b2));

        numbers open = active & (player < 8) & (banker < 8);
        numbers player_draws = open & (player <= player_draws_up_to);
        numbers third = PATH(points)(PATH(draw)(&shoes, player_draws)) & player_draws;
        numbers column = (third + 1) & player_draws;
        numbers banker_draws = open & (banker <= PATH(looked_up)(rows, column));
        numbers sixth = PATH(points)(PATH(draw)(&shoes, banker_draws)) & banker_draws;
        player = PATH(last_digit)(player + third);
        banker = PATH(last_digit)(banker + sixth);

        numbers cell = (200 & player_draws) + (100 & banker_draws) + 10 * player + banker;
        cell = (cell & active) | (NOWHERE & ~active);
        uint16_t cells[LANES], player_ranks[LANES], banker_ranks[LANES];
        memcpy(cells, &cell, sizeof cells);
        memcpy(player_ranks, &p1, sizeof player_ranks);
        memcpy(banker_ranks, &b1, sizeof banker_ranks);
        for (uint32_t pairs = PATH(lanes_of)((p1 == p2) & active); pairs; pairs &= pairs - 1) {
            int lane = __builtin_ctz(pairs);
            uint64_t place = ((uint64_t)coup * 4 + (uint64_t)(lane % 4)) * 2;
            int kind = kind_of_pair(&suits[player_ranks[lane]][lane], suits_keys[lane / 4], place);
            cells[lane] += (uint16_t)(4 * BASIC_CELLS * kind);
        }
        for (uint32_t pairs = PATH(lanes_of)((b1 == b2) & active); pairs; pairs &= pairs - 1) {
            int lane = __builtin_ctz(pairs);
            uint64_t place = ((uint64_t)coup * 4 + (uint64_t)(lane % 4)) * 2 + 1;
            int kind = kind_of_pair(&suits[banker_ranks[lane]][lane], suits_keys[lane / 4], place);
            cells[lane] += (uint16_t)(BASIC_CELLS * kind);
        }
        for (int lane = 0; lane < LANES; lane++)
            histogram[cells[lane]]++;

        if (coups_a_shoe == 0) {
            position += (4 & active) - player_draws - banker_draws;
            numbers seen = (to_come == -1) & (position > cutting_card);
            to_come = (after & seen) | ((to_come + (to_come > -1)) & ~seen);
            active &= (to_come != 0) & (cards - position >= 6);
        }
    }
}

static TARGET void PATH(deal)(const struct dealing *dealing, uint64_t key, uint64_t first, uint64_t end,
                              uint64_t *histogram) {
    for (; first < end; first += LANES)
        PATH(deal_abreast)(dealing, key, first, end - first < LANES ? (int)(end - first) : LANES, histogram);
}

#undef numbers
#undef bits
#undef words
#undef PATH
#undef TARGET
#undef LANES
#undef HIGH_PRODUCT
#undef LOOKED_UP
#undef LANES_OF
#undef COUNT_DOWN
