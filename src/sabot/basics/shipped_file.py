"""Data files that come with the package."""

import pkgutil


def shipped_file(package: str, name: str) -> bytes:
    """The bytes of a file beside a package's modules.

    `importlib.resources` would load the libraries of every archive format first, which takes longer than all rules.
    """
    found = pkgutil.get_data(package, name)
    assert found is not None, (package, name)
    return found
