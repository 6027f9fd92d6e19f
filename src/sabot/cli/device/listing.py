"""`sabot device list`."""

import msgspec

from sabot.cli.arguments import Json


class ListedDriver(msgspec.Struct, frozen=True):
    kind: str
    enrolled_as: str
    summary: str
    port: str
    options: dict[str, str]
    package: str
    trouble: str = ""
    """Why it cannot be loaded."""


def list_kinds(*, json: Json = False) -> int:
    """List the drivers that `sabot device run` can host, those of other parties among them.

        sabot device list

    A package that cannot be loaded is listed with the reason.
    """
    from sabot.cli.terminal import console, print_json, table

    listed = _listed()
    if json:
        print_json(listed)
        return 0
    shown = table("kind", "enrolled as", "what it is", "port", "options")
    for one in listed:
        options = "\n".join(f"{name}: {meaning}" for name, meaning in one.options.items())
        shown.add_row(one.kind, one.enrolled_as, one.trouble or one.summary, one.port, options)
    console().print(shown)
    return 0


def _listed() -> list[ListedDriver]:
    from sabot.basics.mistake import Mistake
    from sabot.devices.kinds import found_kinds, load_kind

    listed: list[ListedDriver] = []
    for name, entry in found_kinds().items():
        package = entry.dist.name if entry.dist is not None else ""
        try:
            kind = load_kind(name)
        except Mistake as error:
            listed.append(ListedDriver(name, "", "", "", {}, package, str(error)))
            continue
        enrolled_as = kind.enrolled_as.value
        listed.append(ListedDriver(name, enrolled_as, kind.summary, kind.port, dict(kind.options), package))
    return listed
