"""A program with a service account, with nothing but the standard library.

python examples/integrate.py URL TOKEN_FILE meters
python examples/integrate.py URL TOKEN_FILE follow DATABASE [ROUNDS]
python examples/integrate.py URL TOKEN_FILE patrons [DAY]
python examples/integrate.py URL TOKEN_FILE redeem TICKET

TOKEN_FILE holds what `sabot service make … --json` printed. `follow` takes the outbox into an SQLite file, from where
it stopped last time, and loses and doubles nothing however often either side is restarted. It waits for a floor that
does not answer. Without ROUNDS it goes on for ever.
"""

import http.client
import json
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WAIT_S = 30
AGAIN = {429, 503}
"""Too fast, or busy: ask again when `Retry-After` says."""
TABLES = """
CREATE TABLE IF NOT EXISTS place (cursor TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS event (stream TEXT, sequence INTEGER, line TEXT, PRIMARY KEY (stream, sequence));
CREATE TABLE IF NOT EXISTS meters (stream TEXT PRIMARY KEY, line TEXT);
CREATE TABLE IF NOT EXISTS played (
  stream TEXT, day TEXT, patron TEXT, turnover INTEGER, theoretical_win REAL, present_ms INTEGER,
  PRIMARY KEY (stream, day, patron)
);
"""


class Floor:
    def __init__(self, url: str, token_file: str, *, waits: bool) -> None:
        """`waits` for a floor that does not answer; otherwise that ends the program."""
        self._url, self._waits = url.rstrip("/"), waits
        try:
            self._token = json.loads(Path(token_file).read_text(encoding="utf-8"))["token"]
        except (OSError, ValueError, LookupError, TypeError) as wrong:
            sys.exit(f"{token_file} is not what `sabot service make … --json` printed: {wrong}")

    def ask(self, path: str, body: object = None, **query: object) -> str:
        """The answer; a refusal ends the program with its sentence, unless it only asks to wait."""
        url = f"{self._url}{path}?{urllib.parse.urlencode(query)}"
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        while True:
            asked = urllib.request.Request(url, content, headers)  # noqa: S310  The address of the floor.
            try:
                with urllib.request.urlopen(asked, timeout=2 * WAIT_S) as answer:  # noqa: S310  The same.
                    return str(answer.read().decode())
            except urllib.error.HTTPError as no:
                with no:
                    refusal = json.loads(no.read())
                if no.code not in AGAIN:
                    sys.exit(f"{no.code} {refusal['code']}: {refusal['text']}")
                time.sleep(float(no.headers.get("Retry-After", "1")))
            except (OSError, http.client.HTTPException) as no:
                if not self._waits:
                    sys.exit(f"{self._url} does not answer: {no}")
                time.sleep(1)


def follow(floor: Floor, database: str, rounds: int) -> None:
    """The cursor is kept in the same transaction as what was taken in."""
    kept, wait_s = sqlite3.connect(database), WAIT_S if rounds < 0 else 1
    kept.executescript(TABLES)
    while rounds:
        (cursor,) = kept.execute("SELECT cursor FROM place").fetchone() or ("",)
        lines = floor.ask("/api/outbox", after=cursor, wait_s=wait_s if cursor else 0, patrons="true")
        *told, end = map(json.loads, lines.splitlines())
        with kept:
            for line in told:
                take_in(kept, line)
            kept.execute("DELETE FROM place")
            kept.execute("INSERT INTO place VALUES (?)", (end["cursor"],))
        print(f"{len(told)} lines, at {end['cursor']}", flush=True)
        rounds -= not end["more"]
    kept.close()


def take_in(kept: sqlite3.Connection, line: dict[str, Any]) -> None:
    """Events are kept once by their place; meters and the play of a day are totals, and replace what was there."""
    stream, written = line["stream"], json.dumps(line)
    if "events" in line:
        kept.execute("INSERT INTO event VALUES (?, ?, ?)", (stream, line["sequence"], written))
    elif "patrons" in line:
        kept.execute("DELETE FROM played WHERE stream = ? AND day = ?", (stream, line["day"]))
        kept.executemany(
            "INSERT INTO played VALUES (?, ?, ?, ?, ?, ?)",
            [
                (stream, line["day"], one["patron"], one["turnover"], one["theoretical_win"], one["present_ms"])
                for one in line["patrons"]
            ],
        )
    else:
        kept.execute("INSERT OR REPLACE INTO meters VALUES (?, ?)", (stream, written))


def patrons(floor: Floor, day: str = "") -> Iterator[dict[str, Any]]:
    """Page by page, by reference."""
    after = ""
    while True:
        page = json.loads(floor.ask("/api/patrons", day=day, after=after, limit=200))
        yield from page["patrons"]
        if not page["more"]:
            return
        after = page["after"]


def main(*said: str) -> None:
    if len(said) < 3:
        sys.exit(__doc__)
    url, token_file, what, *more = said
    floor = Floor(url, token_file, waits=what == "follow")
    match what, more:
        case "meters", []:
            for table in json.loads(floor.ask("/api/meters")):
                print(f"{table['stream']}: {table['coups']} coups, win {table['win_cents']} cents")
        case "follow", [database]:
            follow(floor, database, -1)
        case "follow", [database, rounds] if rounds.isdecimal():
            follow(floor, database, int(rounds))
        case "patrons", [] | [_]:
            for one in patrons(floor, *more):
                minutes = one["present_ms"] // 60_000
                print(f"{one['patron']}: turnover {one['turnover']}, expected {one['theoretical_win']}, {minutes} min")
        case "redeem", [ticket]:
            print(floor.ask("/api/house", {"do": "redeem", "ticket": ticket}))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
