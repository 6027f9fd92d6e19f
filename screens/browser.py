"""Finds the Chromium that the tests play the pages in, with nothing but Python's standard library.

Its shell without windows comes first: a page takes it half the work that it takes the whole Chromium.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome")
VENV = Path(__file__).resolve().parents[1] / ".venv"
FETCHED = VENV / "chromium" / SHELL
INSTALLED = Path("/usr/lib/chromium")
"""Where Debian has the whole Chromium."""
SHARED = ("icudtl.dat", "v8_context_snapshot.bin", "libEGL.so", "libGLESv2.so")
"""What the shell has in common with the whole one, beside which it is meant to lie."""
PAGE = "data:text/html,<p>shown</p>"


def shell() -> str | None:
    """The path of what is asked for by name, or of a shell."""
    named = os.environ.get("SABOT_CHROMIUM") or shutil.which(SHELL)
    return named or (str(FETCHED) if FETCHED.exists() else None)


def browser() -> str | None:
    """The path of the best that there is."""
    return shell() or next(filter(None, map(shutil.which, WHOLE)), None)


def fetch_shell() -> None:
    """Bring the shell of Debian's installed Chromium out of its package, in the same version; nothing is installed.

    Where that cannot be done, or it shows no page, there is none.
    """
    if not shutil.which("dpkg-deb") or not INSTALLED.is_dir():
        return
    with tempfile.TemporaryDirectory(dir=VENV) as folder:
        try:
            _unpack(Path(folder))
        except (OSError, subprocess.SubprocessError):
            return


def _unpack(folder: Path) -> None:
    def done(*command: str) -> str:
        ran = subprocess.run(  # noqa: S603  Our own words.
            command, cwd=folder, capture_output=True, text=True, timeout=120, check=True
        )
        return ran.stdout

    version = done("dpkg-query", "--show", "--showformat=${Version}", "chromium")
    done("apt-get", "-qq", "download", f"{SHELL}={version}")
    done("sh", "-c", f"dpkg-deb -x {SHELL}_*.deb .")
    unpacked = folder / "usr" / "lib" / "chromium"
    for name in SHARED:
        shutil.copy(INSTALLED / name, unpacked / name)
    if "shown" in done(str(unpacked / SHELL), "--no-sandbox", "--disable-gpu", "--dump-dom", PAGE):
        shutil.rmtree(FETCHED.parent, ignore_errors=True)
        unpacked.rename(FETCHED.parent)
