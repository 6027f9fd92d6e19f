/* Draws the suits of the pairs of shoes dealt abreast; lanes.h includes this file once for each kind of processor that
 * has no use for pairs_compressed.h. */

/* The coups of shoes dealt together, and their pairs. Each group of four shoes has a list of its pairs in the order
 * in which they came: the coup, the hand, and the lane in the group. */
struct PATH(coups) {
    bytes ranks[MOST_COUPS + 1][2];       /* of each hand's first card, and later the kinds of pairs */
    struct PATH(wide) codes[MOST_COUPS + 1];
    uint64_t lanes[MOST_COUPS][2];        /* that have a pair, by hand */
    uint16_t lists[LANES / 4][LIST];
    uint32_t lengths[LANES / 4];
};

ALWAYS TARGET void PATH(note_pairs)(struct PATH(coups) * coups, int coup, const bytes ranks[2], const bytes pairs[2],
                                    bytes code, bytes drew) {
    (void)code, (void)drew; /* They are read from the codes. */
    for (int hand = 0; hand < 2; hand++) {
        coups->ranks[coup][hand] = ranks[hand];
        coups->lanes[coup][hand] = PATH(lanes_of)(pairs[hand]);
    }
}

/* List the pairs without a branch: all that a group of four may have in one coup are written, and the list grows by
 * those that there are. */
static TARGET __attribute__((noinline)) void PATH(list_pairs)(struct PATH(coups) * coups, int number,
                                                              const struct tally *tally) {
    uint16_t *ends[LANES / 4];
    for (int four = 0; four < LANES / 4; four++)
        ends[four] = coups->lists[four];
    for (int coup = 0; coup < number; coup++) {
        const uint64_t of_player = coups->lanes[coup][0], of_banker = coups->lanes[coup][1];
        const eight here = (eight){0} + (uint16_t)(coup << 3);
#pragma GCC unroll 16
        for (int four = 0; four < LANES / 4; four++) {
            unsigned which = (of_player >> 4 * four & 15) | (of_banker >> 4 * four & 15) << 4;
            eight listed = tally->listed[which] + here;
            memcpy(ends[four], &listed, sizeof listed);
            ends[four] += __builtin_popcount(which);
        }
    }
    for (int four = 0; four < LANES / 4; four++)
        coups->lengths[four] = (uint32_t)(ends[four] - coups->lists[four]);
}

/* The 32-bit words at these places. */
ALWAYS TARGET fours PATH(gathered)(const void *words_in_memory, fours place) {
#ifdef GATHERED
    return (fours)GATHERED(words_in_memory, place);
#else
    fours found;
    for (int four = 0; four < LANES / 4; four++) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)words_in_memory + place[four], sizeof word);
        found[four] = word;
    }
    return found;
#endif
}

/* The upper 32 bits of each group's word of suits for this place. */
ALWAYS TARGET fours PATH(suits_words)(const words keys[2], fours place) {
    words chance[2] = {(words)place & 0xFFFFFFFF, (words)place >> 32};
    for (int odd = 0; odd < 2; odd++)
        chance[odd] = PATH(words_of)(keys[odd], chance[odd]);
    return (fours)(chance[0] >> 32 | (chance[1] & 0xFFFFFFFF00000000u));
}

/* A pair of each group: where its kind goes, where the unseen suits of its rank are, its random bits, and its coup. */
struct PATH(row) {
    fours at, slot, chance, code, shift;
};

/* The next pairs of all groups. Where a group has no more, its pair is one that nobody reads. */
ALWAYS TARGET struct PATH(row) PATH(row_of)(const struct PATH(coups) * coups, const words keys[2], fours length,
                                           uint32_t n) {
    fours lane, code;
    for (int four = 0; four < LANES / 4; four++) {
        lane[four] = (uint32_t)(4 * four);
        code[four] = (uint32_t)(four / 2 % 2 * LANES / 2 + four / 4 * 8 + four % 2 * 4);
    }
    fours pair = PATH(gathered)(coups->lists, (lane * (LIST / 4) + n) * 2) & 0xFFFF & (fours)(length > n);
    fours shoe = pair & 3, place = pair >> 2, at = place * LANES + lane + shoe;
    fours rank = PATH(gathered)(coups->ranks, at) & 255;
    struct PATH(row) row = {
        .at = at,
        .slot = ((lane + shoe) * 16 + rank) * 4,
        .chance = PATH(suits_words)(keys, shoe << 16 | place),
        .code = PATH(gathered)(coups->codes, ((pair >> 3) * LANES + code + shoe) * 2) & 0x3FF,
        .shift = 12 - (place & 1) * 2,
    };
    return row;
}

/* Draw the suits of pairs, and count their coups as if the other hand were no pair. */
ALWAYS TARGET void PATH(settle_row)(const struct PATH(shoes) * shoes, struct PATH(coups) * coups,
                                    const struct PATH(row) * row, uint32_t n, uint32_t least, uint32_t *suits,
                                    struct tally *tally) {
    uint8_t *kinds = (uint8_t *)coups->ranks;
    const struct PATH(suits) drawn = PATH(draw_suits)(PATH(gathered)(suits, row->slot), row->chance);
    uint64_t rare = PATH(lanes_of)((bytes)drawn.doubtful);
    fours found[3] = {drawn.kind, drawn.unseen, (drawn.kind << row->shift) + row->code};
    const uint32_t(*f)[LANES / 4] = (const uint32_t(*)[LANES / 4])found;
    const uint32_t *at = (const uint32_t *)&row->at, *slot = (const uint32_t *)&row->slot;
    if (__builtin_expect(rare != 0, 0))
        for (int four = 0; four < LANES / 4; four++)
            if (n < coups->lengths[four]) {
                uint32_t then = suits[slot[four] / 4];
                int lane = (int)(at[four] % LANES), place = (int)(at[four] / LANES);
                found[0][four] = kind_of_pair(&then, shoes->suits_keys[four], lane, place);
                found[1][four] = then;
                found[2][four] = (found[0][four] << row->shift[four]) + row->code[four];
            }
    FROM_MEMORY;
    if (__builtin_expect(n < least, 1)) {
#pragma GCC unroll 16
        for (int four = 0; four < LANES / 4; four++) {
            kinds[at[four]] = (uint8_t)f[0][four];
            suits[slot[four] / 4] = f[1][four];
            tally->pairs[f[2][four]]++;
        }
        return;
    }
#pragma GCC unroll 1
    for (int four = 0; four < LANES / 4; four++)
        if (n < coups->lengths[four]) {
            kinds[at[four]] = (uint8_t)f[0][four];
            suits[slot[four] / 4] = f[1][four];
            tally->pairs[f[2][four]]++;
        }
}

/* Settle the pairs of all groups, one of each at a time. What does not depend on earlier pairs is prepared for
 * several, so that the processor need not wait. */
static TARGET __attribute__((noinline)) void PATH(settle_pairs)(const struct PATH(shoes) * shoes,
                                                                struct PATH(coups) * coups, int cards_of_a_rank,
                                                                struct tally *tally) {
    uint32_t suits[LANES * 16], most = 0, least = ~0u;
    words keys[2];
    fours length;
    for (int n = 0; n < LANES * 16; n++)
        suits[n] = (uint32_t)(cards_of_a_rank / 4) * 0x04030201u;
    for (int four = 0; four < LANES / 4; four++) {
        keys[four % 2][four / 2] = shoes->suits_keys[four];
        length[four] = coups->lengths[four];
        most = length[four] > most ? length[four] : most;
        least = length[four] < least ? length[four] : least;
    }
    for (uint32_t n = 0; n < most; n += 16) {
        struct PATH(row) rows[16];
        for (uint32_t k = 0; k < 16; k++)
            rows[k] = PATH(row_of)(coups, keys, length, n + k);
        for (uint32_t k = 0; k < 16 && n + k < most; k++)
            PATH(settle_row)(shoes, coups, &rows[k], n + k, least, suits, tally);
    }
}

/* Count the coups in which both hands are pairs as such. */
static TARGET __attribute__((noinline)) void PATH(count_double_pairs)(const struct PATH(coups) * coups, int number,
                                                                      struct tally *tally) {
    for (int coup = 0; coup < number; coup++)
        for (uint64_t lanes = coups->lanes[coup][0] & coups->lanes[coup][1]; lanes; lanes &= lanes - 1) {
            int lane = __builtin_ctzll(lanes);
            int player = 4 * coups->ranks[coup][0][lane], banker = coups->ranks[coup][1][lane];
            int code = coups->codes[coup].half[lane / 8 % 2][lane / 16 * 8 + lane % 8] & 0x3FF;
            tally->pairs[player * 1024 + code]--;
            tally->pairs[banker * 1024 + code]--;
            tally->pairs[(player + banker) * 1024 + code]++;
        }
}

static TARGET void PATH(count_pairs)(const struct PATH(shoes) * shoes, struct PATH(coups) * coups, int number,
                                     int cards_of_a_rank, struct tally *tally) {
    PATH(list_pairs)(coups, number, tally);
    PATH(settle_pairs)(shoes, coups, cards_of_a_rank, tally);
    PATH(count_double_pairs)(coups, number, tally);
}
