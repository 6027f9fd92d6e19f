/* Counts the cells of one composition in vector rows; exact.c includes this file once for each kind of processor.
 *
 * exact.c defines PATH, which adds the path to each function's name; TARGET, which lets the compiler use that kind of
 * processor; and WIDTH, the number of doubles in one of its registers. A row has an entry for each total below eight:
 * no third card follows a total of eight or nine. Terms of a start are 32-bit integers, weighted starts are doubles.
 * Every double is a whole number below 2^53, so sums and products are exact in any order, with fused operations or
 * without: no figure exceeds the sequences of six of the shoe. */

typedef int32_t PATH(row) __attribute__((vector_size(4 * LOW), aligned(4), may_alias));
typedef int32_t PATH(whole) __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));
typedef double PATH(reals) __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
#define row PATH(row)
#define whole PATH(whole)
#define reals PATH(reals)
#define ROW_AT(place) (*(row *)(place))
#define CONSTANT_ROW_AT(place) (*(const row *)(place))
#define REALS_AT(place) (*(reals *)(place))
#define CONSTANT_REALS_AT(place) (*(const reals *)(place))

/* One card of x points fewer. With M before the change, A(t) falls by 2 M_x(t) and E(s, t) by
 * M_x(s) (M_x(t) + M_(s-x)(t) - [s = t]) + M_x(t) M_(t-x)(s); `less` falls by four of these, and by the change of its
 * last term. */
ALWAYS TARGET void PATH(take_out)(struct starts *after, const struct starts *before, const struct layout *left, int x,
                                  int rows) {
    row mine = CONSTANT_ROW_AT(left->forward + POINTS - x) - CONSTANT_ROW_AT(constants.doubled[x]), fourfold = 4 * mine;
    int32_t each[LOW];
    ROW_AT(each) = fourfold;
    ROW_AT(after->hands) = CONSTANT_ROW_AT(before->hands) - 2 * mine;
    for (int s = 0; s < rows; s++) {
        row other = CONSTANT_ROW_AT(left->forward + POINTS + x - s) - CONSTANT_ROW_AT(constants.of_other[x][s]);
        row back = CONSTANT_ROW_AT(left->backward + 2 * POINTS - x - s) - CONSTANT_ROW_AT(constants.of_back[x][s]);
        ROW_AT(after->less[s]) = CONSTANT_ROW_AT(before->less[s]) - (each[s] * (mine + other) + fourfold * back);
    }
}

ALWAYS TARGET reals PATH(as_reals)(const int32_t *from) {
#ifdef AS_REALS
    return (reals)AS_REALS(from);
#else
    return __builtin_convertvector(*(const whole *)from, reals);
#endif
}

/* F(s, t) for as many t as a register holds, from `part` on. */
ALWAYS TARGET reals PATH(ways)(const struct starts *starts, const double hands[LOW], int s, int part) {
    return CONSTANT_REALS_AT(hands + part) * hands[s] - PATH(as_reals)(starts->less[s] + part);
}

ALWAYS TARGET void PATH(hands_of)(const struct starts *starts, double hands[LOW]) {
    for (int part = 0; part < LOW; part += WIDTH)
        REALS_AT(hands + part) = PATH(as_reals)(starts->hands + part);
}

/* The terms of the full shoe, for totals of eight and nine too. */
ALWAYS TARGET void PATH(lay_out)(struct full_starts *full, const struct layout *left) {
    int32_t weighted[POINTS][2 * LOW];
    row low[POINTS], high[POINTS], low_hands = {0}, high_hands = {0};
    for (int a = 0; a < POINTS; a++) {
        low[a] = CONSTANT_ROW_AT(left->forward + POINTS - a) - CONSTANT_ROW_AT(constants.doubled[a]);
        high[a] = CONSTANT_ROW_AT(left->forward + POINTS - a + LOW) - CONSTANT_ROW_AT(constants.doubled[a] + LOW);
        ROW_AT(weighted[a]) = left->forward[a] * low[a];
        ROW_AT(weighted[a] + LOW) = left->forward[a] * high[a];
        low_hands += ROW_AT(weighted[a]);
        high_hands += ROW_AT(weighted[a] + LOW);
    }
    ROW_AT(full->low.hands) = low_hands;
    ROW_AT(full->hands) = low_hands;
    ROW_AT(full->hands + LOW) = high_hands;
    for (int s = 0; s < POINTS; s++) {
        row low_shared = {0}, high_shared = {0};
        for (int a = 0; a < POINTS; a++) {
            low_shared += weighted[a][s] * low[a];
            if (s >= LOW)
                high_shared += weighted[a][s] * high[a];
        }
        ROW_AT(full->less[s]) = 4 * low_shared;
        if (s >= LOW)
            ROW_AT(full->less[s] + LOW) = 4 * high_shared;
        full->less[s][s] -= 2 * full->hands[s];
    }
    for (int s = 0; s < LOW; s++)
        ROW_AT(full->low.less[s]) = CONSTANT_ROW_AT(full->less[s]);
}

/* One hand draws a card of x points. */
ALWAYS TARGET void PATH(one_draws)(const struct plan *plan, const struct starts *starts, int x, double weight,
                                   struct sums *sums) {
    double hands[LOW];
    PATH(hands_of)(starts, hands);
    for (int s = 0; s < LOW; s++) {
        double *player = sums->player_alone[modulo_ten(s + x)], *banker = sums->banker_alone[s] + x;
        for (int part = 0; part < LOW; part += WIDTH) {
            reals found = PATH(ways)(starts, hands, s, part) * weight;
            if (plan->player_draws[s])
                REALS_AT(player + part) += found * CONSTANT_REALS_AT(plan->player_alone[x][s] + part);
            if (plan->banker_draws[s])
                REALS_AT(banker + part) += found * CONSTANT_REALS_AT(plan->banker_alone[s] + part);
        }
    }
}

/* Both hands draw third cards of x and y points, either way round. Rows are added by Player's total and the points of
 * Banker's third card; the number of Banker's third cards is left out until all rows are there. */
ALWAYS TARGET void PATH(both_draw)(const struct starts *starts, int x, int y, int rows,
                                   const double weights[POINTS][LOW][LOW], struct sums *sums) {
    double hands[LOW];
    PATH(hands_of)(starts, hands);
    for (int s = 0; s < rows; s++) {
        double *x_first = sums->by_third_card[modulo_ten(s + x)][y];
        double *y_first = sums->by_third_card[modulo_ten(s + y)][x];
        for (int part = 0; part < LOW; part += WIDTH) {
            reals found = PATH(ways)(starts, hands, s, part);
            REALS_AT(x_first + part) += found * CONSTANT_REALS_AT(weights[x][s] + part);
            REALS_AT(y_first + part) += found * CONSTANT_REALS_AT(weights[y][s] + part);
        }
    }
}

/* The same where both third cards have x points, and Player's is one of so many. */
ALWAYS TARGET void PATH(both_draw_alike)(const struct starts *starts, int x, int rows, double cards,
                                         const double both[LOW][LOW], struct sums *sums) {
    double hands[LOW];
    PATH(hands_of)(starts, hands);
    for (int s = 0; s < rows; s++)
        for (int part = 0; part < LOW; part += WIDTH)
            REALS_AT(sums->by_third_card[modulo_ten(s + x)][x] + part) +=
                PATH(ways)(starts, hands, s, part) * (cards * CONSTANT_REALS_AT(both[s] + part));
}

/* Folds totals of Banker beyond nine, which are at most seven after that. */
ALWAYS TARGET void PATH(fold)(double banker[BEYOND]) {
    for (int part = 0; part < LOW; part += WIDTH)
        REALS_AT(banker + part) += CONSTANT_REALS_AT(banker + POINTS + part);
}

/* Adds the rows of all third cards of Banker, with their number, and folds his totals. */
ALWAYS TARGET void PATH(gather)(const struct plan *plan, const int32_t points[POINTS], struct sums *sums) {
    for (int y = 0; y < POINTS; y++)
        for (int total = 0; total < POINTS; total++)
            for (int part = 0; part < LOW; part += WIDTH)
                REALS_AT(sums->both[total] + y + part) +=
                    CONSTANT_REALS_AT(sums->by_third_card[total][y] + part) * (double)points[y];
    for (int total = 0; total < POINTS; total++)
        PATH(fold)(sums->both[total]);
    for (int total = 0; total < LOW; total++)
        if (plan->banker_draws[total])
            PATH(fold)(sums->banker_alone[total]);
}

/* Counts one composition into its sums. */
static TARGET void PATH(count)(const struct plan *plan, const int32_t points[POINTS], struct sums *sums) {
    struct layout left;
    struct full_starts full;
    struct starts less_one, less_two;
    double weights[POINTS][LOW][LOW] __attribute__((aligned(64)));
    const int cards = arrange(&left, points), rows = plan->rows;
    const double after_four = cards - 4, after_five = cards - 5;
    memset(sums, 0, offsetof(struct sums, nobody));
    for (int x = 0; x < POINTS; x++)
        for (int s = 0; s < rows; s++)
            for (int part = 0; part < LOW; part += WIDTH)
                REALS_AT(weights[x][s] + part) = CONSTANT_REALS_AT(plan->both[x][s] + part) * (double)points[x];
    PATH(lay_out)(&full, &left);
    for (int x = 0; x < POINTS; x++) {
        if (points[x] == 0)
            continue;
        PATH(take_out)(&less_one, &full.low, &left, x, LOW);
        add_cards(&left, x, -1);
        PATH(one_draws)(plan, &less_one, x, points[x] * after_five, sums);
        if (points[x] > 1) {
            PATH(take_out)(&less_two, &less_one, &left, x, rows);
            PATH(both_draw_alike)(&less_two, x, rows, points[x] - 1, plan->both[x], sums);
        }
        for (int y = x + 1; y < POINTS; y++) {
            if (points[y] == 0)
                continue;
            PATH(take_out)(&less_two, &less_one, &left, y, rows);
            PATH(both_draw)(&less_two, x, y, rows, weights, sums);
        }
        add_cards(&left, x, 1);
    }
    PATH(gather)(plan, points, sums);
    for (int n = 0; n < plan->standing; n++) {
        int s = plan->stands[n].high, t = plan->stands[n].low;
        sums->nobody[n] = ((double)full.hands[s] * full.hands[t] - full.less[s][t]) * (after_four * after_five);
    }
}

#undef row
#undef whole
#undef reals
#undef ROW_AT
#undef CONSTANT_ROW_AT
#undef REALS_AT
#undef CONSTANT_REALS_AT
#undef PATH
#undef TARGET
#undef WIDTH
#undef AS_REALS
