"""What must never happen in a simulated world did."""


class Violation(Exception):
    """One sentence about what went wrong."""


def insist(truth: bool, sentence: str) -> None:  # noqa: FBT001  It reads as a sentence.
    if not truth:
        raise Violation(sentence)
