"""The one exception for input that cannot be what its author meant."""


class Mistake(ValueError):
    """Says in one sentence, to a person, what is wrong with the input; nothing has been changed."""
