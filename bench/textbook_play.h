/* What the baselines of bench/simulate.py play by: a row of branches over `struct card`, which each defines. */

static int points(struct card card) { return card.rank + 1 < 10 ? card.rank + 1 : 0; }

static int kind_of_pair(struct card first, struct card second) {
    if (first.rank != second.rank)
        return 0;
    if (first.suit == second.suit)
        return 3;
    return first.suit + second.suit == 3 ? 2 : 1;
}

static int banker_draws(int banker, int player_drew, int third) {
    if (!player_drew)
        return banker <= 5;
    if (banker <= 2)
        return 1;
    if (banker == 3)
        return third != 8;
    if (banker == 4)
        return third >= 2 && third <= 7;
    if (banker == 5)
        return third >= 4 && third <= 7;
    if (banker == 6)
        return third == 6 || third == 7;
    return 0;
}
