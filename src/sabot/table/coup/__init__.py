"""A coup, from the opening of the wagering to the confirmed result."""
