// Written by screens/messages.py from the server's own structs; do not edit.

export interface CreateTournament {
  readonly do: "create_tournament";
  readonly tournament: string;
  readonly name?: string;
}

/** Write down a new version of the conditions, whole; it waits for its own approval. */
export interface SaveConditions {
  readonly do: "save_conditions";
  readonly tournament: string;
  readonly conditions: Readonly<Record<string, unknown>>;
}

/** Take back a version that is not approved; the one before it is the newest again. */
export interface WithdrawVersion {
  readonly do: "withdraw_version";
  readonly tournament: string;
  readonly version: number;
}

/** Record the regulator's written approval of a version (CROWN 12.1.3). */
export interface ApproveConditions {
  readonly do: "approve_conditions";
  readonly tournament: string;
  readonly version: number;
  readonly digest: string;
  readonly reference?: string;
  readonly dated?: string;
}

export interface AppointDirector {
  readonly do: "appoint_director";
  readonly tournament: string;
  readonly director: string;
}

export interface OpenEntry {
  readonly do: "open_entry";
  readonly tournament: string;
}

export interface CloseEntry {
  readonly do: "close_entry";
  readonly tournament: string;
}

export interface RegisterEntrant {
  readonly do: "register_entrant";
  readonly tournament: string;
  readonly player: string;
  readonly form_digest?: string;
  readonly criteria?: readonly string[];
  readonly identity_checked?: boolean;
}

export interface RefuseApplication {
  readonly do: "refuse_application";
  readonly tournament: string;
  readonly player: string;
  readonly criterion?: string;
  readonly reason?: string;
}

export interface WithdrawEntrant {
  readonly do: "withdraw_entrant";
  readonly tournament: string;
  readonly entrant: number;
}

export interface RequireSignatures {
  readonly do: "require_signatures";
  readonly tournament: string;
  readonly on?: boolean;
}

/** The entrants were told the conditions; without numbers, all who are in. */
export interface Brief {
  readonly do: "brief";
  readonly tournament: string;
  readonly entrants?: readonly number[];
}

export interface SignConditions {
  readonly do: "sign_conditions";
  readonly tournament: string;
  readonly entrant: number;
}

export interface BePresent {
  readonly do: "be_present";
  readonly tournament: string;
}

export interface StepOut {
  readonly do: "step_out";
  readonly tournament: string;
}

export interface DesignateTables {
  readonly do: "designate_tables";
  readonly tournament: string;
  readonly tables: readonly string[];
}

export interface ReleaseTables {
  readonly do: "release_tables";
  readonly tournament: string;
  readonly tables?: readonly string[];
}

export interface DrawSeats {
  readonly do: "draw_seats";
  readonly tournament: string;
  readonly round: string;
  readonly words?: string;
}

export interface AlterStart {
  readonly do: "alter_start";
  readonly tournament: string;
  readonly round: string;
  readonly session?: number;
  readonly to_ms: number;
}

export interface CallSession {
  readonly do: "call_session";
  readonly tournament: string;
  readonly round: string;
  readonly session?: number;
  readonly absent?: readonly number[];
}

export interface RecordArrival {
  readonly do: "record_arrival";
  readonly tournament: string;
  readonly entrant: number;
}

export interface DeclareAbsent {
  readonly do: "declare_absent";
  readonly tournament: string;
  readonly entrant: number;
}

export interface ApproveSubstitute {
  readonly do: "approve_substitute";
  readonly tournament: string;
  readonly entrant: number;
  readonly substitute: string;
  readonly until?: string;
  readonly approved?: boolean;
  readonly reason?: string;
}

export interface Retire {
  readonly do: "retire";
  readonly tournament: string;
  readonly entrant: number;
  readonly reason?: string;
}

export interface Disqualify {
  readonly do: "disqualify";
  readonly tournament: string;
  readonly entrant: number;
  readonly ground: string;
  readonly reason?: string;
}

export interface ConcludeEarly {
  readonly do: "conclude_early";
  readonly tournament: string;
  readonly table: string;
  readonly reason?: string;
}

/** Order the closing of every sitting that is played out. */
export interface CloseSession {
  readonly do: "close_session";
  readonly tournament: string;
}

export interface AbandonSitting {
  readonly do: "abandon_sitting";
  readonly tournament: string;
  readonly table: string;
  readonly reason?: string;
  readonly move_to?: string;
}

export interface ConfirmRound {
  readonly do: "confirm_round";
  readonly tournament: string;
  readonly round: string;
  readonly words?: string;
}

export interface ReopenRound {
  readonly do: "reopen_round";
  readonly tournament: string;
  readonly round: string;
  readonly reason?: string;
}

/** Seat an entrant whom a correction shows to be through, where the conditions add a place (G-133). */
export interface AdmitPlace {
  readonly do: "admit_place";
  readonly tournament: string;
  readonly entrant: number;
  readonly table: string;
  readonly station?: string;
  readonly reason?: string;
}

export interface BuyBack {
  readonly do: "buy_back";
  readonly tournament: string;
  readonly entrant: number;
}

export interface AwardPrizes {
  readonly do: "award_prizes";
  readonly tournament: string;
  readonly words?: string;
}

export interface CancelTournament {
  readonly do: "cancel_tournament";
  readonly tournament: string;
  readonly reason?: string;
}

export interface CloseBooks {
  readonly do: "close_books";
  readonly tournament: string;
}

export interface TournamentDesk {
  readonly tournament: string;
  readonly name: string;
  readonly title: Readonly<Record<string, string>>;
  readonly phase: string;
  readonly versions: readonly VersionShown[];
  readonly director: string;
  readonly deputies: readonly string[];
  readonly present: string;
  readonly tables: Readonly<Record<string, string>>;
  readonly checks: readonly Check[];
  readonly rounds: readonly DeskRound[];
  readonly sittings: readonly SittingShown[];
  readonly entrants: readonly DeskEntrant[];
  readonly entered: number;
  readonly places: number;
  readonly waiting: number;
  readonly grounds: readonly string[];
  readonly criteria: readonly string[];
  readonly form: readonly string[];
  readonly slips: readonly DeskSlip[];
  readonly pool_cents: number;
  readonly actions: Readonly<Record<string, StaffAction>>;
  readonly next: NextStep | null;
  readonly at_ms: number;
  readonly time_zone: string;
}

export interface TournamentBoard {
  readonly tournament: string;
  readonly title: Readonly<Record<string, string>>;
  readonly phase: string;
  readonly round: string;
  readonly provisional: boolean;
  readonly sittings: readonly BoardSitting[];
  readonly rows: readonly BoardRow[];
  readonly prizes: readonly BoardPrize[];
  readonly pool_cents: number;
  readonly next_start_ms: number | null;
  readonly director: boolean;
  readonly time_zone: string;
}

/** One tournament in the list of tournaments. */
export interface TournamentLine {
  readonly tournament: string;
  readonly name: string;
  readonly phase: string;
  readonly present: string;
}

/** The events that an act caused. */
export interface TournamentDone {
  readonly events: readonly (TournamentCreated | ConditionsSaved | DeputiesNamed | VersionWithdrawn | ConditionsApproved | DirectorAppointed | EntryOpened | EntryClosed | EntryLapsed | EntrantRegistered | Waitlisted | AlternateAdmitted | EntrantEntered | ApplicationRefused | EntrantWithdrawn | SignaturesRequired | EntrantsBriefed | ConditionsSigned | SlipRaised | SlipWithdrawn | SlipNoted | DirectorPresent | DirectorAway | TablesDesignated | TablesReleased | TableNoted | DrawCommitted | SeatsDrawn | StartAltered | SessionCalled | SittingNoted | ScoreNoted | SessionEnded | ArrivalRecorded | EntrantAbsent | SubstituteApproved | SubstituteRefused | EntrantRetired | EntrantDisqualified | EntrantExcluded | ConclusionOrdered | ClosingOrdered | SittingAbandoned | TieFound | TieBroken | RoundConfirmed | RoundReopened | PlaceAdmitted | BuyBackAsked | BoughtBack | PrizesAwarded | StakesDue | TournamentCancelled | BooksClosed)[];
}

/** A player's particulars, which are kept apart from the journal and can be erased. */
export interface EntryForm {
  readonly player: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface FormKept {
  readonly digest: string;
}

/** A conditions file as it was written. */
export interface ConditionsText {
  readonly text: string;
  readonly json: boolean;
}

/** The commitment of a draw, and once it is opened what anybody can recompute. */
export interface DrawProof {
  readonly round: string;
  readonly commitment: string;
  readonly seed: string;
  readonly words: string;
  readonly places: readonly (readonly [number, number, string, string])[];
}

export interface RoundResult {
  readonly round: string;
  readonly confirmed: boolean;
  readonly ranked: readonly number[];
  readonly through: Readonly<Record<string, readonly number[]>>;
  readonly eliminated: readonly number[];
}

export interface VersionShown {
  readonly version: number;
  readonly digest: string;
  readonly approval: string;
  readonly dated: string;
}

/** A duty of rule 12 before a session, and whether it is done. */
export interface Check {
  readonly clause: string;
  readonly code: string;
  readonly done: boolean;
  readonly missing: readonly number[];
}

export interface DeskRound {
  readonly name: string;
  readonly kind: string;
  readonly sessions: number;
  readonly starts_ms: readonly number[];
  readonly drawn: boolean;
  readonly commitment: string;
  readonly called: readonly number[];
  readonly ended: readonly number[];
  readonly confirmed: boolean;
  readonly next_session: number;
  readonly actions: Readonly<Record<string, StaffAction>>;
}

export interface SittingShown {
  readonly sitting: string;
  readonly round: string;
  readonly session: number;
  readonly table: string;
  readonly state: string;
  readonly why: string;
  readonly counted: number;
  readonly left: number | null;
  readonly seats: Readonly<Record<string, number>>;
  readonly agreed: number;
  readonly claims_open: boolean;
}

export interface DeskEntrant {
  readonly entrant: number;
  readonly player: string;
  readonly status: string;
  readonly paid: boolean;
  readonly briefed: boolean;
  readonly signed: boolean;
  readonly seat: string;
  readonly substitute: string;
  readonly buy_backs: number;
}

export interface DeskSlip {
  readonly slip: string;
  readonly direction: string;
  readonly cents: number;
  readonly entrant: number;
  readonly purpose: string;
  readonly status: string;
}

/** The same for the console, with the roles that may give the command. */
export interface StaffAction {
  readonly open: boolean;
  readonly roles: readonly string[];
  readonly code: string;
  readonly clause: string;
  readonly why: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** The act that carries a tournament on. */
export interface NextStep {
  readonly verb: string;
  readonly round: string;
  readonly session: number;
  readonly open: boolean;
  readonly roles: readonly string[];
  readonly code: string;
  readonly clause: string;
  readonly why: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** As of which coup the board speaks, for each table. */
export interface BoardSitting {
  readonly table: string;
  readonly round: string;
  readonly session: number;
  readonly state: string;
  readonly counted: number;
  readonly left: number | null;
}

export interface BoardRow {
  readonly rank: number | null;
  readonly entrant: number;
  readonly name: string;
  readonly score: number;
  readonly change: number | null;
  readonly table: string;
  readonly station: string;
  readonly status: string;
  readonly through: boolean;
  readonly out: boolean;
}

export interface BoardPrize {
  readonly place: number;
  readonly share: number | null;
  readonly cents: number | null;
  readonly text: Readonly<Record<string, string>>;
}

export interface TournamentCreated {
  readonly event: "TournamentCreated";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly tournament: string;
  readonly name: string;
}

export interface ConditionsSaved {
  readonly event: "ConditionsSaved";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly version: number;
  readonly digest: string;
  readonly conditions: Conditions;
  readonly opens_ms: number;
  readonly closes_ms: number;
  readonly withdraw_free_until_ms: number;
  readonly starts_ms: Readonly<Record<string, readonly number[]>>;
}

/** Conditions were saved that differ in their director part alone, which makes no new version. */
export interface DeputiesNamed {
  readonly event: "DeputiesNamed";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly version: number;
  readonly person: string;
  readonly deputies: readonly string[];
}

export interface VersionWithdrawn {
  readonly event: "VersionWithdrawn";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly version: number;
}

export interface ConditionsApproved {
  readonly event: "ConditionsApproved";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly version: number;
  readonly digest: string;
  readonly reference: string;
  readonly dated: string;
  readonly second: string;
}

export interface DirectorAppointed {
  readonly event: "DirectorAppointed";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly director: string;
}

export interface EntryOpened {
  readonly event: "EntryOpened";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface EntryClosed {
  readonly event: "EntryClosed";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entered: number;
}

/** An entrant had not paid when entry closed, or still waited for a place. */
export interface EntryLapsed {
  readonly event: "EntryLapsed";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
}

export interface EntrantRegistered {
  readonly event: "EntrantRegistered";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly player: string;
  readonly form_digest: string;
  readonly criteria: readonly string[];
}

export interface Waitlisted {
  readonly event: "Waitlisted";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly player: string;
  readonly form_digest: string;
  readonly criteria: readonly string[];
  readonly waiting: number;
}

export interface AlternateAdmitted {
  readonly event: "AlternateAdmitted";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
}

/** The fee is paid, or none is due. */
export interface EntrantEntered {
  readonly event: "EntrantEntered";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
}

export interface ApplicationRefused {
  readonly event: "ApplicationRefused";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly player: string;
  readonly criterion: string;
  readonly reason: string;
}

export interface EntrantWithdrawn {
  readonly event: "EntrantWithdrawn";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly refund_cents: number;
}

export interface SignaturesRequired {
  readonly event: "SignaturesRequired";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly on: boolean;
}

export interface EntrantsBriefed {
  readonly event: "EntrantsBriefed";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrants: readonly number[];
  readonly version: number;
}

export interface ConditionsSigned {
  readonly event: "ConditionsSigned";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly version: number;
}

/** An order to the cage to take or pay an amount once. */
export interface SlipRaised {
  readonly event: "SlipRaised";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly slip: string;
  readonly direction: string;
  readonly cents: number;
  readonly parts: Readonly<Record<string, number>>;
  readonly entrant: number;
  readonly player: string;
  readonly purpose: string;
  readonly of: string;
}

/** The tournament no longer wants it; what the house did first counts. */
export interface SlipWithdrawn {
  readonly event: "SlipWithdrawn";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly slip: string;
}

export interface SlipNoted {
  readonly event: "SlipNoted";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly slip: string;
  readonly settled: string;
  readonly tender: string;
}

export interface DirectorPresent {
  readonly event: "DirectorPresent";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly person: string;
}

export interface DirectorAway {
  readonly event: "DirectorAway";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly person: string;
}

export interface TablesDesignated {
  readonly event: "TablesDesignated";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

export interface TablesReleased {
  readonly event: "TablesReleased";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly tables: readonly string[];
}

export interface TableNoted {
  readonly event: "TableNoted";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly table: string;
  readonly state: string;
  readonly why: string;
}

export interface DrawCommitted {
  readonly event: "DrawCommitted";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly draw: string;
  readonly commitment: string;
}

export interface SeatsDrawn {
  readonly event: "SeatsDrawn";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly round: string;
  readonly commitment: string;
  readonly seed: string;
  readonly words: string;
  readonly order: readonly number[];
  readonly places: readonly Placed[];
}

export interface StartAltered {
  readonly event: "StartAltered";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly round: string;
  readonly session: number;
  readonly to_ms: number;
}

export interface SessionCalled {
  readonly event: "SessionCalled";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly round: string;
  readonly session: number;
  readonly version: number;
  readonly sittings: readonly SittingCalled[];
}

export interface SittingNoted {
  readonly event: "SittingNoted";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly sitting: string;
  readonly table: string;
  readonly state: string;
  readonly why: string;
}

export interface ScoreNoted {
  readonly event: "ScoreNoted";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly sitting: string;
  readonly table: string;
  readonly revision: number;
  readonly counted: number;
  readonly left: number | null;
  readonly scores: readonly ScoreNews[];
  readonly seats: Readonly<Record<string, SeatTold>>;
  readonly claims_open: boolean;
}

/** The last sitting of the session is closed or abandoned. */
export interface SessionEnded {
  readonly event: "SessionEnded";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly round: string;
  readonly session: number;
}

export interface ArrivalRecorded {
  readonly event: "ArrivalRecorded";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly order: number;
  readonly late: boolean;
}

export interface EntrantAbsent {
  readonly event: "EntrantAbsent";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly round: string;
  readonly outcome: string;
}

export interface SubstituteApproved {
  readonly event: "SubstituteApproved";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly substitute: string;
  readonly until: string;
  readonly order: number;
}

export interface SubstituteRefused {
  readonly event: "SubstituteRefused";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly substitute: string;
  readonly reason: string;
}

export interface EntrantRetired {
  readonly event: "EntrantRetired";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly reason: string;
  readonly order: number;
}

export interface EntrantDisqualified {
  readonly event: "EntrantDisqualified";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly ground: string;
  readonly reason: string;
  readonly order: number;
}

export interface EntrantExcluded {
  readonly event: "EntrantExcluded";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly player: string;
  readonly reason: string;
  readonly order: number;
}

export interface ConclusionOrdered {
  readonly event: "ConclusionOrdered";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly table: string;
  readonly sitting: string;
  readonly counted: number;
  readonly by_agreement: boolean;
  readonly reason: string;
  readonly bounds: Readonly<Record<string, readonly [number, number]>>;
  readonly order: number;
}

export interface ClosingOrdered {
  readonly event: "ClosingOrdered";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly sittings: readonly string[];
  readonly order: number;
}

export interface SittingAbandoned {
  readonly event: "SittingAbandoned";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly sitting: string;
  readonly table: string;
  readonly reason: string;
  readonly second: string;
  readonly outcome: string;
  readonly moved_to: SittingCalled | null;
  readonly order: number;
}

/** Equals at a cut whom only a play-off can part (G-103). */
export interface TieFound {
  readonly event: "TieFound";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly round: string;
  readonly entrants: readonly number[];
  readonly places: number;
  readonly play_off: number;
}

export interface TieBroken {
  readonly event: "TieBroken";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly round: string;
  readonly entrants: readonly number[];
  readonly how: string;
  readonly seed: string;
  readonly words: string;
}

export interface RoundConfirmed {
  readonly event: "RoundConfirmed";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly round: string;
  readonly through: Readonly<Record<string, readonly number[]>>;
  readonly eliminated: readonly number[];
  readonly ranked: readonly number[];
}

export interface RoundReopened {
  readonly event: "RoundReopened";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly round: string;
  readonly reason: string;
  readonly second: string;
}

export interface PlaceAdmitted {
  readonly event: "PlaceAdmitted";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly round: string;
  readonly table: string;
  readonly station: string;
  readonly credit: number;
  readonly reason: string;
  readonly order: number;
}

export interface BuyBackAsked {
  readonly event: "BuyBackAsked";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
}

export interface BoughtBack {
  readonly event: "BoughtBack";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly entrant: number;
  readonly into: string;
}

export interface PrizesAwarded {
  readonly event: "PrizesAwarded";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly pool_cents: number;
  readonly house_adds_cents: number;
  readonly prizes: readonly PrizeAwarded[];
  readonly second: string;
}

/** A cash session is closed: what its entrants lost or gained in sum (G-135). */
export interface StakesDue {
  readonly event: "StakesDue";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly sitting: string;
  readonly won_cents: number;
}

export interface TournamentCancelled {
  readonly event: "TournamentCancelled";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
  readonly reason: string;
  readonly second: string;
  readonly order: number;
}

export interface BooksClosed {
  readonly event: "BooksClosed";
  readonly by: string;
  readonly at_ms: number;
  readonly clause: string;
}

export interface Conditions {
  readonly id: string;
  readonly title: Readonly<Record<string, string>>;
  readonly document: string;
  readonly statements: readonly string[];
  readonly prizes: readonly Prize[];
  readonly approval?: ApprovalPart | null;
  readonly director: DirectorPart;
  readonly entry: EntryPart;
  readonly eligibility: EligibilityPart;
  readonly game: GamePart;
  readonly wagers: WagersPart;
  readonly rounds: readonly RoundPart[];
  readonly ranking: RankingPart;
  readonly buy_back: BuyBackPart;
  readonly leaving: LeavingPart;
  readonly attendance: AttendancePart;
  readonly conduct: ConductPart;
  readonly accounts: AccountsPart;
  readonly pool?: PoolPart;
}

export type Placed = readonly [entrant: number, session: number, table: string, station: string];

export interface SittingCalled {
  readonly sitting: string;
  readonly table: string;
  readonly seats: Readonly<Record<string, SeatAllotted>>;
  readonly counted: number;
}

/** The scores after one counted coup. */
export interface ScoreNews {
  readonly counted: number;
  readonly scores: Readonly<Record<string, number>>;
}

export interface SeatTold {
  readonly entrant: number;
  readonly present?: boolean;
  readonly bust?: boolean;
  readonly closed?: boolean;
  readonly agreed?: boolean;
  readonly warnings?: number;
  readonly owed?: number;
}

export interface PrizeAwarded {
  readonly place: number;
  readonly entrant: number;
  readonly player: string;
  readonly cents: number;
  readonly text: Readonly<Record<string, string>>;
  readonly of: string;
}

export interface Prize {
  readonly place: number;
  readonly share?: number | null;
  readonly cents?: number | null;
  readonly text?: Readonly<Record<string, string>> | null;
  readonly of?: string;
}

/** The regulator's written approval, once there is one (CROWN 12.1.3). It approves nothing by itself. */
export interface ApprovalPart {
  readonly reference?: string;
  readonly dated?: string;
  readonly by?: string;
}

export interface DirectorPart {
  readonly person: string;
  readonly deputies?: readonly string[];
}

export interface EntryPart {
  readonly fee_cents: number;
  readonly to_pool_cents?: number;
  readonly opens: string;
  readonly closes: string;
  readonly withdraw_free_until: string;
  readonly minimum_players: number;
  readonly maximum_players: number;
  readonly alternates?: number;
  readonly form: readonly string[];
  readonly terms: Readonly<Record<string, string>>;
}

export interface EligibilityPart {
  readonly may_refuse: boolean;
  readonly criteria?: readonly Criterion[];
}

export interface GamePart {
  readonly rule_set: string;
  readonly decks: number;
  readonly options?: Readonly<Record<string, number>>;
  readonly side_bets?: readonly string[];
  readonly period_ms: number;
  readonly fresh_shoe?: boolean;
  readonly limits: Readonly<Record<string, Limits>>;
}

export interface WagersPart {
  readonly each_coup: "none" | "minimum" | "compulsory";
  readonly credits?: number;
  readonly missed?: "forfeit" | "warning" | "disqualification" | null;
  readonly warnings?: number;
  readonly shown?: "after_close" | "after_result";
  readonly hidden_last_coups?: number;
}

export interface RoundPart {
  readonly name: string;
  readonly kind?: "round" | "repechage" | "catch_up" | "secondary";
  readonly from: readonly From[];
  readonly sessions?: number;
  readonly tables: number;
  readonly seats: number;
  readonly coups?: number | null;
  readonly minutes?: number | null;
  readonly credit?: number;
  readonly buy_in_cents?: number;
  readonly balances: "cancelled" | "carried" | "cash";
  readonly starts: readonly string[];
}

export interface RankingPart {
  readonly score: "balance" | "total" | "best";
  readonly tie_breaks: readonly ("count_back" | "earlier_rounds" | "play_off" | "lots")[];
  readonly play_off?: PlayOffPart | null;
  readonly prize_ties: "share" | "tie_break";
}

export interface BuyBackPart {
  readonly allowed: boolean;
  readonly after?: string;
  readonly into?: string;
  readonly each?: number;
  readonly in_all?: number;
  readonly price_cents?: number;
  readonly to_pool_cents?: number;
  readonly until_minutes_before?: number;
}

export interface LeavingPart {
  readonly retirement: RetirementPart;
  readonly grounds: readonly Ground[];
}

export interface AttendancePart {
  readonly grace_minutes?: number;
  readonly late: LatePart;
  readonly absent: AbsentPart;
}

export interface ConductPart {
  readonly signature: boolean;
  readonly substitutes: SubstitutesPart;
  readonly start_notice_minutes: number;
  readonly void_coups: "replayed" | "counted";
  readonly interrupted: "resume" | "replay" | "stand";
  readonly after_next_round: "places_stand" | "adds_a_place";
}

/** Which clauses of rule 6 do not apply, or apply in another way (CROWN 12.2.2). */
export interface AccountsPart {
  readonly excluded?: readonly string[];
  readonly modified?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface PoolPart {
  readonly added_cents?: number;
  readonly guaranteed_cents?: number;
}

export interface SeatAllotted {
  readonly entrant: number;
  readonly player: string;
  readonly credit: number;
  readonly present: boolean;
  readonly substitute: string;
}

export interface Criterion {
  readonly id: string;
  readonly text: Readonly<Record<string, string>>;
}

/** The wagers permitted on one bet: the minimum, and every step above it up to the maximum. */
export interface Limits {
  readonly minimum: number;
  readonly step: number;
  readonly maximum: number;
}

/** Where players of a round come from; one line says one way. */
export interface From {
  readonly entrants?: string;
  readonly round?: string;
  readonly top_per_table?: number;
  readonly top_overall?: number;
  readonly wild_cards?: number;
  readonly by?: "score" | "draw" | null;
  readonly bought_back_after?: string;
  readonly missed?: string;
  readonly eliminated_in?: string;
}

export interface PlayOffPart {
  readonly coups: number;
  readonly credit: number;
}

export interface RetirementPart {
  readonly allowed: boolean;
  readonly refund_percent?: number;
  readonly score?: "stands" | "zero" | "unranked";
}

/** A ground of disqualification (CROWN 12.2.1(h)). */
export interface Ground {
  readonly id: string;
  readonly text: Readonly<Record<string, string>>;
  readonly refund_percent?: number;
}

export interface LatePart {
  readonly admitted: boolean;
  readonly penalty_credits?: number;
  readonly latest_coup?: number | null;
}

export interface AbsentPart {
  readonly outcome: "eliminated" | "catch_up";
  readonly refund_percent?: number;
  readonly buy_in_refund_percent?: number;
}

export interface SubstitutesPart {
  readonly allowed: boolean;
  readonly latest_coup?: number;
}

export type DirectedAct = CreateTournament | SaveConditions | WithdrawVersion | ApproveConditions | AppointDirector | OpenEntry | CloseEntry | RegisterEntrant | RefuseApplication | WithdrawEntrant | RequireSignatures | Brief | SignConditions | BePresent | StepOut | DesignateTables | ReleaseTables | DrawSeats | AlterStart | CallSession | RecordArrival | DeclareAbsent | ApproveSubstitute | Retire | Disqualify | ConcludeEarly | CloseSession | AbandonSitting | ConfirmRound | ReopenRound | AdmitPlace | BuyBack | AwardPrizes | CancelTournament | CloseBooks;
