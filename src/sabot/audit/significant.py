"""Which events a central monitoring system must hear of, and under which heading.

The play itself is not among them: wagers, cards and settlements reach the monitor as meters. What is told is what an
inspector would ask about: money that came or went by hand, what was put right or overridden, who may do what, what the
equipment did, and every change of what is played. An event that is not listed here is told to nobody by mistake: a test
holds the list against all events there are.
"""

from sabot.house import events as h
from sabot.table import events as e

HEADINGS: dict[str, tuple[type, ...]] = {
    "configuration": (
        *(e.Configured, e.BuildApproved, e.MinimumChanged, e.NoticeGiven, e.OptionTakenUp, e.FaceUpChanged),
        *(h.HouseConfigured, h.TableEntered, h.OptionOrdered, h.OptionChanged),
    ),
    "table": (e.TableOpened, e.TableClosed, e.GamingDayEnded, h.GamingDayOpened, h.GamingDayClosed),
    "staff": (
        *(e.SignedOn, e.SignedOff, e.Countersigned),
        *(h.PersonAppointed, h.PersonDismissed, h.PersonLockedOut, h.PersonUnlocked),
    ),
    "device": (e.DeviceReported, h.DeviceEnrolled, h.DeviceRevoked),
    "fault": (e.TableLocked, e.StationFaulted, e.SystemRestarted, e.RecordsConfirmed, e.WagersReversed, e.PrintFailed),
    "shoe": (e.CardsShuffled, e.ShoeOpened, e.ShoeEnded, e.CardsChecked, e.PackRecorded, e.CardsReplaced),
    "irregularity": (
        *(e.CoupVoided, e.DummyCoupDeclared, e.FactStated, e.FactResolved, e.FactWithdrawn, e.CoupReconstructed),
        *(e.CardAmended, e.CardsCarried, e.IncidentRecorded),
    ),
    "correction": (
        *(e.AccountsFrozen, e.OutcomeCorrected, e.CoupRecalculated, e.AccountsUnfrozen, e.CoupInvalidated),
        *(e.OwedCollected, e.OwedUncollected, e.OwedWaived, e.PayablePaid),
    ),
    "money": (
        *(e.AccountOpened, e.BoughtIn, e.BuyInDeferred, e.NoteStacked),
        *(e.BalanceHeld, e.PaidOut, e.AccountClosed),
    ),
    "ticket": (
        *(e.TicketIssued, e.TicketPaidManually),
        *(h.TicketRegistered, h.TicketPrinted, h.TicketClosedToTheCage, h.TicketSettledByHand, h.TicketRedeemed),
        *(h.TicketVoided, h.TicketReinstated, h.TicketExpired, h.WrongNumberTried, h.GuessingAlarmed),
    ),
    "patron": (
        *(e.ClaimMade, e.ClaimDecided, e.DisputeOpened, e.DisputeDecided, e.BreachRecorded, e.BreachActed),
        *(e.WagersVoided, e.PatronExcluded, e.WinningsSeized, e.SeizedReleased, e.DirectedToLeave),
        *(h.ExclusionMade, h.PatronReadmitted),
    ),
}
NOT_TOLD: tuple[type, ...] = (
    *(e.WagersChanged, e.WageringOpened, e.WageringClosed, e.CardDealt, e.CountsAnnounced, e.CoupDecided),
    *(e.WagersSettled, e.WagersSeen, e.CardsCut, e.CardsBurned, e.BurnShown, e.CuttingCardSeen),
    *(e.NomineeNamed, e.LeaveAsked, e.AskedToVacate, h.TableBusy, h.TicketRequested),
)
"""The play itself, and what only prepares something else."""

HEADING_OF: dict[type, str] = {kind: heading for heading, kinds in HEADINGS.items() for kind in kinds}
