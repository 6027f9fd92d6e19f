"""`sabot school list`: the lessons that come with Sabot."""

from sabot.cli.arguments import Json


def listing(*, language: str = "en", json: Json = False) -> int:
    """List the lessons that come with Sabot, from the easiest on.

        sabot school list

        sabot school list --language zh-Hant

    Parameters
    ----------
    language
        The language of the texts: en, zh or zh-Hant.
    """
    from sabot.cli.school.lesson_argument import check_language
    from sabot.cli.terminal import console, print_json, table
    from sabot.school.shelf import SHIPPED, shipped_lesson

    check_language(language)
    lessons = [shipped_lesson(name) for name in SHIPPED]
    if json:
        print_json([{"id": one.id, "title": one.title, "intro": one.intro, "coups": one.coups} for one in lessons])
        return 0
    lines = table("lesson", "coups|", "title", "what it is about")
    for one in lessons:
        lines.add_row(one.id, str(one.coups), one.title.written_in(language), one.intro.written_in(language))
    console().print(lines)
    return 0
