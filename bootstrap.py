"""From a bare checkout to a running command, with nothing but Python's standard library.

    python3 bootstrap.py sabot ARGS…   set up what running needs, then become `sabot ARGS…`
    python3 bootstrap.py test ARGS…    set up what testing needs, then run every check
    python3 bootstrap.py lock          write requirements/*.txt anew from pyproject.toml
    python3 bootstrap.py screens       build the pages anew where their sources changed
    python3 bootstrap.py docs          build the site of the documents anew where they changed

Everything lives in .venv beside this file. A stamp in it holds a fingerprint of all that the set-up depends on,
so a later run costs one hash and starts at once. Whatever is said here is said on standard error: standard output
belongs to the command.
"""

import hashlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
PYTHON = BIN / "python"
UV = BIN / "uv"
STAMP = VENV / "sabot-stamp"
REQUIREMENTS = ROOT / "requirements"
SCREENS = ROOT / "screens"
SHOW_SCREENS = ("serve", "demo")
"""The commands that serve pages; no other one waits for them to be built."""
SITE = ROOT / "docsite" / "make_site.py"
MEMORY = "/dev/shm"  # noqa: S108  Every test makes a folder of its own in it.
ROOM_FOR_TESTS = 8 << 30

NOT_OURS = ("PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
"""The first two lead to other packages. With the last one every process would compile all modules anew."""
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in NOT_OURS},
    "VIRTUAL_ENV": str(VENV),
    "UV_PYTHON_DOWNLOADS": "never",
    "UV_NO_CONFIG": "1",
    "UV_COMPILE_BYTECODE": "1",
    "UV_SYSTEM_CERTS": "1",  # Trust what the machine trusts, as pip does.
}


class SetUpFailed(Exception):
    """Carries the one sentence that tells the user what is missing."""


def say(sentence):
    sys.stderr.write(f"sabot: {sentence}\n")  # In one piece, since two steps may speak at once.
    sys.stderr.flush()


def run(*command, otherwise, last_words=False):
    """Run one step of the set-up; when it fails, say `otherwise`, after the step's own last words if they help."""
    import subprocess

    done = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        if last_words:
            sys.stderr.write("".join(done.stdout.splitlines(keepends=True)[-12:]))
        raise SetUpFailed(otherwise)


def fingerprint(lock):
    """The set-up depends on these files, on where the checkout lies and on which Python made the environment."""
    digest = hashlib.sha256(f"{ROOT}\0{sys.version_info[:2]}\0".encode())
    kernel = ROOT / "src" / "sabot" / "odds" / "kernel"
    compiled = (ROOT / "hatch_build.py", kernel / "compiling.py", *sorted(kernel.glob("*.[ch]")))
    for path in (REQUIREMENTS / lock, ROOT / "pyproject.toml", Path(__file__), *compiled):
        digest.update(path.read_bytes())
    return lock + " " + digest.hexdigest()


def is_ready(*locks):
    try:
        stamp = STAMP.read_text()
        return any(stamp.startswith(lock) and stamp == fingerprint(lock) for lock in locks) and os.access(
            PYTHON, os.X_OK
        )
    except OSError:
        return False


def install(requirements):
    """Install pinned packages: with uv, which takes seconds, or with pip where uv cannot reach what pip can."""
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1")
    pinned = ("--require-hashes", "-r", REQUIREMENTS / requirements)
    no_index = "the pinned packages could not be fetched; is the Python package index reachable from here?"
    if UV.exists():
        try:
            return run(UV, "pip", "install", "--quiet", *pinned, otherwise=no_index)
        except SetUpFailed:
            say("uv could not fetch them; trying pip")
    return run(*pip, *pinned, otherwise=no_index)


def environment_is_sound():
    """An environment of this Python, in this place, that still runs can be added to instead of being made anew."""
    question = "import sys, pip; print(sys.version_info[:2], sys.prefix)"
    import subprocess

    try:
        answer = subprocess.run(
            [str(PYTHON), "-c", question], env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
    except OSError:
        return False
    return answer.stdout.strip() == f"{tuple(sys.version_info[:2])} {VENV}"


def make_environment():
    import subprocess

    try:
        import ensurepip  # noqa: F401  Debian ships Python without it unless python3-venv is installed.
        import venv
    except ImportError:
        raise SetUpFailed(
            "this Python cannot make a virtual environment (no ensurepip); on Debian and Ubuntu: "
            "apt-get install python3-venv"
        ) from None
    say("making the virtual environment .venv")
    try:
        venv.EnvBuilder(clear=True, symlinks=True, with_pip=True).create(VENV)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetUpFailed(f"the virtual environment .venv could not be made: {error}") from None


def check_writable():
    if not os.access(ROOT, os.W_OK) or (VENV.exists() and not os.access(VENV, os.W_OK)):
        raise SetUpFailed(
            f"this checkout is read-only ({ROOT}) and not set up: run python3 bootstrap.py screens once as a user who "
            "may write here, or install the wheel, which needs no checkout"
        )


def set_up(lock, serves_too=()):
    """Bring .venv to the state that `lock` asks for; an environment made for `serves_too` will do as well."""
    if is_ready(lock, *serves_too):
        return
    if sys.prefix != sys.base_prefix:  # The environment's own Python, which cannot make its environment anew.
        base = sys._base_executable  # noqa: SLF001  The one that made it, as `venv` itself finds it.
        os.execv(base, [base, __file__, *sys.argv[1:]])
    import fcntl

    check_writable()
    with (ROOT / ".venv.lock").open("w") as turnstile:
        fcntl.flock(turnstile, fcntl.LOCK_EX)  # A second run waits for the first instead of spoiling its work.
        if is_ready(lock, *serves_too):
            return
        say("setting up, which takes a minute the first time; later runs start at once")
        STAMP.unlink(missing_ok=True)
        if not environment_is_sound():
            make_environment()
        if not UV.exists():
            say("installing the installer (uv)")
            install("uv.txt")
        say(f"installing the pinned packages of requirements/{lock}")
        install(lock)
        say("installing sabot itself")
        run(
            *(UV, "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT),
            otherwise="sabot itself could not be built; the lines above say why.",
            last_words=True,
        )
        STAMP.write_text(fingerprint(lock))
        say("ready")


def build_anew(what, program, lock, otherwise):
    """Run a program that builds something, if its sources changed, with packages that are fetched only for this."""
    import fcntl
    import runpy

    is_built = runpy.run_path(str(program))["is_built"]
    if is_built():
        return
    check_writable()
    with (ROOT / ".venv.lock").open("w") as turnstile:
        fcntl.flock(turnstile, fcntl.LOCK_EX)
        if is_built():
            return
        say(f"building {what}")
        install(lock)
        run(PYTHON, program, otherwise=otherwise, last_words=True)


def build_screens():
    """The pages, with a Node that comes as a package."""
    failed = "the pages could not be built; is the npm registry reachable from here?"
    build_anew("the pages", SCREENS / "build.py", "screens.txt", failed)


def build_site():
    """The site of the documents."""
    build_anew("the site of the documents", SITE, "docs.txt", "the site could not be built; the lines above say why.")


def find_browser():
    """The path of a Chromium for the tests; where there is none, the system's packages or Playwright bring one."""
    import runpy
    import shutil

    known = runpy.run_path(str(SCREENS / "browser.py"))
    missing = "the browser tests need a Chromium: install one, or set SABOT_CHROMIUM to its path."
    if not known["browser"]():
        say("fetching a Chromium for the browser tests")
        if os.geteuid() != 0 or not shutil.which("apt-get"):
            run(BIN / "playwright", "install", "--only-shell", "chromium", otherwise=missing, last_words=True)
            return ""
        quiet = ("apt-get", "-qq", "-o", "Dpkg::Use-Pty=0")
        run(*quiet, "update", otherwise=missing)
        run(*quiet, "install", "--yes", "--no-install-recommends", "chromium", otherwise=missing)
    if known["browser"]() and not known["shell"]():
        say("fetching the shell of Chromium for the browser tests")
        known["fetch_shell"]()
    return known["browser"]() or ""


def find_promtool():
    """Bring promtool, which tries the alerts, out of Debian's package; installing that would start its server.

    Where it cannot be had, the test that needs it says so and is left out.
    """
    import shutil
    import subprocess
    import tempfile

    if shutil.which("promtool") or (BIN / "promtool").exists() or not shutil.which("dpkg-deb"):
        return
    say("fetching promtool for the tests of the alerts")
    with tempfile.TemporaryDirectory() as folder:
        for command in (("apt-get", "-qq", "download", "prometheus"), ("sh", "-c", "dpkg-deb -x prometheus_*.deb .")):
            if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
                return
        shutil.copy(Path(folder, "usr", "bin", "promtool"), BIN / "promtool")


def write_locks():
    """Pin every package with hashes, in files that name no package host."""
    set_up("dev.txt" if (REQUIREMENTS / "dev.txt").exists() else "run.txt")
    options = (
        *("--quiet", "--universal", "--generate-hashes", "--upgrade"),
        *("--no-emit-index-url", "--no-header", "--no-annotate"),
    )
    failed = "the packages could not be resolved; the lines above say why."
    wanted = (
        # A checkout prints PAR sheets and conditions at once, as its documents show; a wheel takes the extra if asked.
        ("run.txt", ("pyproject.toml", "--extra", "paper", "--group", "build")),
        ("screens.txt", ("--group", "pyproject.toml:screens")),
        ("docs.txt", ("--group", "pyproject.toml:docs")),
        ("dev.txt", ("pyproject.toml", "--extra", "paper", "--extra", "frames", "--group", "dev")),
    )
    for lock, packages in wanted:
        say(f"resolving requirements/{lock}")
        run(
            *(UV, "pip", "compile", *packages, *options, "-o", REQUIREMENTS / lock),
            otherwise=failed,
            last_words=True,
        )
    run(
        *(UV, "pip", "compile", REQUIREMENTS / "uv.in", *options, "-o", REQUIREMENTS / "uv.txt"),
        otherwise=failed,
        last_words=True,
    )


def failed_checks(environment, building):
    """Lint, format, import arrows and types, one after the other, then the pages' own once those are built.

    Names what failed, with what it said. They run beside the build and the tests, which leave a core idle now and then.
    """
    import subprocess

    own = [
        ("lint", [BIN / "ruff", "check", "--quiet", "."]),
        ("format", [BIN / "ruff", "format", "--quiet", "--check", "."]),
        ("import arrows", [BIN / "lint-imports", "--no-logo"]),
        ("types", [BIN / "mypy", "--no-error-summary"]),
    ]
    if not (ROOT / "tests" / "__pycache__").exists():
        # Compiled once while the pages are built; otherwise every process of the tests compiles all of them.
        reading = [PYTHON, "-m", "pytest", "-qq", "--numprocesses=0", "--collect-only", "-p", "no:cacheprovider"]
        own.insert(0, ("that all tests can be read", reading))
    of_the_pages = [
        ("the pages' types", [PYTHON, SCREENS / "build.py", "types"]),
        ("the pages' parts", [PYTHON, SCREENS / "build.py", "parts"]),
    ]

    def check(name, command):
        say(f"checking {name}")
        done = subprocess.run(
            [str(word) for word in command],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return (name, done.stdout) if done.returncode else None

    failed = [check(*one) for one in own]
    building.result()
    failed += [check(*one) for one in of_the_pages]
    return list(filter(None, failed))


def has_room_in_memory():
    """Whether the files of the tests fit into memory. They make and delete so many that a disk takes a sixth longer."""
    import shutil

    return os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM_FOR_TESTS


def check_everything(words):
    """Every check and the tests; naming tests (`./test -k NAME`) runs only those."""
    import subprocess
    from concurrent.futures import ThreadPoolExecutor

    fast, soak = "--fast" in words, "--soak" in words
    words = [word for word in words if word not in ("--fast", "--soak")]
    environment = dict(ENVIRONMENT, PATH=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")
    if "TMPDIR" not in environment and has_room_in_memory():
        environment["TMPDIR"] = MEMORY
    if fast or soak:
        environment["HYPOTHESIS_PROFILE"] = "fast" if fast else "soak"
    selection = [] if words or soak else ["-m", "not slow and not whole" if fast else "not whole"]
    with ThreadPoolExecutor(4) as beside:
        building, browser = beside.submit(build_screens), beside.submit(find_browser)
        promtool = beside.submit((lambda: None) if words else find_promtool)
        checks = None if words else beside.submit(failed_checks, environment, building)
        building.result()
        build_site()
        environment = dict(environment, SABOT_CHROMIUM=browser.result())
        promtool.result()
        say("running the tests")
        status = subprocess.call([str(PYTHON), "-m", "pytest", *selection, *words], cwd=ROOT, env=environment)
        failed = checks.result() if checks else []
    for _, said in failed:
        print(said, end="")
    if failed:
        say("failed: " + ", ".join(name for name, _ in failed))
    return status or (1 if failed else 0)


def main(job="", *words):
    try:
        if job == "sabot":
            set_up("run.txt", serves_too=("dev.txt",))
            if words and words[0] in SHOW_SCREENS and not {"--terminal", "--help", "-h"}.intersection(words):
                build_screens()
            if words and words[0] == "docs" and not {"--help", "-h"}.intersection(words):
                build_site()
            os.execve(BIN / "sabot", ["sabot", *words], ENVIRONMENT)
        elif job == "test":
            set_up("dev.txt")
            return check_everything(list(words))
        elif job == "lock":
            return write_locks()
        elif job == "screens":
            set_up("run.txt", serves_too=("dev.txt",))
            build_screens()
        elif job == "docs":
            set_up("run.txt", serves_too=("dev.txt",))
            build_site()
        else:
            say("usage: python3 bootstrap.py sabot|test|lock|screens|docs …")
            return 2
    except SetUpFailed as failure:
        say(str(failure))
        return 69
    except KeyboardInterrupt:
        say("stopped")
        return 130


sys.exit(main(*sys.argv[1:]))
