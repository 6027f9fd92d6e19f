"""The list of dependencies with licences and hashes, in the form of CycloneDX 1.6."""

import base64
import json
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

_PINNED: Final = re.compile(
    r"^(?P<name>[\w.-]+)(?:\[[^]]*])?==(?P<version>[^\s;\\]+)(?P<rest>(?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE
)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_LONGEST_NAME: Final = 60
_PARTS_OF_PAGES: Final = (
    "svelte",
    "@fontsource-variable/inter",
    "@fontsource/noto-sans-sc",
    "@fontsource/noto-sans-tc",
)
"""The packages of the pages' lock that are sent to a browser; all others build or test."""
_SETS: Final = {"run.txt": "required", "screens.txt": "excluded"}
"""The locks whose packages a wheel runs with, or is built with."""

Component = dict[str, Any]


def bill_of_materials(root: Path, version: str, digest: str, dated: str | None) -> bytes:
    """Of the packages that the locks of this checkout name; those of the tests are left out."""
    seen = dict[str, Component]()
    for lock, scope in _SETS.items():
        for component in _locked(root / "requirements" / lock, scope):
            seen.setdefault(component["bom-ref"], component)
    for component in _of_pages(root / "screens" / "package-lock.json"):
        seen.setdefault(component["bom-ref"], component)
    own = f"pkg:pypi/sabot@{version}"
    made = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            **({"timestamp": f"{dated}T00:00:00Z"} if dated else {}),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "sabot",
                "version": version,
                "purl": own,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "properties": [{"name": "sabot:program-digest", "value": digest}],
            },
        },
        "components": [seen[ref] for ref in sorted(seen)],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(ref for ref, one in seen.items() if one["scope"] == "required")}
        ],
    }
    return json.dumps(made, indent=2, ensure_ascii=False).encode() + b"\n"


def _locked(lock: Path, scope: str) -> Iterator[Component]:
    for found in _PINNED.finditer(lock.read_text(encoding="utf-8")):
        name, version = re.sub(r"[-_.]+", "-", found["name"]).lower(), found["version"]
        hashes = sorted(_HASH.findall(found["rest"]))
        purl = f"pkg:pypi/{name}@{version}"
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "scope": scope,
            **_licences(name),
            "purl": purl,
            # The lock permits any of these files of the release; which one is installed depends on the machine.
            "externalReferences": [
                {
                    "type": "distribution",
                    "url": purl,
                    "hashes": [{"alg": "SHA-256", "content": one} for one in hashes],
                }
            ],
        }


def _licences(package: str) -> dict[str, Any]:
    """As the installed package states it; nothing for one that is not installed here."""
    try:
        stated = _stated(distribution(package))
    except PackageNotFoundError:
        stated = None
    if stated is None:
        return {}
    kind, words = stated
    return {"licenses": [{"expression": words} if kind == "expression" else {"license": {"name": words}}]}


def _stated(package: Distribution) -> tuple[str, str] | None:
    told = package.metadata.json
    if expression := told.get("license_expression"):
        return "expression", str(expression)
    words = str(told.get("license") or "").strip()
    if words and len(words) <= _LONGEST_NAME and "\n" not in words:
        return "name", words
    classed = [one.rpartition("::")[2].strip() for one in told.get("classifier", []) if one.startswith("License ::")]
    return ("name", ", ".join(classed)) if classed else None


def _of_pages(lock: Path) -> Iterator[Component]:
    for path, package in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
        if not path or "integrity" not in package:
            continue
        name, version = path.rpartition("node_modules/")[2], package["version"]
        algorithm, _, encoded = package["integrity"].partition("-")
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "scope": "required" if name in _PARTS_OF_PAGES else "excluded",
            "hashes": [{"alg": f"SHA-{algorithm.removeprefix('sha')}", "content": base64.b64decode(encoded).hex()}],
            **({"licenses": [{"license": {"name": package["license"]}}]} if "license" in package else {}),
            "purl": purl,
        }
