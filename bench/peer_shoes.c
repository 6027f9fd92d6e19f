/* A baseline of bench/simulate.py: shoes in the manner of a published simulator in Rust. The whole shoe is shuffled by
 * fair indices of a ChaCha12 stream, the usual generator of that language, and each card is counted out of the shoe when
 * it is dealt. It is compiled for the very processor that it runs on, which the kernel is not. The task and the tally are
 * the kernel's own. */

#include <stdint.h>
#include <string.h>

struct card {
    uint8_t rank, suit;
};

#include "textbook_play.h"

struct stream {
    uint32_t key[16], block[16];
    int used;
};

static void quarter(uint32_t *x, int a, int b, int c, int d) {
    static const int BY[4] = {16, 12, 8, 7};
    for (int n = 0; n < 4; n++) {
        int sum = n % 2 ? c : a, more = n % 2 ? d : b, turned = n % 2 ? b : d;
        x[sum] += x[more];
        x[turned] ^= x[sum];
        x[turned] = x[turned] << BY[n] | x[turned] >> (32 - BY[n]);
    }
}

static uint32_t next(struct stream *stream) {
    if (stream->used == 16) {
        uint32_t *x = stream->block;
        memcpy(x, stream->key, sizeof stream->key);
        for (int round = 0; round < 6; round++) {
            for (int n = 0; n < 4; n++)
                quarter(x, n, n + 4, n + 8, n + 12);
            for (int n = 0; n < 4; n++)
                quarter(x, n, (n + 1) % 4 + 4, (n + 2) % 4 + 8, (n + 3) % 4 + 12);
        }
        for (int n = 0; n < 16; n++)
            x[n] += stream->key[n];
        stream->key[12]++;
        stream->used = 0;
    }
    return stream->block[stream->used++];
}

static uint32_t index_below(struct stream *stream, uint32_t limit) {
    uint64_t product = (uint64_t)next(stream) * limit;
    while ((uint32_t)product < limit && (uint32_t)product < -limit % limit)
        product = (uint64_t)next(stream) * limit;
    return (uint32_t)(product >> 32);
}

struct shoe {
    struct card cards[52 * 12];
    int at, of_ranks[13], of_cards[52];
};

static struct card dealt(struct shoe *shoe) {
    struct card card = shoe->cards[shoe->at++];
    shoe->of_ranks[card.rank]--;
    shoe->of_cards[13 * card.suit + card.rank]--;
    return card;
}

/* Deal so many shoes, burning by face value, one coup after the one in which the cutting card shows. */
void peer_shoes(unsigned seed, int decks, int behind_cutting_card, long shoes, uint64_t histogram[6400]) {
    int cards = 52 * decks;
    struct shoe shoe;
    struct stream stream = {.key = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, seed}, .used = 16};
    for (int n = 0; n < cards; n++)
        shoe.cards[n] = (struct card){(uint8_t)(n % 13), (uint8_t)(n / 13 % 4)};
    for (long number = 0; number < shoes; number++) {
        for (int n = cards - 1; n > 0; n--) {
            uint32_t other = index_below(&stream, (uint32_t)n + 1);
            struct card kept = shoe.cards[n];
            shoe.cards[n] = shoe.cards[other];
            shoe.cards[other] = kept;
        }
        for (int n = 0; n < 52; n++)
            shoe.of_cards[n] = decks;
        for (int n = 0; n < 13; n++)
            shoe.of_ranks[n] = 4 * decks;
        shoe.at = 0;
        int face = points(dealt(&shoe)), to_come = -1;
        shoe.at += face ? face : 10;
        while (to_come != 0 && cards - shoe.at >= 6) {
            struct card p1 = dealt(&shoe), b1 = dealt(&shoe), p2 = dealt(&shoe), b2 = dealt(&shoe);
            int player = (points(p1) + points(p2)) % 10, banker = (points(b1) + points(b2)) % 10;
            int player_drew = 0, banker_drew = 0;
            if (player < 8 && banker < 8) {
                int third = 0;
                if (player <= 5) {
                    third = points(dealt(&shoe));
                    player_drew = 1;
                }
                if (banker_draws(banker, player_drew, third)) {
                    banker = (banker + points(dealt(&shoe))) % 10;
                    banker_drew = 1;
                }
                player = (player + third) % 10;
            }
            int kinds = 4 * kind_of_pair(p1, p2) + kind_of_pair(b1, b2);
            histogram[400 * kinds + 200 * player_drew + 100 * banker_drew + 10 * player + banker]++;
            if (to_come > 0)
                to_come--;
            else if (shoe.at > cards - behind_cutting_card)
                to_come = 1;
        }
    }
}
