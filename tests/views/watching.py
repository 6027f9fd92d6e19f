"""A table that is watched: its conversation, and the scorecard that its records lead to."""

from typing import Any

from sabot.floor.lines.answer import LineAnswer
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.table.state import TableState
from sabot.views.public import Public, public_view
from sabot.views.scorecard import Scorecard
from tests.table.playing import put_into


class Watched:
    """Folds the scorecard as a running floor would: record by record, beside the state."""

    def __init__(self, talk: LineTable, card: Scorecard | None = None) -> None:
        self.talk = talk
        self.card = card or Scorecard.of(talk.state)
        self.noted = len(talk.records)
        self.public: Public | None = None

    @property
    def state(self) -> TableState:
        return self.talk.state

    def say(self, **line: Any) -> LineAnswer:
        answer = self.talk.answer(line)
        for record in self.talk.records[self.noted :]:
            self.card = self.card.then(self.state, record.act, record.stamp, record.refusal or record.events)
        self.noted = len(self.talk.records)
        return answer

    def look(self) -> Public:
        """The public part, made from the one before as far as it can be."""
        self.public = public_view(self.state, self.card, self.talk.now_ms, self.public)
        return self.public

    def fork(self) -> "Watched":
        """The same table again, to be played on otherwise."""
        configuration = self.state.configuration
        other = LineFloor().enter(configuration)
        other.n = self.talk.n
        put_into(other, self.state, self.talk.now_ms)
        return Watched(other, self.card)
