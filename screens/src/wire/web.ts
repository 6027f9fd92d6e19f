// Written by screens/messages.py from the server's own structs; do not edit.

export interface ChallengeGiven {
  readonly nonce: string;
  readonly floor: string;
  readonly expires_ms: number;
}

export interface SignOnAnswer {
  readonly token: string;
  readonly person: string;
  readonly roles: readonly ("operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "surveillance" | "station" | "clock")[];
  readonly device: string;
  readonly expires_ms: number;
  readonly idle_ms: number;
}

export interface SessionShown {
  readonly id: string;
  readonly person: string;
  readonly roles: readonly ("operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "surveillance" | "station" | "clock")[];
  readonly device: string;
  readonly made_ms: number;
  readonly seen_ms: number;
  readonly expires_ms: number;
  readonly idle_ms: number;
}

export interface ApprovalGiven {
  readonly token: string;
  readonly person: string;
  readonly act: string;
  readonly expires_ms: number;
}

/** A request as those see it who may enrol. */
export interface WaitingShown {
  readonly id: string;
  readonly kind: "station" | "console" | "display" | "note_acceptor" | "printer" | "card_reader" | "shoe" | "desk";
  readonly status: "waiting" | "enrolled" | "refused";
  readonly device: string;
  readonly expires_ms: number;
  readonly address: string;
}

/** The events that a command to the house caused. */
export interface Done {
  readonly events: readonly (HouseConfigured | TableEntered | TableBusy | OptionOrdered | OptionChanged | PersonAppointed | PersonDismissed | SignOnAnnounced | SignOffNoted | PersonLockedOut | PersonUnlocked | DeviceEnrolled | DeviceRevoked | ExclusionMade | PatronReadmitted | TicketRequested | TicketRegistered | TicketPrinted | TicketClosedToTheCage | TicketReleased | TicketReleaseEnded | TicketSettledByHand | TicketRedeemed | TicketVoided | TicketReinstated | TicketExpired | WrongNumberTried | GuessingAlarmed | TicketEscrowed | TicketEscrowEnded | TicketTakenIn | SlipRegistered | SlipTaken | SlipPaid | SlipCancelled | SlipHeld | SlipReleased | SlipForfeited | SlipExpired | PoolRaised | StakesSettled | TournamentClosed | GamingDayOpened | GamingDayClosed | PapersPutAway | PapersRecalled | LightRaised | LightSeenTo | ServiceMade | ServiceRevoked | ServiceUsed)[];
}

/** A record in words, with the postings it made and the hash it carries. */
export interface RecordTold {
  readonly version: number;
  readonly epoch: number;
  readonly coup: number;
  readonly hash: string;
  readonly told: RecordStory;
}

/** All figures that the reports of a table show. */
export interface TableReport {
  readonly heading: Heading;
  readonly table: string;
  readonly currency: string;
  readonly as_of: number;
  readonly signed_to: number;
  readonly records: number;
  readonly first: number;
  readonly last: number;
  readonly shift: ShiftReport;
  readonly put_right: readonly PutRightLine[];
  readonly bets: readonly BetLine[];
  readonly dealers: readonly DealerLine[];
  readonly patrons: readonly PatronLine[];
  readonly float_lines: readonly FloatLine[];
  readonly meters: readonly MeterLine[];
}

/** Counts are ordered sequences of six cards, as text, because many JSON readers keep numbers as doubles. */
export interface OddsAnswer {
  readonly rule_set: string;
  readonly decks: number;
  readonly cards: number;
  readonly total: string;
  readonly outcomes: Readonly<Record<string, string>>;
  readonly bets: Readonly<Record<string, BetOddsAnswer>>;
  readonly covariance?: Readonly<Record<string, Readonly<Record<string, string>>>> | null;
  readonly removal?: Readonly<Record<string, Readonly<Record<string, string>>>> | null;
}

export interface FloorCurves {
  readonly day: string;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly time_zone: string;
  readonly made_ms: number;
  readonly table: string;
  readonly currency: string;
  readonly points: readonly CurvePoint[];
  readonly hours: readonly CurveHour[];
  readonly by_table: readonly HoldLine[];
  readonly by_bet: readonly HoldLine[];
  readonly by_dealer: readonly HoldLine[];
}

/** A report over the tables of a floor. */
export interface FloorReport {
  readonly code: string;
  readonly head: ReportHead;
  readonly currency: string;
  readonly sheets: readonly ReportSheet[];
  readonly sources: readonly SheetSource[];
}

/** What a report can be asked for by. */
export interface ReportChoices {
  readonly casino: string;
  readonly time_zone: string;
  readonly day: string;
  readonly shifts: readonly string[];
  readonly reports: readonly string[];
}

export interface ReportFile {
  readonly name: string;
  readonly media_type: string;
  readonly content: string;
}

export interface StartShown {
  readonly demo: DemoShown | null;
  readonly school: boolean;
}

/** The cards in their notation, each hand in the order of drawing. */
export interface Felt {
  readonly player: readonly string[];
  readonly banker: readonly string[];
  readonly drawn: string;
  readonly drawn_for: "player" | "banker" | null;
  readonly cutting_card: boolean;
  readonly astray: readonly string[];
  readonly astray_on: "player" | "banker" | null;
  readonly unseen: number;
}

/** Which device a code enrols. */
export interface InvitationShown {
  readonly device: string;
  readonly kind: "station" | "console" | "display" | "note_acceptor" | "printer" | "card_reader" | "shoe" | "desk";
  readonly table: string;
  readonly station: string;
}

export interface QrPicture {
  readonly size: number;
  readonly path: string;
}

export interface IntegrityShown {
  readonly tables: readonly TableIntegrity[];
  readonly false_alarms_a_day: number;
  readonly of_tables: number;
}

export interface LightsShown {
  readonly table: string;
  readonly state: "quiet" | "watch" | "alarm";
  readonly lights: readonly Light[];
  readonly interval_misses: number;
}

export interface ServiceShown {
  readonly service: string;
  readonly scopes: readonly ("meters" | "outbox" | "patron_cards" | "cage")[];
  readonly purpose: string;
  readonly by: string;
  readonly made_ms: number;
  readonly expires_ms: number;
  readonly used_ms: number;
  readonly a_minute: number;
  readonly revoked: boolean;
}

export interface ServiceGiven {
  readonly service: string;
  readonly token: string;
  readonly expires_ms: number;
}

/** A service account as the operator wants it. */
export interface ServiceBody {
  readonly service: string;
  readonly scopes: readonly ("meters" | "outbox" | "patron_cards" | "cage")[];
  readonly purpose: string;
  readonly days: number;
  readonly a_minute: number;
}

export interface HouseConfigured {
  readonly event: "HouseConfigured";
  readonly time_zone: string;
  readonly gaming_day_starts: string;
  readonly ticket_validity_days: number;
  readonly several_tables: boolean;
  readonly by: string;
}

/** A table of the house, and which of the optioned side bets it offers. */
export interface TableEntered {
  readonly event: "TableEntered";
  readonly table: string;
  readonly offers: readonly string[];
  readonly choices: Readonly<Record<string, number>>;
  readonly cited_as: Readonly<Record<string, string>>;
}

/** Whether a coup is under way at a table. */
export interface TableBusy {
  readonly event: "TableBusy";
  readonly table: string;
  readonly busy: boolean;
}

/** An option was chosen for all tables; it waits until every table that offers the bet is between coups. */
export interface OptionOrdered {
  readonly event: "OptionOrdered";
  readonly option: string;
  readonly choice: number;
  readonly by: string;
  readonly clause: string;
}

/** From now on every table that offers the bet plays by this option. */
export interface OptionChanged {
  readonly event: "OptionChanged";
  readonly option: string;
  readonly choice: number;
  readonly clause: string;
}

export interface PersonAppointed {
  readonly event: "PersonAppointed";
  readonly person: string;
  readonly roles: readonly ("operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "surveillance" | "station" | "clock")[];
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface PersonDismissed {
  readonly event: "PersonDismissed";
  readonly person: string;
  readonly reason: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** From now on the person asks the house in this role alone (G-99); the table's sign-on bears the number. */
export interface SignOnAnnounced {
  readonly event: "SignOnAnnounced";
  readonly person: string;
  readonly table: string;
  readonly role: "operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "surveillance" | "station" | "clock";
  readonly number: number;
  readonly at_ms: number;
  readonly clause: string;
}

/** The person is not signed on at the table any more, or never was under this number. */
export interface SignOffNoted {
  readonly event: "SignOffNoted";
  readonly person: string;
  readonly table: string;
  readonly number: number;
  readonly clause: string;
}

/** So many wrong PINs in a row look like guessing: nobody signs on there in this person's name for now (G-118). */
export interface PersonLockedOut {
  readonly event: "PersonLockedOut";
  readonly person: string;
  readonly failures: number;
  readonly at_ms: number;
  readonly clause: string;
  readonly console?: string;
  readonly until_ms?: number | null;
}

export interface PersonUnlocked {
  readonly event: "PersonUnlocked";
  readonly person: string;
  readonly reason: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface DeviceEnrolled {
  readonly event: "DeviceEnrolled";
  readonly device: string;
  readonly kind: "station" | "console" | "display" | "note_acceptor" | "printer" | "card_reader" | "shoe" | "desk";
  readonly table: string;
  readonly key: string;
  readonly approval: string;
  readonly remote: boolean;
  readonly station: string;
  readonly places: Readonly<Record<string, string>>;
  readonly by: string;
  readonly second: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface DeviceRevoked {
  readonly event: "DeviceRevoked";
  readonly device: string;
  readonly reason: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface ExclusionMade {
  readonly event: "ExclusionMade";
  readonly patron: string;
  readonly reason: string;
  readonly until_ms: number | null;
  readonly source: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface PatronReadmitted {
  readonly event: "PatronReadmitted";
  readonly patron: string;
  readonly reason: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface TicketRequested {
  readonly event: "TicketRequested";
  readonly ticket: string;
  readonly table: string;
  readonly station: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface TicketRegistered {
  readonly event: "TicketRegistered";
  readonly ticket: string;
  readonly cents: number;
  readonly table: string;
  readonly station: string;
  readonly issued_ms: number;
  readonly expires_ms: number | null;
  readonly clause: string;
}

export interface TicketPrinted {
  readonly event: "TicketPrinted";
  readonly ticket: string;
  readonly by: string;
  readonly clause: string;
}

/** It was not printed: only a payment by hand is open. */
export interface TicketClosedToTheCage {
  readonly event: "TicketClosedToTheCage";
  readonly ticket: string;
  readonly fault: string;
  readonly clause: string;
}

/** Its table alone may pay it from now on; the payment names this release. */
export interface TicketReleased {
  readonly event: "TicketReleased";
  readonly ticket: string;
  readonly table: string;
  readonly release: number;
  readonly at_ms: number;
  readonly clause: string;
}

/** Its table has handed the release back. */
export interface TicketReleaseEnded {
  readonly event: "TicketReleaseEnded";
  readonly ticket: string;
  readonly release: number;
  readonly clause: string;
}

export interface TicketSettledByHand {
  readonly event: "TicketSettledByHand";
  readonly ticket: string;
  readonly clause: string;
}

export interface TicketRedeemed {
  readonly event: "TicketRedeemed";
  readonly ticket: string;
  readonly cents: number;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface TicketVoided {
  readonly event: "TicketVoided";
  readonly ticket: string;
  readonly cents: number;
  readonly reason: string;
  readonly by: string;
  readonly second: string;
  readonly clause: string;
}

export interface TicketReinstated {
  readonly event: "TicketReinstated";
  readonly ticket: string;
  readonly reason: string;
  readonly expires_ms: number | null;
  readonly by: string;
  readonly second: string;
  readonly clause: string;
}

export interface TicketExpired {
  readonly event: "TicketExpired";
  readonly ticket: string;
  readonly cents: number;
  readonly at_ms: number;
  readonly clause: string;
}

/** A cashier presented a number that is no ticket's. The number is not kept: it may be nearly right. */
export interface WrongNumberTried {
  readonly event: "WrongNumberTried";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** So many wrong numbers within minutes look like guessing. */
export interface GuessingAlarmed {
  readonly event: "GuessingAlarmed";
  readonly by: string;
  readonly tries: number;
  readonly at_ms: number;
  readonly clause: string;
}

/** The table of the station alone may credit it from now on; the credit names this escrow. */
export interface TicketEscrowed {
  readonly event: "TicketEscrowed";
  readonly ticket: string;
  readonly cents: number;
  readonly table: string;
  readonly station: string;
  readonly escrow: number;
  readonly at_ms: number;
  readonly clause: string;
}

/** The table has dropped the escrow. */
export interface TicketEscrowEnded {
  readonly event: "TicketEscrowEnded";
  readonly ticket: string;
  readonly table: string;
  readonly station: string;
  readonly escrow: number;
  readonly clause: string;
}

/** The table has credited it to the station's account. */
export interface TicketTakenIn {
  readonly event: "TicketTakenIn";
  readonly ticket: string;
  readonly cents: number;
  readonly table: string;
  readonly station: string;
  readonly escrow: number;
  readonly at_ms: number;
  readonly clause: string;
}

/** A slip to be paid is owed from now on. */
export interface SlipRegistered {
  readonly event: "SlipRegistered";
  readonly slip: string;
  readonly tournament: string;
  readonly direction: "take" | "pay";
  readonly cents: number;
  readonly parts: Readonly<Record<string, number>>;
  readonly purpose: string;
  readonly entrant: number;
  readonly player: string;
  readonly expires_ms: number | null;
  readonly clause: string;
}

export interface SlipTaken {
  readonly event: "SlipTaken";
  readonly slip: string;
  readonly cents: number;
  readonly tender: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface SlipPaid {
  readonly event: "SlipPaid";
  readonly slip: string;
  readonly cents: number;
  readonly by: string;
  readonly second: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** The tournament has withdrawn it before the cage settled it. */
export interface SlipCancelled {
  readonly event: "SlipCancelled";
  readonly slip: string;
  readonly cents: number;
  readonly clause: string;
}

export interface SlipHeld {
  readonly event: "SlipHeld";
  readonly slip: string;
  readonly reason: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** The cage may pay it again. */
export interface SlipReleased {
  readonly event: "SlipReleased";
  readonly slip: string;
  readonly reason: string;
  readonly expires_ms: number | null;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** An investigation ended with the house keeping it. */
export interface SlipForfeited {
  readonly event: "SlipForfeited";
  readonly slip: string;
  readonly cents: number;
  readonly reason: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface SlipExpired {
  readonly event: "SlipExpired";
  readonly slip: string;
  readonly cents: number;
  readonly at_ms: number;
  readonly clause: string;
}

/** What the house adds to the prizes of a tournament in all. */
export interface PoolRaised {
  readonly event: "PoolRaised";
  readonly tournament: string;
  readonly cents: number;
  readonly clause: string;
}

/** What the house won of a cash sitting in all, or lost where it is below zero. */
export interface StakesSettled {
  readonly event: "StakesSettled";
  readonly tournament: string;
  readonly sitting: string;
  readonly won_cents: number;
  readonly clause: string;
}

/** Its books are closed, and its fees are the house's income. */
export interface TournamentClosed {
  readonly event: "TournamentClosed";
  readonly tournament: string;
  readonly fees_cents: number;
  readonly at_ms: number;
  readonly clause: string;
}

export interface GamingDayOpened {
  readonly event: "GamingDayOpened";
  readonly day: number;
  readonly date: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** The day's tickets and slips in cents, and what is outstanding at its end. */
export interface GamingDayClosed {
  readonly event: "GamingDayClosed";
  readonly day: number;
  readonly date: string;
  readonly issued_cents: number;
  readonly paid_cents: number;
  readonly by_hand_cents: number;
  readonly taken_in_cents: number;
  readonly void_cents: number;
  readonly expired_cents: number;
  readonly reinstated_cents: number;
  readonly outstanding_cents: number;
  readonly slips_taken_cents: number;
  readonly slips_paid_cents: number;
  readonly slips_owed_cents: number;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** Tickets and slips that ended up to this day, counted from 1970, are not in the state any more. Exclusions that ended by then are forgotten, which changes no answer. */
export interface PapersPutAway {
  readonly event: "PapersPutAway";
  readonly until_day: number;
}

/** Something that was put away is in the state again, as it was. */
export interface PapersRecalled {
  readonly event: "PapersRecalled";
  readonly tickets: Readonly<Record<string, RegisteredTicket>>;
  readonly slips: Readonly<Record<string, HouseSlip>>;
  readonly at_ms: number;
}

/** A light of a table's integrity is an alarm: what was recorded is far from an honest table. */
export interface LightRaised {
  readonly event: "LightRaised";
  readonly table: string;
  readonly kind: string;
  readonly subject: string;
  readonly evidence: number;
  readonly coups: number;
  readonly until_ms: number;
  readonly at_ms: number;
  readonly clause: string;
}

export interface LightSeenTo {
  readonly event: "LightSeenTo";
  readonly table: string;
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface ServiceMade {
  readonly event: "ServiceMade";
  readonly service: string;
  readonly scopes: readonly ("meters" | "outbox" | "patron_cards" | "cage")[];
  readonly key: string;
  readonly until_ms: number;
  readonly a_minute: number;
  readonly purpose: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface ServiceRevoked {
  readonly event: "ServiceRevoked";
  readonly service: string;
  readonly reason: string;
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** The account is in use; it is put on record once an hour at most. */
export interface ServiceUsed {
  readonly event: "ServiceUsed";
  readonly service: string;
  readonly at_ms: number;
  readonly clause: string;
}

/** A record in sentences, with the money that it moved. */
export interface RecordStory {
  readonly version: number;
  readonly at_ms: number;
  readonly actor: string;
  readonly verb: string;
  readonly sentences: readonly string[];
  readonly postings: readonly PostingLine[];
  readonly phrases: readonly Phrase[];
  readonly refused: Refused | null;
  readonly marks: readonly EventMark[];
}

/** The heading of a report. */
export interface Heading {
  readonly title: string;
  readonly program: string;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly made_ms: number;
}

export interface ShiftReport {
  readonly table: string;
  readonly dealers: readonly string[];
  readonly coups: number;
  readonly void: number;
  readonly dummy: number;
  readonly corrected: number;
  readonly tickets: number;
  readonly came_in: Readonly<Record<string, number>>;
  readonly paid: Readonly<Record<string, number>>;
  readonly win: WinReport;
  readonly chip_float: FloatFigures;
}

/** A void, a correction or a payment by hand, with the persons who gave and approved it. */
export interface PutRightLine {
  readonly at_ms: number;
  readonly kind: string;
  readonly coup: number | null;
  readonly moved: readonly AccountMoved[];
  readonly reason: string;
  readonly by: string;
  readonly approver: string;
  readonly clause: string;
}

/** One bet over the valid coups: what was staked on it and what the house won by it. */
export interface BetLine {
  readonly bet: string;
  readonly wagers: number;
  readonly turnover: number;
  readonly win: number;
  readonly theoretical_win: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The coups whose wagering a dealer opened, as they stand, and the time for which the dealer ran the game. */
export interface DealerLine {
  readonly dealer: string;
  readonly coups: number;
  readonly turnover: number;
  readonly win: number;
  readonly commission: number;
  readonly voids: number;
  readonly corrected: number;
  readonly present_ms: number;
  readonly coups_an_hour: number | null;
  readonly theoretical_win: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The coups in which a patron wagered who gave a reference, as they stand, and the time at a station. */
export interface PatronLine {
  readonly patron: string;
  readonly coups: number;
  readonly turnover: number;
  readonly win: number;
  readonly commission: number;
  readonly present_ms: number;
  readonly theoretical_win: number | null;
}

/** A fill, a credit, a count, or a count that was left out. */
export interface FloatLine {
  readonly at_ms: number;
  readonly kind: string;
  readonly when: string;
  readonly cents: number;
  readonly expected: number | null;
  readonly difference: number | null;
  readonly slip: string;
  readonly carried_by: string;
  readonly by: string;
  readonly approver: string;
  readonly clause: string;
}

/** What the meters of a station counted in the period, by the names of standards (`meter_names.tsv`). */
export interface MeterLine {
  readonly station: string;
  readonly meters: Readonly<Record<string, number>>;
}

/** Fractions are written `num/den` in lowest terms; a positive edge favours the house. */
export interface BetOddsAnswer {
  readonly win: string;
  readonly push: string;
  readonly lose: string;
  readonly house_edge: string;
  readonly house_edge_decimal: number;
  readonly house_edge_resolved: string | null;
  readonly sd: number;
}

/** What the day had come to at a moment. */
export interface CurvePoint {
  readonly at_ms: number;
  readonly coups: number;
  readonly drop: number;
  readonly turnover: number;
  readonly win: number;
  readonly expected: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface CurveHour {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly coups: number;
  readonly coups_an_hour: number;
  readonly idle_percent: number | null;
}

/** What was held of the drop of a table, or of the turnover of a bet or of a dealer. */
export interface HoldLine {
  readonly name: string;
  readonly coups: number | null;
  readonly of: number;
  readonly win: number;
  readonly held: number | null;
  readonly expected: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface ReportHead {
  readonly casino: string;
  readonly program: string;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly time_zone: string;
  readonly made_ms: number;
  readonly by: string;
}

/** A section of a report. */
export interface ReportSheet {
  readonly code: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly totals: readonly (string | number | null)[] | null;
  readonly remarks: readonly Remark[];
}

/** The records of a table that a report was made from. */
export interface SheetSource {
  readonly table: string;
  readonly first: number;
  readonly last: number;
  readonly signed_to: number;
}

export interface DemoShown {
  readonly table: string;
  readonly rule_set: string;
  readonly title: string;
  readonly links: readonly DemoLink[];
  readonly people: readonly DemoPerson[];
}

export interface TableIntegrity {
  readonly table: string;
  readonly state: "quiet" | "watch" | "alarm";
  readonly raised: readonly Light[];
  readonly seen_to: readonly SeenTo[];
}

export interface Light {
  readonly kind: "return_of_bet" | "return_of_table" | "return_of_dealer" | "return_of_seat" | "census" | "slug" | "clumps" | "repeats" | "source" | "late_wagers" | "corrections" | "voids" | "claims" | "opposed_seats" | "favours" | "knowing";
  readonly table: string;
  readonly subject: string;
  readonly state: "quiet" | "watch" | "alarm";
  readonly evidence: number;
  readonly threshold: number;
  readonly coups: number;
  readonly seen: Phrase;
  readonly advice: Phrase;
  readonly returned: ReturnShown | null;
}

export type RegisteredTicket = readonly [status: "requested" | "issued" | "printed" | "not_printed" | "released" | "in_escrow" | "paid" | "taken_in" | "by_hand" | "void" | "expired", table: string, station: string, cents: number, day: number, expires_ms: number | null, faulted: boolean, releases: number, taken_by: string];

/** A tournament's order to the cage to take or pay an amount once (CROWN 12.2.1(a)). */
export type HouseSlip = readonly [status: "open" | "held" | "taken" | "paid" | "cancelled" | "forfeited" | "expired", tournament: string, direction: "take" | "pay", cents: number, parts: Readonly<Record<string, number>>, purpose: string, entrant: number, player: string, day: number, expires_ms: number | null, tender: string];

/** One posting of a record. */
export interface PostingLine {
  readonly version: number;
  readonly at_ms: number;
  readonly actor: string;
  readonly coup: number;
  readonly event: string;
  readonly debit: string;
  readonly credit: string;
  readonly cents: number;
  readonly clause: string;
}

/** A sentence by its code, or a list by the code of what stands between its parts. */
export interface Phrase {
  readonly code: string;
  readonly values?: Readonly<Record<string, string | number | Phrase>>;
  readonly parts?: readonly (string | number | Phrase)[];
}

/** No, and why. The state is as it was. */
export interface Refused {
  readonly code: string;
  readonly clause: string;
  readonly text: string;
  readonly alarm?: string | null;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** How an event of a record is marked for a monitor: by code and severity, or by 0 and nothing where it is play. */
export interface EventMark {
  readonly code: number;
  readonly severity: "notice" | "warning" | "alarm" | null;
}

export interface WinReport {
  readonly table: string;
  readonly stations: readonly WinLine[];
  readonly drop: number;
  readonly turnover: number;
  readonly metered_win: number;
  readonly booked_win: number;
  readonly outside: number;
  readonly variance: number;
  readonly hold_percent: string | null;
  readonly theoretical_win: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The chips in the rack over the period, in cents by the books; a count brings these to what it found. */
export interface FloatFigures {
  readonly first: number;
  readonly fills: number;
  readonly credits: number;
  readonly patrons: number;
  readonly differences: number;
  readonly last: number;
  readonly uncounted: number;
}

/** What a correction did to one account, in cents; together it is what the correction is worth to the patron. */
export interface AccountMoved {
  readonly station: string;
  readonly credited: number;
  readonly taken: number;
  readonly payable: number;
  readonly owed: number;
  readonly set_off: number;
}

export interface SheetColumn {
  readonly key: string;
  readonly kind: "bet" | "count" | "hours" | "money" | "percent" | "rate" | "text" | "time" | "word";
  readonly prefix: string;
}

export interface Remark {
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** A page of the demo under its address, in most cases with the invitation that enrols the browser. */
export interface DemoLink {
  readonly page: string;
  readonly path: string;
  readonly station: string;
  readonly people: readonly string[];
}

export interface DemoPerson {
  readonly person: string;
  readonly role: string;
  readonly pin: string;
}

/** The newest alarm of a light, and what a person has found about it (G-232). */
export interface SeenTo {
  readonly kind: "return_of_bet" | "return_of_table" | "return_of_dealer" | "return_of_seat" | "census" | "slug" | "clumps" | "repeats" | "source" | "late_wagers" | "corrections" | "voids" | "claims" | "opposed_seats" | "favours" | "knowing";
  readonly subject: string;
  readonly raised_ms: number;
  readonly seen_ms: number;
  readonly by: string;
  readonly found: string;
}

/** The actual return to patrons beside the theoretical one, as fractions of the turnover. */
export interface ReturnShown {
  readonly turnover_cents: number;
  readonly actual: number;
  readonly theoretical: number;
  readonly lower: number;
  readonly upper: number;
}

/** The figures of a station over the period in cents: by its meters, the commission by its coups. */
export interface WinLine {
  readonly station: string;
  readonly coups: number;
  readonly drop: number;
  readonly turnover: number;
  readonly win: number;
  readonly commission: number;
  readonly paid: number;
}
