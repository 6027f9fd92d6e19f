"""What a device makes of the events it is told: as much as a robot needs to know what to do next."""

from sabot.ledger.ledger import Purse
from sabot.rules.cards import CARDS, Card
from sabot.rules.coup import next_card
from sabot.table import events as e
from sabot.table.phase import TRANSITIONS, Phase
from sabot.views.audience import TablePicture


class EventBoard:
    def __init__(self) -> None:
        self.phase = Phase.CLOSED
        self.coup = 0
        self.cards: tuple[Card, ...] = ()
        self.awaits_confirmation = False
        self.frozen = False
        self.purse = Purse()

    def show(self, picture: TablePicture, station: str) -> None:
        """Start over from the whole picture."""
        self.phase, self.coup = picture.phase, picture.coup
        self.cards = tuple(CARDS[card] for card in picture.cards)
        self.awaits_confirmation, self.frozen = picture.awaits_confirmation, picture.frozen
        self.purse = picture.purses.get(station, Purse())

    def tell(self, events: tuple[e.Event, ...], purse: Purse | None) -> None:
        for event in events:
            self.phase = TRANSITIONS[self.phase].get(type(event).__name__, self.phase)
            match event:
                case e.WageringOpened():
                    self.coup, self.cards, self.awaits_confirmation = event.coup, (), False
                case e.CardDealt():
                    self.cards = (*self.cards, CARDS[event.card])
                case e.CardAmended() | e.CardTakenBack() | e.ResolutionTakenBack():
                    self._read_again(event)
                case e.SystemRestarted() | e.SystemFailed():
                    self.awaits_confirmation = event.awaits_confirmation
                case e.RecordsConfirmed() | e.CoupVoided() | e.CoupDecided():
                    self.awaits_confirmation = False
                case e.AccountsFrozen() | e.AccountsUnfrozen():
                    self.frozen = isinstance(event, e.AccountsFrozen)
        self.purse = self.purse if purse is None else purse

    def _read_again(self, event: e.CardAmended | e.CardTakenBack | e.ResolutionTakenBack) -> None:
        self.cards = tuple(CARDS[notation] for notation in event.cards)
        if isinstance(event, e.ResolutionTakenBack):
            self.phase, self.coup = event.phase, self.coup if event.coup is None else event.coup
        elif isinstance(event, e.CardTakenBack) and not event.cards and not event.dummy:
            self.phase = Phase.NO_MORE_BETS

    @property
    def is_card_due(self) -> bool:
        return next_card(self.cards) is not None
