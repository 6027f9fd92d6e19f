"""A cause is an alarm once, however many viewers it has and however long it lasts; one that comes back is one again."""

from sabot.runtime.view_failures import AGAIN_MS, ViewFailures


class Floor:
    """The alarms of a floor, and its clock."""

    def __init__(self) -> None:
        self.now_ms, self.alarms = 0, list[str]()
        self.failures = ViewFailures("T1", lambda _, text: self.alarms.append(text), lambda: self.now_ms)

    def fail(self, whose: str, what: str = "A1") -> None:
        try:
            raise KeyError(what)
        except KeyError as error:
            self.failures.note(whose, error)


def test_a_cause_with_many_viewers_is_one_alarm() -> None:
    floor = Floor()
    for station in range(50):
        floor.fail(f"station A{station}")
    assert len(floor.alarms) == 1
    floor.fail("the console", "another")
    assert len(floor.alarms) == 2


def test_a_cause_that_lasts_is_one_alarm() -> None:
    floor = Floor()
    for _ in range(10):
        floor.fail("the console")
        floor.now_ms += AGAIN_MS
    assert len(floor.alarms) == 1


def test_a_cause_that_comes_back_is_an_alarm_again() -> None:
    floor = Floor()
    floor.fail("the console")
    floor.failures.over("the console")
    floor.fail("the console")
    assert len(floor.alarms) == 1, "not so soon"
    floor.failures.over("the console")
    floor.now_ms += AGAIN_MS
    floor.fail("the console")
    assert len(floor.alarms) == 2
