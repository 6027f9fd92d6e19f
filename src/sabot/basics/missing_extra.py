"""The one sentence for a package that a plain installation does not have."""

from sabot.basics.mistake import Mistake


class MissingExtra(Mistake):
    """A heavy package that only some commands need, and that comes with an extra of this program."""

    def __init__(self, what: str, extra: str, missing: ModuleNotFoundError) -> None:
        package = (missing.name or "a package").partition(".")[0]
        super().__init__(f"{what} need {package}, which is not installed: pip install 'sabot[{extra}]'")
