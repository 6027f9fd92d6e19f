"""The number of a ticket: seventeen digits that are drawn, and a check digit by which a misread barcode is noticed.

The check digit is that of ISO/IEC 7812-1 (Luhn). It finds every wrong digit and every pair of neighbours that changed
places but 0 and 9. Tickets that were issued before there was one are good as ever: a number that the house knows is
never held against its check digit.
"""

import re

DRAWN = 17
DIGITS = 18
_NUMBER = re.compile(r"[0-9]{18}")


def with_check_digit(drawn: str) -> str:
    return f"{drawn}{-_weighed(f'{drawn}0') % 10}"


def is_misread(number: str) -> bool:
    """Whether no ticket that has a check digit has this number."""
    return _NUMBER.fullmatch(number) is None or _weighed(number) % 10 != 0


def _weighed(number: str) -> int:
    """Every second digit from the right is doubled, and the digits of the double are added up."""
    digits = [int(digit) for digit in reversed(number)]
    return sum(digits[0::2]) + sum(2 * digit - 9 * (digit > 4) for digit in digits[1::2])
