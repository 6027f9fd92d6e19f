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
    from sabot.cli.checkout import checkout, deploy_folder
    from sabot.cli.terminal import console

    try:
        if folder.exists() and any(folder.iterdir()):
            raise Mistake(f"{folder} is not empty: name a new or empty folder")
        shutil.copytree(deploy_folder(), folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        if (root := checkout()) is not None:
            shutil.copy(root / "requirements" / "run.txt", folder / "requirements.txt")
    except OSError as error:
        raise Mistake(f"the files cannot be copied to {folder}: {error.strerror or error}") from None
    copied = sum(path.is_file() for path in folder.rglob("*"))
    console().print(f"{copied} files are in {folder}", soft_wrap=True)
    return 0
