"""The ground of the pages: what they are built from, and what they may load."""

import json
import re
import runpy
from typing import get_args, get_type_hints

import pytest
from playwright.async_api import Browser

from sabot.basics.act import verb
from sabot.basics.role import PERSONS
from sabot.rules.shipped import IDS, all_rule_sets
from sabot.table import acts
from sabot.table.cases.remedies import REMEDIES
from sabot.table.irregularities.details import DETAILS
from sabot.table.irregularities.ways import FACTS
from sabot.table.rules import RULES
from sabot.views.words import EFFECTS
from sabot.web.http.pages import STATIC
from tests.screens.fonts import BUILD, without_glyph
from tests.screens.scene import LANGUAGES, SCREENS, keeping
from tests.screens.stage import Stage

CATALOGUES = SCREENS / "src" / "catalogue"
WIRE = SCREENS / "src" / "wire"
PAGES = sorted(path.stem for path in SCREENS.glob("*.html"))
_CODES = [language["code"] for language in LANGUAGES]
_TRANSLATED = _CODES[1:]
"""All but the first, in which the server itself speaks."""
_OTHER_MEANINGS = {"malfunction"}
"""Words that are also codes of notices."""


def test_the_lock_names_no_package_host() -> None:
    packages = json.loads((SCREENS / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert len(packages) > 50
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []


def test_the_pages_are_built_from_the_sources_of_now() -> None:
    assert BUILD["is_built"]()


def test_the_types_on_the_wire_are_those_of_the_server() -> None:
    """Otherwise run `.venv/bin/python screens/messages.py`; a new message wants its sentence in every language."""
    written = runpy.run_path(str(SCREENS / "messages.py"))["all_files"]()
    assert {path.name for path in WIRE.iterdir()} == {name for name in written if "/" not in name}
    assert {name: (WIRE / name).read_text(encoding="utf-8") for name in written} == written


def test_every_language_of_the_list_has_a_catalogue_and_every_catalogue_is_listed() -> None:
    assert [language.code for language in BUILD["languages"]()] == [language["code"] for language in LANGUAGES]
    assert sorted(folder.parent.name for folder in CATALOGUES.glob("*/index.ts")) == sorted(_CODES)


@pytest.mark.parametrize("code", _CODES)
def test_every_character_that_a_page_may_show_in_a_language_is_in_its_fonts(code: str) -> None:
    language = next(one for one in BUILD["languages"]() if one.code == code)
    assert without_glyph(BUILD["characters"](language), language.locale) == set()


def test_no_component_names_a_language_or_holds_its_words() -> None:
    """A language is added in its catalogue and in the list alone."""
    tags = "|".join({tag for language in LANGUAGES for tag in (language["code"], language["locale"].split("-")[0])})
    named = re.compile(rf"""["'`](?:{tags})(?:-\w+)*["'`]|english|chinese|[\u2e80-\u9fff\uff00-\uffef]""", re.I)
    found = {
        f"{path.relative_to(SCREENS)}: {match[0]}"
        for path in (SCREENS / "src").rglob("*")
        if path.is_file() and CATALOGUES not in path.parents
        for match in named.finditer(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_no_page_holds_a_role_or_a_cause_by_hand() -> None:
    """Who may do what, the details of facts and the words to choose from are generated (screens/src/wire/rules.ts)."""
    roles = {role.value for role in PERSONS}
    words = {*roles, *FACTS, *get_args(get_type_hints(acts.Invalidate)["cause"]), *REMEDIES} - _OTHER_MEANINGS
    plain = "|".join(sorted(map(re.escape, words)))
    joined = "|".join(sorted(word for word in words if "_" in word))
    by_hand = re.compile(rf"""["'`](?:{plain})["'`]|^\s*(?:{plain}):|\b(?:{joined})\b""", re.MULTILINE)
    found = {
        f"{path.relative_to(SCREENS)}: {match[0].strip()}"
        for path in (SCREENS / "src").rglob("*")
        if path.suffix in (".ts", ".svelte") and not {CATALOGUES, WIRE} & {*path.parents}
        for match in by_hand.finditer(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_every_fact_has_its_details() -> None:
    assert tuple(DETAILS) == FACTS


def test_every_act_that_a_table_puts_on_record_has_a_name() -> None:
    """Who looks at what happened at a table reads no code of a program; the types hold the other languages to these."""
    words = "".join(path.read_text(encoding="utf-8") for path in (CATALOGUES / "en").glob("*.ts"))
    assert [verb(act) for act in RULES if f"  act_{verb(act)}:" not in words] == []


@pytest.mark.parametrize("code", _TRANSLATED)
def test_all_that_the_shipped_rule_sets_say_to_patrons_is_translated(code: str) -> None:
    said = {*IDS, *EFFECTS.values()}
    for rules in all_rule_sets():
        said |= {line.name for bet in rules.bets.values() for line in bet.lines}
        said |= {name.replace("_", " ").capitalize() for name in rules.irregularities}
    terms = (CATALOGUES / code / "terms.ts").read_text(encoding="utf-8")
    assert said - set(re.findall(r'^  "?([^"]+?)"?: "', terms, re.MULTILINE)) == set()


@pytest.mark.parametrize("code", _TRANSLATED)
def test_every_refusal_is_translated_and_none_that_does_not_exist(code: str) -> None:
    """Of tables, house, tournaments, stamps, requests and sockets; `unreachable` is the page's own."""
    known = set(re.findall(r"^  (\w+): ", (WIRE / "refusals.ts").read_text(encoding="utf-8"), re.MULTILINE))
    assert len(known) > 300
    assert set[str]().union(*_refusals(code)) == known | {"unreachable"}


GIVEN_BACK_BY = {
    *("table_locked", "table_closed", "frozen", "reserved", "excluded", "out_of_service", "no_acceptor", "leaving"),
    *("directed_to_leave", "bad_amount", "too_long", "unfit_text", "no_tickets_in", "not_in_escrow", "paid_already"),
    *("unknown_ticket", "ticket_misread", "in_escrow", "station_busy", "ticket_void", "ticket_expired"),
    *("by_hand_only", "released", "not_written", "card_unread", "card_elsewhere", "card_too_late"),
}
"""Why a station does not take a note, a ticket or a player card: table, house and entrance."""


@pytest.mark.parametrize("code", _TRANSLATED)
def test_a_patron_reads_why_a_note_a_ticket_or_a_player_card_was_not_taken(code: str) -> None:
    assert _refusals(code)[0] >= GIVEN_BACK_BY


def _refusals(code: str) -> list[set[str]]:
    """The codes of those to patrons, and of those to staff."""
    files = [CATALOGUES / code / name for name in ("patron_refusals.ts", "refusals.ts")]
    return [set(re.findall(r"^  (\w+): ", path.read_text(encoding="utf-8"), re.MULTILINE)) for path in files]


def test_the_fonts_bring_their_licences() -> None:
    licences = sorted(path.name for path in STATIC.glob("LICENSE-*"))
    fonts = {language.font.name for language in BUILD["languages"]() if language.font}
    assert licences == [f"LICENSE-{name}.txt" for name in sorted({"inter", *fonts})]
    assert all("Open Font License" in (STATIC / name).read_text(encoding="utf-8") for name in licences)


@pytest.mark.parametrize("language", LANGUAGES, ids=_CODES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_everything_from_its_own_server_and_breaks_no_policy(
    page: str, language: dict[str, str], chromium: Stage, pages: str
) -> None:
    """In the language that the device keeps."""

    async def scene(browser: Browser) -> None:
        context = await browser.new_context(storage_state=keeping(pages, language["code"]))
        opened = await context.new_page()
        said: list[str] = []
        asked: list[str] = []
        opened.on("console", lambda message: said.append(message.text))
        opened.on("pageerror", lambda error: said.append(str(error)))
        opened.on("request", lambda request: asked.append(request.url))
        answer = await opened.goto(f"{pages}/{page}", wait_until="load")
        assert answer is not None
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in answer.headers["content-security-policy"]
        await opened.wait_for_selector("main")
        assert await opened.locator("html").get_attribute("lang") == language["locale"]
        assert [line for line in said if "Content Security Policy" in line or "Trusted" in line] == []
        assert [address for address in asked if not address.startswith((pages, pages.replace("http", "ws")))] == []
        await context.close()

    chromium.play(scene)
