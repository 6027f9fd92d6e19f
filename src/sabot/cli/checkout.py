"""The checkout that this program was installed from, which has the benchmarks and the results of the last test run."""

import shutil
import sys
from pathlib import Path


def checkout() -> Path | None:
    """None when Sabot was installed as a package, without its checkout."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "bootstrap.py").is_file() else None


PACKAGE = Path(__file__).resolve().parents[1]
"""The sources of the program, in a checkout or as a wheel installed them."""


def laboratory_folder() -> Path:
    """What a dossier is made from beside the program: the rules to break, the locks, the checker of vectors.

    In a checkout they are where they belong; a wheel has copies of them, at the same paths below this folder.
    """
    return checkout() or PACKAGE / "laboratory"


def deploy_folder() -> Path:
    """The examples for running a floor: in the checkout, or inside the installed package."""
    root = checkout()
    return root / "deploy" if root is not None else Path(__file__).resolve().parents[1] / "deploy"


def command_name() -> str:
    """What a person types to run this program here."""
    root = checkout()
    if root is not None:
        return "./sabot" if Path.cwd() == root else str(root / "sabot")
    return "sabot" if shutil.which("sabot") else sys.argv[0]
