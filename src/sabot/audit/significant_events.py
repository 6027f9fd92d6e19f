"""The events that a central monitoring system is sent, each under a heading.

Wagers, cards and settlements are not sent; they reach the monitor as meters. Sent are the events that an inspector asks
about: money that came or went by hand, corrections and overrides, authority, equipment, and changes of what is played.
A test compares the two lists with all events, so that no event is left out unnoticed.
"""

import enum

from sabot.house import events as h
from sabot.table import events as e
from sabot.tournament import events as t


class MonitorHeading(enum.StrEnum):
    CONFIGURATION = "configuration"
    TABLE = "table"
    STAFF = "staff"
    DEVICE = "device"
    FAULT = "fault"
    SHOE = "shoe"
    IRREGULARITY = "irregularity"
    CORRECTION = "correction"
    MONEY = "money"
    TICKET = "ticket"
    PATRON = "patron"
    TOURNAMENT = "tournament"
    INTEGRITY = "integrity"


HEADINGS: dict[MonitorHeading, tuple[type, ...]] = {
    MonitorHeading.CONFIGURATION: (
        *(e.Configured, e.BuildApproved, e.MinimumChanged, e.OptionTakenUp, e.FaceUpChanged),
        *(e.NoticeGiven, e.NoticeWithdrawn, e.SignShown),
        *(h.HouseConfigured, h.TableEntered, h.OptionOrdered, h.OptionChanged),
    ),
    MonitorHeading.TABLE: (e.TableOpened, e.TableClosed, e.GamingDayEnded, h.GamingDayOpened, h.GamingDayClosed),
    MonitorHeading.STAFF: (
        *(e.SignedOn, e.SignedOff, e.SignOnDropped, e.Countersigned),
        *(h.PersonAppointed, h.PersonDismissed, h.PersonLockedOut, h.PersonUnlocked),
        *(h.ServiceMade, h.ServiceRevoked, h.ServiceUsed),
    ),
    MonitorHeading.DEVICE: (
        *(e.DeviceReported, e.StationTakenOut, e.StationPutBack),
        *(h.DeviceEnrolled, h.DeviceRevoked),
    ),
    MonitorHeading.FAULT: (
        e.TableLocked,
        e.TableUnlocked,
        e.DifferenceBooked,
        e.StationFaulted,
        e.SystemFailed,
        e.SystemRestarted,
        e.ClockJumped,
        e.RecordsConfirmed,
        e.WagersReversed,
        e.PrintFailed,
    ),
    MonitorHeading.SHOE: (
        *(e.CardsShuffled, e.ShoeOpened, e.ShoeEnded, e.CardsChecked, e.PackRecorded, e.CardsReplaced),
        *(e.CuttingCardWithdrawn, e.CuttingCardOverdue, e.ShoeRecounted, e.CardsDoubted),
    ),
    MonitorHeading.IRREGULARITY: (
        *(e.CoupVoided, e.DummyCoupDeclared, e.FactStated, e.FactResolved, e.FactWithdrawn, e.CoupReconstructed),
        *(e.CardAmended, e.CardTakenBack, e.ResolutionTakenBack, e.CardsCarried, e.IncidentRecorded),
    ),
    MonitorHeading.CORRECTION: (
        *(e.AccountsFrozen, e.OutcomeCorrected, e.CoupRecalculated, e.AccountsUnfrozen, e.CoupInvalidated),
        *(e.OwedCollected, e.OwedUncollected, e.OwedWaived, e.PayablePaid),
        *(e.BuyInCorrected, e.WaitingBuyInCorrected, e.BroughtBack),
    ),
    MonitorHeading.MONEY: (
        *(e.AccountOpened, e.BoughtIn, e.BuyInDeferred, e.NoteStacked),
        *(e.BalanceHeld, e.PaidOut, e.AccountClosed),
        *(e.ChipsFilled, e.ChipsCredited, e.FloatCounted, e.FloatUncounted),
        *(e.BalanceHeld, e.PaidOut, e.AccountClosed, e.PatronMoved, e.SeatTakenBack),
        *(e.BalanceHeld, e.PaidOut, e.PaidByHand, e.AccountClosed),
        *(t.SlipRaised, t.SlipWithdrawn, t.SlipNoted, t.StakesDue),
        *(h.SlipRegistered, h.SlipTaken, h.SlipPaid, h.SlipCancelled, h.SlipHeld, h.SlipReleased, h.SlipForfeited),
        *(h.SlipExpired, h.PoolRaised, h.StakesSettled, h.TournamentClosed),
    ),
    MonitorHeading.TICKET: (
        *(e.TicketIssued, e.TicketPaidManually, e.ReleaseHandedBack, h.TicketReleased, h.TicketReleaseEnded),
        *(h.TicketRegistered, h.TicketPrinted, h.TicketClosedToTheCage, h.TicketSettledByHand, h.TicketRedeemed),
        *(h.TicketVoided, h.TicketReinstated, h.TicketExpired, h.WrongNumberTried, h.GuessingAlarmed),
        *(e.TicketCredited, h.TicketTakenIn, e.EscrowDropped),
    ),
    MonitorHeading.PATRON: (
        *(e.ClaimMade, e.ClaimDecided, e.DisputeOpened, e.DisputeDecided, e.BreachRecorded, e.BreachActed),
        *(e.RemedyPerformed, e.DetentionEnded, e.ComplaintMade, e.ComplaintAnswered, e.ComplaintClosed),
        *(e.WagersVoided, e.PatronExcluded, e.WinningsSeized, e.SeizedReleased, e.DirectedToLeave),
        *(e.OwnLimitSet, e.BreakTaken, e.OwnLimitsCarried, e.AttendantCalled, e.CallAnswered, e.CallEnded),
        *(h.ExclusionMade, h.PatronReadmitted),
    ),
    MonitorHeading.INTEGRITY: (h.LightRaised, h.LightSeenTo),
    MonitorHeading.TOURNAMENT: (
        *(t.TournamentCreated, t.ConditionsSaved, t.VersionWithdrawn, t.ConditionsApproved, t.DirectorAppointed),
        t.DeputiesNamed,
        *(t.EntryOpened, t.EntryClosed, t.EntryLapsed, t.EntrantRegistered, t.Waitlisted, t.AlternateAdmitted),
        *(t.EntrantEntered, t.ApplicationRefused, t.EntrantWithdrawn, t.SignaturesRequired, t.EntrantsBriefed),
        *(t.ConditionsSigned, t.DirectorPresent, t.DirectorAway, t.TablesDesignated, t.TablesReleased),
        *(t.DrawCommitted, t.SeatsDrawn, t.StartAltered, t.SessionCalled, t.SessionEnded, t.ArrivalRecorded),
        *(t.EntrantAbsent, t.SubstituteApproved, t.SubstituteRefused, t.EntrantRetired, t.EntrantDisqualified),
        *(t.EntrantExcluded, t.ConclusionOrdered, t.ClosingOrdered, t.SittingAbandoned, t.TieFound, t.TieBroken),
        *(t.RoundConfirmed, t.RoundReopened, t.PlaceAdmitted, t.BuyBackAsked, t.BoughtBack, t.PrizesAwarded),
        *(t.TournamentCancelled, t.BooksClosed),
        *(e.TableReserved, e.TableReleased, e.SessionOpened, e.SessionPlayed, e.SessionClosed),
        *(e.SeatOpened, e.SubstituteSeated, e.SeatClosed, e.CreditsAdded, e.CreditsForfeited, e.ForfeitReturned),
        *(e.MissWarned, e.SessionRescored, e.SessionCoupCorrected),
    ),
}
NOT_TOLD: tuple[type, ...] = (
    *(e.WagersChanged, e.WageringOpened, e.WageringClosed, e.CardDealt, e.CountsAnnounced, e.CoupDecided),
    *(e.WagersSettled, e.WagersSeen, e.CardsCut, e.CardsBurned, e.BurnShown, e.CuttingCardSeen),
    *(e.NomineeNamed, e.LeaveAsked, e.LeaveTakenBack, e.AskedToVacate, h.TableBusy, h.TicketRequested),
    *(h.TicketEscrowed, h.TicketEscrowEnded),
    *(h.SignOnAnnounced, h.SignOffNoted, h.PapersPutAway, h.PapersRecalled),
    *(t.TableNoted, t.SittingNoted, t.ScoreNoted),
    *(e.SessionScored, e.SeatToClose, e.ConclusionAgreed, e.CheckAcknowledged),
)
"""Play, and events that only prepare another one."""

HEADING_OF: dict[type, MonitorHeading] = {kind: heading for heading, kinds in HEADINGS.items() for kind in kinds}
