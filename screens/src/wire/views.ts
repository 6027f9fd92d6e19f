// Written by screens/messages.py from the server's own structs; do not edit.

export interface StationView {
  readonly table: Table;
  readonly phase: PhaseShown;
  readonly clock: Clock;
  readonly cards: Cards | null;
  readonly result: ResultShown | null;
  readonly notices: readonly ScreenMessage[];
  readonly roads: RoadsShown;
  readonly shoe: ShoeShown;
  readonly seal: Seal | null;
  readonly session: TableSession | null;
  readonly rules: RulesText;
  readonly station: StationShown;
  readonly purse: PurseShown;
  readonly care: CareShown | null;
  readonly wagers: WagersShown;
  readonly squeeze: readonly ("player" | "banker")[];
  readonly settled: Settled | null;
  readonly returned: readonly ScreenMessage[];
  readonly receipt: Receipt | null;
  readonly actions: Readonly<Record<string, ActionShown>>;
  readonly standing: SeatStanding | null;
}

export interface ConsoleView {
  readonly table: Table;
  readonly phase: PhaseShown;
  readonly clock: Clock;
  readonly cards: Cards | null;
  readonly result: ResultShown | null;
  readonly notices: readonly ScreenMessage[];
  readonly roads: RoadsShown;
  readonly shoe: ShoeShown;
  readonly seal: Seal | null;
  readonly session: TableSession | null;
  readonly rules: RulesText;
  readonly staff: Staff;
  readonly procedure: readonly ProcedureStep[];
  readonly guidance: Guidance;
  readonly deck: Deck;
  readonly totals: Totals;
  readonly seats: readonly Seat[];
  readonly payments: Payments;
  readonly trouble: TroubleShown;
  readonly cases: readonly CaseShown[];
  readonly cited: CitedHere;
  readonly confirmation: readonly OnRecord[];
  readonly disagreements: readonly Disagreement[];
  readonly alarms: readonly Alarm[];
  readonly more: NotListed;
  readonly actions: Readonly<Record<string, StaffAction>>;
}

export interface DisplayView {
  readonly table: Table;
  readonly phase: PhaseShown;
  readonly clock: Clock;
  readonly cards: Cards | null;
  readonly result: ResultShown | null;
  readonly notices: readonly ScreenMessage[];
  readonly roads: RoadsShown;
  readonly shoe: ShoeShown;
  readonly seal: Seal | null;
  readonly session: TableSession | null;
}

export interface FloorView {
  readonly house: HouseShown;
  readonly day: DayShown;
  readonly tables: readonly TableLine[];
  readonly staff: Readonly<Record<string, readonly string[]>>;
  readonly devices: readonly DeviceLine[];
  readonly tickets: readonly TicketLine[];
  readonly slips: readonly SlipLine[];
  readonly liability: Liability;
  readonly exclusions: readonly ExclusionLine[];
  readonly alarms: readonly ScreenMessage[];
}

export interface MapFrame {
  readonly run: string;
  readonly mark: number;
  readonly at_ms: number;
  readonly whole: boolean;
  readonly scale_cents: readonly number[];
  readonly tables: readonly MapTable[];
}

export interface Table {
  readonly name: string;
  readonly rule_set: string;
  readonly title: string;
  readonly document: string;
  readonly version: string;
  readonly operator: string;
  readonly regulator: string;
  readonly decks: number;
  readonly version_notice: ScreenMessage | null;
  readonly areas: readonly Area[];
  readonly diagram: string;
  readonly rows: readonly (readonly string[])[];
  readonly aggregate_minimum_cents: number;
  readonly chips: readonly number[];
  readonly notes: readonly number[];
  readonly tenders: readonly string[];
  readonly currency: string;
  readonly time_zone: string;
  readonly wagering_period_ms: number;
  readonly features: readonly string[];
  readonly most_repeats: number;
  readonly stations: readonly string[];
  readonly sign: string;
  readonly posted: string;
}

export interface PhaseShown {
  readonly phase: string;
  readonly coup: number;
  readonly shoe: number;
  readonly announcement: ScreenMessage | null;
  readonly dummy: boolean;
  readonly last_of_shoe: boolean;
  readonly frozen: boolean;
  readonly locked: boolean;
  readonly awaits_confirmation: boolean;
}

/** The time, and what is left of the wagering period. Passing time is no change, since a screen counts down by itself. So two clocks are equal if they have the same deadline, and it has passed for both or for neither. */
export interface Clock {
  readonly at_ms: number;
  readonly deadline_ms: number | null;
  readonly remaining_ms: number | null;
  readonly period_ms: number;
  readonly stands_still: boolean;
  readonly countdown_clause: string;
}

/** The coup under way. */
export interface Cards {
  readonly coup: number;
  readonly dummy: boolean;
  readonly player: HandView;
  readonly banker: HandView;
  readonly due: Due | null;
  readonly complete: boolean;
}

/** The newest result, shown until the next. */
export interface ResultShown {
  readonly coup: number;
  readonly shoe: number;
  readonly winner: string;
  readonly player: HandView;
  readonly banker: HandView;
  readonly announcement: ScreenMessage;
  readonly dummy: boolean;
  readonly corrected: boolean;
  readonly invalid: boolean;
}

export interface ScreenMessage {
  readonly code: string;
  readonly text: string;
  readonly clause: string;
  readonly values: Readonly<Record<string, string | number>>;
}

export interface RoadsShown {
  readonly bead_plate: readonly string[];
  readonly leading_ties: number;
  readonly big_road: readonly BigRoadBead[];
  readonly big_eye_boy: readonly DerivedMark[];
  readonly small_road: readonly DerivedMark[];
  readonly cockroach_pig: readonly DerivedMark[];
  readonly ask: NextMarks;
}

/** The shoe and its counts of results; nothing about the cards that are left. */
export interface ShoeShown {
  readonly number: number;
  readonly stage: string;
  readonly coups: number;
  readonly banker: number;
  readonly player: number;
  readonly tie: number;
  readonly banker_pairs: number;
  readonly player_pairs: number;
  readonly naturals: number;
  readonly void: number;
  readonly dummy: number;
  readonly commitment: string;
  readonly opened: boolean;
}

/** The public seal over all wagers of the coup that was closed last. It is salted, so it does not reveal them. */
export interface Seal {
  readonly coup: number;
  readonly root: string;
  readonly closed_by: string;
}

/** What every screen of a table shows of the tournament that it is reserved for. */
export interface TableSession {
  readonly tournament: string;
  readonly title: Readonly<Record<string, string>>;
  readonly stage: string;
  readonly round: string;
  readonly session: number;
  readonly counted: number;
  readonly coups: number | null;
  readonly left: number | null;
  readonly ends_ms: number | null;
  readonly hidden: boolean;
  readonly cash: boolean;
  readonly top: readonly (readonly [number, number])[];
  readonly director: boolean;
  readonly agreed: number;
  readonly seated: number;
}

export interface RulesText {
  readonly rule_set: string;
  readonly title: string;
  readonly document: string;
  readonly version: string;
  readonly effective: string;
  readonly chapters: readonly Chapter[];
}

export interface StationShown {
  readonly name: string;
  readonly control: number;
  readonly open: boolean;
  readonly standing: ScreenMessage;
  readonly leaving: boolean;
  readonly directed_to_leave: boolean;
  readonly faulted: boolean;
  readonly remote: boolean;
  readonly pays_by_ticket: boolean;
  readonly note_acceptor: string;
  readonly printer: string;
  readonly messages: readonly ScreenMessage[];
  readonly ticket: string;
  readonly ticket_notices: readonly ScreenMessage[];
  readonly given_back: TimedMessage | null;
  readonly queries: readonly number[];
  readonly call: string;
}

/** The station's account, shown in every phase (CROWN 6.1). */
export interface PurseShown {
  readonly balance_cents: number;
  readonly wagered_cents: number;
  readonly held_cents: number;
  readonly owed_cents: number;
  readonly last_net_cents: number | null;
  readonly frozen: boolean;
}

export interface CareShown {
  readonly since_ms: number;
  readonly coups: number;
  readonly staked_cents: number;
  readonly won_cents: number;
  readonly lost_cents: number;
  readonly other_cents: number;
  readonly net_cents: number;
  readonly limits: readonly OwnLimitShown[];
  readonly limit_delay_hours: number;
  readonly break_minutes: readonly number[];
  readonly break_until_ms: number;
  readonly check_due_ms: number;
  readonly check_binds: boolean;
  readonly notices: readonly TimedMessage[];
}

/** The station's own layout. */
export interface WagersShown {
  readonly on_layout: Readonly<Record<string, number>>;
  readonly sealed: boolean;
  readonly remembered: Readonly<Record<string, number>>;
  readonly undos: number;
}

/** The station's own settlement of the newest settled coup. */
export interface Settled {
  readonly coup: number;
  readonly lines: readonly WagerLine[];
  readonly net_cents: number;
  readonly invalid: boolean;
}

/** What a patron needs to prove that these wagers were sealed under that root. */
export interface Receipt {
  readonly station: string;
  readonly wagers: Readonly<Record<string, number>>;
  readonly salt: string;
  readonly path: readonly (readonly [string, string])[];
  readonly root: string;
}

/** Whether a command is open, and if not, why. */
export interface ActionShown {
  readonly open: boolean;
  readonly code: string;
  readonly clause: string;
  readonly why: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** What a station shows of its entrant's standing. */
export interface SeatStanding {
  readonly entrant: number;
  readonly substitute: string;
  readonly status: string;
  readonly score: number;
  readonly rank_at_table: number;
  readonly seats: number;
  readonly rank: number | null;
  readonly entrants: number;
  readonly line: number | null;
  readonly line_rank: number | null;
  readonly through: boolean;
  readonly bust: boolean;
  readonly warnings: number;
  readonly agreed: boolean;
}

export interface Staff {
  readonly dealer: string | null;
  readonly signed_on: Readonly<Record<string, string>>;
  readonly listed: Readonly<Record<string, readonly string[]>>;
  readonly two_persons: readonly string[];
  readonly duties: readonly ScreenMessage[];
}

export interface ProcedureStep {
  readonly verb: string;
  readonly done: boolean;
  readonly next: boolean;
  readonly roles: readonly string[];
  readonly message: ScreenMessage;
}

/** The next thing to do. */
export interface Guidance {
  readonly verb: string;
  readonly message: ScreenMessage;
  readonly announce: ScreenMessage | null;
}

/** The shoe as the dealer handles it. */
export interface Deck {
  readonly cards: number;
  readonly left: number;
  readonly out: number;
  readonly behind_cutting_card: number;
  readonly cutting_card_seen: boolean;
  readonly last_coup: number | null;
  readonly burns_due: number;
  readonly hidden_burn: boolean;
  readonly waiting: readonly string[];
  readonly gone: Readonly<Record<string, number>>;
  readonly exchanged: Readonly<Record<string, number>>;
  readonly face_up: boolean;
}

export interface Totals {
  readonly by_bet: Readonly<Record<string, BetTotal>>;
  readonly wagered_cents: number;
  readonly settled_coup: number | null;
  readonly staked_cents: number;
  readonly house_cents: number;
  readonly commission_cents: number;
}

export interface Seat {
  readonly station: string;
  readonly open: boolean;
  readonly control: number;
  readonly patron: string;
  readonly nominee: string;
  readonly balance_cents: number;
  readonly wagers: Readonly<Record<string, number>>;
  readonly wagered_cents: number;
  readonly has_wagered: boolean;
  readonly entrant: SeatEntrant | null;
  readonly held_cents: number;
  readonly owed_cents: number;
  readonly payable: Readonly<Record<string, number>>;
  readonly idle: number;
  readonly leaving: boolean;
  readonly directed_to_leave: boolean;
  readonly faulted: boolean;
  readonly out_of_service: boolean;
  readonly remote: boolean;
  readonly connected: boolean | null;
  readonly seen_ms: number | null;
  readonly shows_sign: boolean | null;
  readonly call: string;
  readonly actions: Readonly<Record<string, ActionShown>>;
}

export interface Payments {
  readonly due: readonly PaymentDue[];
  readonly idle: readonly PaymentDue[];
  readonly made: readonly PaymentMade[];
}

/** Irregularities: the facts that can be stated, the stated fact, and its lawful resolutions. */
export interface TroubleShown {
  readonly facts: readonly FactKind[];
  readonly stated: StatedFact | null;
  readonly resolutions: readonly Resolution[];
  readonly hidden: boolean;
  readonly frozen: boolean;
  readonly correctable: readonly CoupOnRecord[];
  readonly correcting: number | null;
  readonly corrected_cards: readonly string[];
}

export interface CaseShown {
  readonly case: number;
  readonly kind: "claim" | "dispute" | "breach" | "complaint";
  readonly station: string;
  readonly coup: number;
  readonly reason: string;
  readonly text: string;
  readonly prohibited_device: boolean;
  readonly seized_cents: number;
  readonly control: number;
  readonly patron: string;
  readonly person: string;
  readonly remedy: string;
  readonly detained_ms: number | null;
  readonly told: readonly string[];
}

/** Clauses that forms name, as they are cited at this table. */
export interface CitedHere {
  readonly remedies: readonly string[];
  readonly devices: string;
  readonly invalidate: string;
}

/** A line of the list from which the dealer confirms: what the records say, and what speaks for it beside them. */
export interface OnRecord {
  readonly station: string;
  readonly coup: number;
  readonly wagers: Readonly<Record<string, number>>;
  readonly journalled: boolean;
  readonly acknowledged: boolean | null;
  readonly seen: boolean | null;
  readonly answers: readonly string[];
}

/** Two figures that should be one. */
export interface Disagreement {
  readonly account: string;
  readonly ledger_cents: number;
  readonly meters_cents: number;
}

export interface Alarm {
  readonly at_ms: number | null;
  readonly by: string;
  readonly message: ScreenMessage;
}

/** How many more there are than the view lists; the records have them all. */
export interface NotListed {
  readonly cases: number;
  readonly alarms: number;
  readonly confirmation: number;
  readonly payable: number;
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

export interface HouseShown {
  readonly time_zone: string;
  readonly gaming_day_starts: string;
  readonly ticket_validity_days: number;
  readonly options: Readonly<Record<string, number>>;
  readonly ordered: Readonly<Record<string, number>>;
  readonly several_tables: boolean;
}

export interface DayShown {
  readonly day: number;
  readonly open: boolean;
  readonly date: string;
}

/** One table in the list of tables. */
export interface TableLine {
  readonly table: string;
  readonly rule_set: string;
  readonly title: string;
  readonly phase: string;
  readonly coup: number;
  readonly shoe: number;
  readonly dealer: string | null;
  readonly stations: number;
  readonly stations_open: number;
  readonly drop_cents: number;
  readonly win_cents: number;
  readonly commission_cents: number;
  readonly wagered_cents: number;
  readonly balances_cents: number;
  readonly alarms: readonly ScreenMessage[];
  readonly integrity: string;
}

export interface DeviceLine {
  readonly device: string;
  readonly kind: "station" | "console" | "display" | "note_acceptor" | "printer" | "card_reader" | "shoe" | "desk";
  readonly table: string;
  readonly approval: string;
  readonly remote: boolean;
  readonly revoked: boolean;
  readonly places: Readonly<Record<string, string>>;
}

export interface TicketLine {
  readonly ticket: string;
  readonly status: "requested" | "issued" | "printed" | "not_printed" | "released" | "in_escrow" | "paid" | "taken_in" | "by_hand" | "void" | "expired";
  readonly table: string;
  readonly station: string;
  readonly cents: number;
  readonly day: number;
  readonly expires_ms: number | null;
}

/** A slip of a tournament that the cage has yet to take or pay, or that has expired. */
export interface SlipLine {
  readonly slip: string;
  readonly status: "open" | "held" | "taken" | "paid" | "cancelled" | "forfeited" | "expired";
  readonly tournament: string;
  readonly direction: "take" | "pay";
  readonly cents: number;
  readonly purpose: string;
  readonly entrant: number;
  readonly player: string;
  readonly expires_ms: number | null;
}

export interface Liability {
  readonly day: number;
  readonly outstanding: readonly Outstanding[];
  readonly outstanding_cents: number;
  readonly unclaimed_cents: number;
  readonly tournaments: readonly TournamentBooks[];
  readonly days: Readonly<Record<string, Day>>;
  readonly agrees: boolean;
}

export interface ExclusionLine {
  readonly patron: string;
  readonly reason: string;
  readonly by: string;
  readonly until_ms: number | null;
}

/** A table of the map, in a short form. */
export interface MapTable {
  readonly table: string;
  readonly rule_set: string;
  readonly title: string;
  readonly phase: string;
  readonly coup: number;
  readonly shoe: number;
  readonly dealer: string | null;
  readonly version: number;
  readonly deadline_ms: number | null;
  readonly stands_still: boolean;
  readonly remaining_ms: number | null;
  readonly in_credits: boolean;
  readonly minimum_cents: number;
  readonly wagered_cents: number;
  readonly seats: readonly MapSeat[];
  readonly lights: MapLights;
  readonly alarms: readonly ScreenMessage[];
}

/** A betting area of the layout. */
export interface Area {
  readonly bet: string;
  readonly title: string;
  readonly side: "" | "banker" | "player" | "tie";
  readonly main: boolean;
  readonly pays: string;
  readonly lines: readonly PayLine[];
  readonly sign: Sign;
  readonly needs: readonly string[];
  readonly needs_clause: string;
  readonly clause: string;
}

export interface HandView {
  readonly cards: readonly string[];
  readonly points: number | null;
  readonly title: string;
  readonly natural: boolean;
  readonly pair: string;
}

/** The hand that the next card goes to, and why. */
export interface Due {
  readonly hand: "player" | "banker";
  readonly reason: ScreenMessage;
}

export type BigRoadBead = readonly [column: number, row: number, winner: "B" | "P" | "T", ties: number, marks: string];

export type DerivedMark = readonly [column: number, row: number, colour: "B" | "R"];

/** The next mark of each derived road, Big Eye Boy first, if Banker or if Player won the next coup. */
export interface NextMarks {
  readonly banker: readonly ("B" | "R" | null)[];
  readonly player: readonly ("B" | "R" | null)[];
}

export interface Chapter {
  readonly code: string;
  readonly title: string;
  readonly lines: readonly ScreenMessage[];
}

/** A message that is shown from one moment to another. */
export interface TimedMessage {
  readonly from_ms: number;
  readonly until_ms: number | null;
  readonly message: ScreenMessage;
}

/** A limit in cents, or in minutes for the time; 0 is none. */
export interface OwnLimitShown {
  readonly limit: "loss" | "wager" | "time";
  readonly most: number;
  readonly left_cents: number | null;
  readonly then: number;
  readonly from_ms: number;
}

/** The settlement of one wager, and its reason. */
export interface WagerLine {
  readonly bet: string;
  readonly title: string;
  readonly name: string;
  readonly stake_cents: number;
  readonly outcome: string;
  readonly gross_cents: number;
  readonly commission_cents: number;
  readonly net_cents: number;
  readonly why: ScreenMessage;
}

export interface BetTotal {
  readonly cents: number;
  readonly stations: number;
}

/** Who has a seat of a session, as the console shows it. */
export interface SeatEntrant {
  readonly entrant: number;
  readonly substitute: string;
  readonly status: string;
  readonly bust: boolean;
}

/** What a patron who leaves is to be handed over. */
export interface PaymentDue {
  readonly station: string;
  readonly control: number;
  readonly patron: string;
  readonly cents: number;
  readonly chips_cents: number;
  readonly coin_cents: number;
  readonly collected_cents: number;
  readonly pay: ActionShown;
  readonly stay: ActionShown;
}

export interface PaymentMade {
  readonly station: string;
  readonly cents: number;
  readonly chips_cents: number;
  readonly coin_cents: number;
  readonly by: string;
  readonly at_ms: number;
}

export interface FactKind {
  readonly kind: "missed_burn" | "missed_burn_in_first_coup" | "excess_card_unseen" | "card_on_wrong_hand" | "no_wagers" | "no_wagers_but_cards_out" | "face_up_first_card" | "face_up_later_card" | "wrong_third_card" | "foreign_card" | "wrong_number_of_cards" | "simultaneous_cards" | "shoe_order_altered" | "not_enough_cards" | "equipment_malfunction" | "wrong_outcome_entered" | "station_fault_before_close" | "station_fault_after_close" | "system_fault_before_close" | "system_fault_after_close" | "unconfirmed_wagers" | "commotion" | "fraud";
  readonly clause: string;
  readonly effect: string;
}

/** What physically happened, as the dealer stated it. */
export interface StatedFact {
  readonly kind: "missed_burn" | "missed_burn_in_first_coup" | "excess_card_unseen" | "card_on_wrong_hand" | "no_wagers" | "no_wagers_but_cards_out" | "face_up_first_card" | "face_up_later_card" | "wrong_third_card" | "foreign_card" | "wrong_number_of_cards" | "simultaneous_cards" | "shoe_order_altered" | "not_enough_cards" | "equipment_malfunction" | "wrong_outcome_entered" | "station_fault_before_close" | "station_fault_after_close" | "system_fault_before_close" | "system_fault_after_close" | "unconfirmed_wagers" | "commotion" | "fraud";
  readonly cards: readonly string[];
  readonly hand: "player" | "banker" | null;
  readonly reconstructible: boolean | null;
  readonly order_known: boolean | null;
  readonly count: number | null;
  readonly entered: boolean;
}

/** One lawful way on. */
export interface Resolution {
  readonly id: string;
  readonly clause: string;
  readonly by: "operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "surveillance" | "station" | "clock";
  readonly text: string;
  readonly card_order: readonly string[];
  readonly effects: readonly AccountEffect[];
  readonly source: "document" | "house rule" | "reading";
}

/** A settled coup whose outcome may be put right, with the cards that were drawn in it, in shoe order. */
export interface CoupOnRecord {
  readonly coup: number;
  readonly cards: readonly string[];
}

/** Tickets of one status and one age. */
export interface Outstanding {
  readonly status: "requested" | "issued" | "printed" | "not_printed" | "released" | "in_escrow" | "paid" | "taken_in" | "by_hand" | "void" | "expired";
  readonly days_old: number;
  readonly tickets: number;
  readonly cents: number;
}

/** The accounts of one tournament, in cents, each on its normal side. */
export interface TournamentBooks {
  readonly tournament: string;
  readonly prize_pool: number;
  readonly tournament_fees: number;
  readonly stakes: number;
  readonly payouts: number;
  readonly added_prizes: number;
  readonly fee_income: number;
  readonly tournament_win: number;
  readonly closed: boolean;
}

/** A gaming day's tickets and slips, in cents. */
export interface Day {
  readonly date: string;
  readonly issued: number;
  readonly paid: number;
  readonly by_hand: number;
  readonly taken_in: number;
  readonly void: number;
  readonly expired: number;
  readonly reinstated: number;
  readonly slips_taken: number;
  readonly slips_paid: number;
}

export type MapSeat = readonly [station: string, state: "called" | "faulted" | "free" | "leaving" | "out_of_service" | "playing" | "served", wagered_cents: number | null];

export interface MapLights {
  readonly alarms: "alarm" | "quiet" | "watch";
  readonly calls: "alarm" | "quiet" | "watch";
  readonly census: "alarm" | "quiet" | "watch";
  readonly integrity: "alarm" | "quiet" | "watch";
}

/** A line of the pay table, by the option that is in force. */
export interface PayLine {
  readonly name: string;
  readonly result: "lose" | "push" | "win";
  readonly pays: string;
  readonly odds: readonly [number, number];
  readonly commission_percent: string;
  readonly clause: string;
}

/** The limits sign of one bet. */
export interface Sign {
  readonly minimum_cents: number;
  readonly step_cents: number;
  readonly maximum_cents: number;
}

/** What becomes of one patron's wagers in a coup. */
export interface AccountEffect {
  readonly station: string;
  readonly staked_cents: number;
  readonly before_cents: number | null;
  readonly after_cents: number;
  readonly change_cents: number;
  readonly owed_cents?: number;
  readonly payable_cents?: number;
  readonly set_off_cents?: number;
  readonly left?: boolean;
  readonly moved_to?: string;
}
