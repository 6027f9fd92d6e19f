"""The money, pure: chart of accounts, postings, balances, meters and the self-audit."""
