"""A seeded world around the production owner: a clock, a network, a journal and people, all of them unreliable."""
