"""The game, pure: cards, hands, the table of play, bets, pay tables, rule sets as data, settlement, limits."""
