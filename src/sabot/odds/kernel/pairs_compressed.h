/* Draws the suits of pairs where the processor moves the lanes with a pair to the front of a vector (AVX-512 VBMI2);
 * lanes.h includes this file there instead of pairs.h.
 *
 * All pairs stand in one list in the order in which they came, in each coup those of Player before those of Banker.
 * They are settled sixteen at a time. */

typedef uint8_t PATH(listed)[2 * LANES * MOST_COUPS + LANES];

/* The coups of shoes dealt together, and their pairs: the lane, the coup, the lower byte of its code, and in one byte
 * the rank, who drew and the hand. The kinds are written when the pairs are settled. */
struct PATH(coups) {
    struct PATH(wide) codes[MOST_COUPS + 1];
    uint64_t lanes[MOST_COUPS][2]; /* that have a pair, by hand */
    uint32_t ends[MOST_COUPS];     /* how many pairs there are up to this coup */
    PATH(listed) lane, coup, code, rank, kind;
};

/* As many as fit are written, and the list grows by the pairs that there are. */
ALWAYS TARGET void PATH(note_pairs)(struct PATH(coups) * coups, int coup, const bytes ranks[2], const bytes pairs[2],
                                    bytes code, bytes drew) {
    const bytes here = (bytes){0} + (uint8_t)coup;
    uint32_t end = coup ? coups->ends[coup - 1] : 0;
    bytes lane;
    for (int n = 0; n < LANES; n++)
        lane[n] = (uint8_t)n;
    for (int hand = 0; hand < 2; hand++) {
        const uint64_t which = PATH(lanes_of)(pairs[hand]);
        const bytes rank = ranks[hand] | drew << DREW_SHIFT | (uint8_t)(hand << HAND_SHIFT);
        const bytes first[3] = {COMPRESSED(which, lane), COMPRESSED(which, code), COMPRESSED(which, rank)};
        memcpy(coups->lane + end, &first[0], LANES);
        memcpy(coups->code + end, &first[1], LANES);
        memcpy(coups->rank + end, &first[2], LANES);
        memcpy(coups->coup + end, &here, LANES);
        coups->lanes[coup][hand] = which;
        end += (uint32_t)__builtin_popcountll(which);
    }
    coups->ends[coup] = end;
}

/* Sixteen bytes as 32-bit numbers. */
ALWAYS TARGET fours PATH(sixteen)(const uint8_t *from) {
    return (fours)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)from));
}

/* The upper 32 bits of the words of suits for these places of these lanes. */
ALWAYS TARGET fours PATH(suits_words)(const words keys[2], fours lane, fours place) {
    const fours four = lane >> 2, number = (lane & 3) << 16 | place;
    const words group[2] = {(words)four, (words)four >> 32};
    words chance[2] = {(words)number & 0xFFFFFFFF, (words)number >> 32};
    for (int odd = 0; odd < 2; odd++)
        chance[odd] = PATH(words_of)(
            (words)_mm512_permutex2var_epi64((__m512i)keys[0], (__m512i)group[odd], (__m512i)keys[1]), chance[odd]);
    return (fours)(chance[0] >> 32 | (chance[1] & 0xFFFFFFFF00000000u));
}

/* Draw the suits of the pairs from number `first` on that are `live`, and count their coups as if the other hand were
 * no pair. A pair waits for an earlier one of its rank in its shoe. What is not live is written where nobody reads it. */
ALWAYS TARGET void PATH(settle_sixteen)(const struct PATH(shoes) * shoes, struct PATH(coups) * coups, uint32_t first,
                                        __mmask16 live, const words keys[2], uint32_t *suits, struct tally *tally) {
    const fours lane = PATH(sixteen)(coups->lane + first), rank = PATH(sixteen)(coups->rank + first);
    const fours hand = rank >> HAND_SHIFT, place = PATH(sixteen)(coups->coup + first) << 1 | hand;
    const fours code = (rank >> DREW_SHIFT & 3) << 8 | PATH(sixteen)(coups->code + first);
    const fours chance = PATH(suits_words)(keys, lane, place), slot = lane << 4 | (rank & 15);
    const __m512i earlier = _mm512_conflict_epi32((__m512i)slot), unread = _mm512_set1_epi32(0x04030201);
    fours kinds = {0}, nowhere;
    for (int n = 0; n < 16; n++)
        nowhere[n] = (uint32_t)(LANES * 16 + n);
    for (__mmask16 waiting = live, now; waiting; waiting &= (__mmask16)~now) {
        now = waiting & (__mmask16)~_mm512_test_epi32_mask(earlier, _mm512_set1_epi32(waiting));
        const fours unseen = (fours)_mm512_mask_i32gather_epi32(unread, now, (__m512i)slot, suits, 4);
        struct PATH(suits) drawn = PATH(draw_suits)(unseen, chance);
        for (uint32_t rare = _mm512_mask_test_epi32_mask(now, (__m512i)drawn.doubtful, (__m512i)drawn.doubtful);
             __builtin_expect(rare != 0, 0); rare &= rare - 1) {
            int n = __builtin_ctz(rare);
            uint32_t then = unseen[n];
            drawn.kind[n] = kind_of_pair(&then, shoes->suits_keys[lane[n] / 4], (int)lane[n], (int)place[n]);
            drawn.unseen[n] = then;
        }
        kinds = (fours)_mm512_mask_mov_epi32((__m512i)kinds, now, (__m512i)drawn.kind);
        const fours to = (fours)_mm512_mask_mov_epi32((__m512i)nowhere, now, (__m512i)slot);
        const uint32_t *place_of = (const uint32_t *)&to, *unseen_of = (const uint32_t *)&drawn.unseen;
        FROM_MEMORY;
#pragma GCC unroll 16
        for (int n = 0; n < 16; n++)
            suits[place_of[n]] = unseen_of[n];
    }
    _mm_storeu_si128((__m128i *)(coups->kind + first), _mm512_cvtepi32_epi8((__m512i)kinds));
    const fours cell = (kinds << (12 - 2 * hand)) + code;
    const fours counted = (fours)_mm512_mask_mov_epi32(_mm512_set1_epi32(NO_CODE), live, (__m512i)cell);
    const uint32_t *cell_of = (const uint32_t *)&counted;
    FROM_MEMORY;
#pragma GCC unroll 16
    for (int n = 0; n < 16; n++)
        tally->pairs[cell_of[n]]++;
}

static TARGET __attribute__((noinline)) void PATH(settle_pairs)(const struct PATH(shoes) * shoes,
                                                                struct PATH(coups) * coups, int number,
                                                                int cards_of_a_rank, struct tally *tally) {
    uint32_t suits[LANES * 16 + 16], n = 0;
    const uint32_t end = number ? coups->ends[number - 1] : 0;
    words keys[2];
    for (int slot = 0; slot < LANES * 16 + 16; slot++)
        suits[slot] = (uint32_t)(cards_of_a_rank / 4) * 0x04030201u;
    for (int four = 0; four < LANES / 4; four++)
        keys[four / 8][four % 8] = shoes->suits_keys[four];
    for (; n + 16 <= end; n += 16)
        PATH(settle_sixteen)(shoes, coups, n, 0xFFFF, keys, suits, tally);
    if (n < end)
        PATH(settle_sixteen)(shoes, coups, n, (__mmask16)((1u << (end - n)) - 1), keys, suits, tally);
}

/* Count the coups in which both hands are pairs as such. */
static TARGET __attribute__((noinline)) void PATH(count_double_pairs)(const struct PATH(coups) * coups, int number,
                                                                      struct tally *tally) {
    for (int coup = 0; coup < number; coup++) {
        const uint64_t of_player = coups->lanes[coup][0], of_banker = coups->lanes[coup][1];
        for (uint64_t lanes = of_player & of_banker; lanes; lanes &= lanes - 1) {
            const uint64_t from = ~((lanes & -lanes) - 1); /* counted from the end of the coup's pairs */
            uint32_t end = coups->ends[coup], other = end - (uint32_t)__builtin_popcountll(of_banker & from);
            uint32_t middle = end - (uint32_t)__builtin_popcountll(of_banker);
            uint32_t one = middle - (uint32_t)__builtin_popcountll(of_player & from);
            int player = 4 * coups->kind[one], banker = coups->kind[other];
            int code = (coups->rank[one] >> DREW_SHIFT & 3) << 8 | coups->code[one];
            tally->pairs[player * 1024 + code]--;
            tally->pairs[banker * 1024 + code]--;
            tally->pairs[(player + banker) * 1024 + code]++;
        }
    }
}

static TARGET void PATH(count_pairs)(const struct PATH(shoes) * shoes, struct PATH(coups) * coups, int number,
                                     int cards_of_a_rank, struct tally *tally) {
    PATH(settle_pairs)(shoes, coups, number, cards_of_a_rank, tally);
    PATH(count_double_pairs)(coups, number, tally);
}
