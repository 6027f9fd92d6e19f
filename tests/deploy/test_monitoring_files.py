"""Alerts and dashboard name figures of a real floor, every alert is tried, and the fields of the log are documented."""

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.served.floor_file import staffed_floor
from tests.served.process import get, serving

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
MONITORING = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
SEVERITIES = {"critical", "warning", "info"}
OF_PROMETHEUS = {"up"}
_FIGURE = re.compile(r"\b(?:sabot|process)_[a-z_]+\b|\bup\b(?=[{ ])")
_SUFFIX = re.compile(r"_(?:bucket|sum|count)$")
LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
OF_EVERY_LINE = {"event", "level", "timestamp", "exception"}


def _expressions() -> list[str]:
    alerts = re.findall(r"^ +expr: (.+)$", (DEPLOY / "sabot-alerts.yml").read_text(encoding="utf-8"), re.MULTILINE)
    dashboard = json.loads((DEPLOY / "sabot-dashboard.json").read_text(encoding="utf-8"))
    assert len(alerts) > 10
    return [*alerts, *_strings(dashboard, "expr")]


def _strings(value: Any, key: str) -> list[str]:
    if isinstance(value, dict):
        own = [value[key]] if isinstance(value.get(key), str) else []
        return own + [found for one in value.values() for found in _strings(one, key)]
    return [found for one in value for found in _strings(one, key)] if isinstance(value, list) else []


def test_every_figure_that_alerts_and_dashboard_name_is_one_of_a_real_floor_and_documented(tmp_path: Path) -> None:
    with serving(staffed_floor(tmp_path)) as process:
        told = get(process.url, "/metrics").text
    known = set(re.findall(r"^# TYPE (\S+)", told, re.MULTILINE))
    named = {_SUFFIX.sub("", name) for expression in _expressions() for name in _FIGURE.findall(expression)}
    assert len(named) > 15
    assert named - known - OF_PROMETHEUS == set()
    documented = re.sub(r"`_(\w+)_total", r"`sabot_frames_\1_total", MONITORING)
    assert {name for name in known if name.startswith("sabot_") and f"`{name}" not in documented} == set()


def test_every_alert_has_a_severity_a_summary_and_what_to_do_and_is_tried() -> None:
    text = (DEPLOY / "sabot-alerts.yml").read_text(encoding="utf-8")
    rules = re.split(r"^ +- alert: ", text, flags=re.MULTILINE)[1:]
    tried = (DEPLOY / "sabot-alerts.test.yml").read_text(encoding="utf-8")
    for rule in rules:
        name = rule.split("\n")[0]
        (severity,) = re.findall(r"severity: (\w+)", rule)
        assert severity in SEVERITIES
        assert re.search(r'summary: ".+"\n +action: ".+"', rule), name
        assert re.search(rf"alertname: {name}\n +eval_time: .*\n +exp_alerts:", tried), f"{name} is never seen to fire"
        assert f"{{ alertname: {name}, " in tried, f"{name} is not seen to keep quiet"
    assert {"up{", "absent("} <= {found for found in ("up{", "absent(") if found in text}


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not there: apt-get install prometheus")
def test_promtool_reads_the_rules_and_sees_every_alert_fire_and_keep_quiet() -> None:
    for words in (["check", "rules", "sabot-alerts.yml"], ["test", "rules", "sabot-alerts.test.yml"]):
        done = subprocess.run(  # noqa: S603  Our own files.
            ["promtool", *words],  # noqa: S607  Found above.
            cwd=DEPLOY, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert "SUCCESS" in done.stdout + done.stderr


def test_the_dashboard_is_one_that_grafana_reads() -> None:
    """Its own schema cannot be had here: this holds what an import needs."""
    dashboard = json.loads((DEPLOY / "sabot-dashboard.json").read_text(encoding="utf-8"))
    assert {"title", "uid", "schemaVersion", "panels", "templating"} <= dashboard.keys()
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 10
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
        assert panel["targets"], panel["title"]
        assert panel["datasource"]["uid"] == "${source}"


def _logged() -> dict[str, set[str]]:
    """The fields of every line that the program logs, with its events."""
    fields: dict[str, set[str]] = {}
    for path in (ROOT / "src" / "sabot").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in LEVELS
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "log"
            ):
                for keyword in node.keywords:
                    if keyword.arg not in (None, "exc_info"):
                        fields.setdefault(str(keyword.arg), set()).add(ast.unparse(node.args[0]))
    return fields


def test_every_field_of_the_log_is_documented_and_no_other() -> None:
    part = MONITORING.partition("## The log")[2].partition("\n## ")[0]
    documented = {
        name for row in re.findall(r"^\| (`.*?) \|", part, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    assert documented == set(_logged()) | OF_EVERY_LINE
