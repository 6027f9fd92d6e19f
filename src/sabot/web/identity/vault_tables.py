"""The tables of a vault, and their form."""

from sabot.journal.journal import Unusable

TABLES = (
    """CREATE TABLE IF NOT EXISTS pin (
  person TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS guess (
  person TEXT NOT NULL,
  place TEXT NOT NULL,
  series {whole} NOT NULL,
  failures {whole} NOT NULL,
  until_ms {whole} NOT NULL,
  seen_ms {whole} NOT NULL,
  newest TEXT NOT NULL,
  PRIMARY KEY (person, place)
)""",
    """CREATE TABLE IF NOT EXISTS unlocking (
  id TEXT NOT NULL PRIMARY KEY,
  person TEXT NOT NULL,
  reason TEXT NOT NULL,
  taken_ms {whole} NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS session (
  digest TEXT NOT NULL PRIMARY KEY,
  person TEXT NOT NULL,
  device TEXT NOT NULL,
  address TEXT NOT NULL,
  made_ms {whole} NOT NULL,
  seen_ms {whole} NOT NULL,
  expires_ms {whole} NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS approval (
  digest TEXT NOT NULL PRIMARY KEY,
  person TEXT NOT NULL,
  session TEXT NOT NULL,
  act TEXT NOT NULL,
  expires_ms {whole} NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS enrolment (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  public_key TEXT NOT NULL,
  code TEXT NOT NULL,
  address TEXT NOT NULL,
  expires_ms {whole} NOT NULL,
  tries {whole} NOT NULL,
  status TEXT NOT NULL,
  device TEXT NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS device_key (
  fingerprint TEXT NOT NULL PRIMARY KEY,
  public_key TEXT NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS entry_form (
  tournament TEXT NOT NULL,
  player TEXT NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (tournament, player)
)""",
    """CREATE TABLE IF NOT EXISTS shoe_key (
  floor {whole} NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS virtual_shoe (
  gaming_table TEXT NOT NULL,
  number {whole} NOT NULL,
  commitment TEXT NOT NULL,
  locked TEXT NOT NULL,
  PRIMARY KEY (gaming_table, number, commitment)
)""",
    """CREATE TABLE IF NOT EXISTS invitation (
  code TEXT NOT NULL PRIMARY KEY,
  words TEXT NOT NULL,
  expires_ms {whole} NOT NULL
)""",
)
"""The tables of a store; `{whole}` is its type of 64-bit integers."""
FORM = 2
"""The form of these tables. It rises when they change, so that an earlier program leaves a newer vault alone.

1: release 0.1.0, whose vaults name no form. 2: the vault names its form, counts wrong PINs by person and place, and
holds virtual shoes.
"""


def check_form(form: int, place: str) -> None:
    """Refuse a vault of a newer program, before anything in it is read or written."""
    if form > FORM:
        known = f"it has form {form}, and this program knows none above {FORM}"
        raise Unusable(f"the vault {place} was made by a newer program: {known}")
