"""`sabot deploy`: copies the examples for running a floor out of the package."""

import shutil
from pathlib import Path

from cyclopts import App

deploy = App(name="deploy")


@deploy.default
def copy_out(folder: Path, /) -> int:
    """Copy the files for running a floor into a folder: unit, container, floor's files, alerts and dashboard.

        sabot deploy sabot-deploy

    They come with the program: sabot.toml and the tables are examples with every key, sabot.service is a unit of
    systemd, Containerfile and requirements.txt build an image, prometheus.yml, sabot-alerts.yml and
    sabot-dashboard.json are for monitoring. docs/handbook/operator.md says how each is used.

    Parameters
    ----------
    folder
        Where to copy them; it must be new or empty.
    """
    from sabot.basics.mistake import Mistake
    from sabot.cli.checkout import deploy_folder, laboratory_folder
    from sabot.cli.terminal import console

    try:
        if folder.exists() and any(folder.iterdir()):
            raise Mistake(f"{folder} is not empty: name a new or empty folder")
        was_there = folder.exists()
        try:
            _copy(deploy_folder(), folder)
            shutil.copy(laboratory_folder() / "requirements" / "run.txt", folder / "requirements.txt")
        except OSError:
            _take_back(folder, keep=was_there)
            raise
    except OSError as error:
        raise Mistake(f"the files cannot be copied to {folder}: {error.strerror or error}") from None
    copied = sum(path.is_file() for path in folder.rglob("*"))
    console().print(f"{copied} files are in {folder}", soft_wrap=True)
    return 0


def _copy(folder: Path, to: Path) -> None:
    """File by file, since `copytree` gathers all failures into one long text."""
    to.mkdir(parents=True, exist_ok=True)
    for one in folder.iterdir():
        if one.is_dir():
            if one.name != "__pycache__":
                _copy(one, to / one.name)
        else:
            shutil.copy(one, to / one.name)


def _take_back(folder: Path, *, keep: bool) -> None:
    """The folder was new or empty, so everything in it is ours. Half a copy would be refused the next time."""
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
        return
    for one in folder.iterdir():
        if one.is_dir():
            shutil.rmtree(one, ignore_errors=True)
        else:
            one.unlink(missing_ok=True)
