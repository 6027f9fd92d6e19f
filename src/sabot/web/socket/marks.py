"""How a device counts what it is told, in place of the versions of the table's stream.

Every touch of every patron is a record, so the version of a stream tells how often others touch. A station, a display
and what belongs to a station are told marks instead, which count the frames that brought the device itself something.
The floor keeps which version each mark stands for, so that a device comes back with its mark.
"""

from bisect import bisect_right

import msgspec

from sabot.wire import frames as f

MOST_KEPT = 2_000
"""Marks of one device; one that comes back with an older one is shown everything anew."""


class Marks:
    """The marks of one device in one owner's time; another owner's time begins anew."""

    def __init__(self) -> None:
        self._epoch, self._first = 0, 1
        self._told: list[int] = []
        """The version that each mark stands for, from mark `_first` on; it never falls."""
        self._answered = (0, 0)
        """The newest answer and its mark, since it may be given again."""

    def told(self, frame: f.FloorFrame) -> bytes:
        """A frame as its device is told it."""
        match frame:
            case f.Answer():
                return f.write_answer(frame, self._mark_of(frame))
            case f.ViewFrame():
                return f.write_view(frame, self._next(frame.epoch, frame.version))
            case f.Told():
                return f.write(self._of_record(frame))
            case f.Welcome():
                return f.write(self._welcome(frame))
            case _:
                return f.write(frame)

    def known(self, hello: f.Hello) -> f.Hello:
        """What a device says that it knows, by version; 0 where its mark is forgotten or of another time."""
        version = self.version(hello.version) if hello.epoch == self._epoch else 0
        return msgspec.structs.replace(hello, version=version)

    def version(self, mark: int) -> int:
        """The version that a mark of the present time stands for; 0 for one that is forgotten."""
        place = mark - self._first
        return self._told[place] if 0 <= place < len(self._told) else 0

    @property
    def _last(self) -> int:
        return self._first + len(self._told) - 1

    def _next(self, epoch: int, version: int) -> int:
        if epoch != self._epoch:
            self._epoch, self._first, self._told, self._answered = epoch, 1, [], (0, 0)
        told = self._told
        told.append(max(version, told[-1]) if told else version)
        if len(told) > MOST_KEPT:
            del told[: MOST_KEPT // 2]
            self._first += MOST_KEPT // 2
        return self._first + len(told) - 1

    def _mark_of(self, answer: f.Answer) -> int:
        """The next picture has it. What is on no record stays so."""
        if not answer.version:
            return 0
        if answer.epoch != self._epoch:
            return 1
        if answer.n != self._answered[0]:
            self._answered = (answer.n, self._first + len(self._told))
        return self._answered[1]

    def _of_record(self, told: f.Told) -> f.Told:
        after = self._first + bisect_right(self._told, told.after) - 1
        return msgspec.structs.replace(told, after=after, version=self._next(told.epoch, told.version))

    def _welcome(self, welcome: f.Welcome) -> f.Welcome:
        missed: tuple[f.Told, ...] = ()
        is_current = not (welcome.missed or welcome.picture is not None or welcome.view)
        if is_current and welcome.epoch == self._epoch and self._told:
            self._told[-1] = max(self._told[-1], welcome.version)  # Nothing of what came since was for this device.
            version = self._last
        else:
            missed = tuple(self._of_record(told) for told in welcome.missed)
            version = self._next(welcome.epoch, welcome.version)
        pending = welcome.pending
        if isinstance(pending, f.Answer):
            pending = msgspec.structs.replace(pending, version=self._mark_of(pending))
        return msgspec.structs.replace(welcome, version=version, missed=missed, pending=pending)
