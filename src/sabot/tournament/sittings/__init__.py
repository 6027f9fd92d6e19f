"""Sessions of a tournament as its desk runs them: called, arrived at, left, concluded and closed."""
