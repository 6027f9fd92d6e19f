"""A table that is watched: its conversation, and the scorecard that its records lead to."""

from typing import Any

from sabot.table.conversation import Answer, Conversation
from sabot.table.state import TableState
from sabot.views.public import Public, public_view
from sabot.views.scorecard import Scorecard


class Watched:
    """Folds the scorecard as a running floor would: record by record, beside the state."""

    def __init__(self, talk: Conversation, card: Scorecard | None = None) -> None:
        self.talk = talk
        self.card = card or Scorecard.of(talk.state)
        self.noted = len(talk.records)
        self.public: Public | None = None

    @property
    def state(self) -> TableState:
        return self.talk.state

    def say(self, **line: Any) -> Answer:
        answer = self.talk.answer(line)
        for record in self.talk.records[self.noted :]:
            self.card = self.card.then(self.state, record.command, record.refusal or record.events)
        self.noted = len(self.talk.records)
        return answer

    def look(self) -> Public:
        """The public part, made from the one before as far as it can be."""
        self.public = public_view(self.state, self.card, self.talk.now_ms, self.public)
        return self.public

    def fork(self) -> "Watched":
        """The same table again, to be played on otherwise."""
        other = Conversation()
        other.go_on_from(self.state, self.talk.n, self.talk.now_ms)
        return Watched(other, self.card)
