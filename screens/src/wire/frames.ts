// Written by screens/messages.py from the server's own structs; do not edit.

/** Sign on at the console; without `as_role`, in the first role that the staff list gives. */
export interface SignOn {
  readonly do: "sign_on";
  readonly as_role?: "operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "surveillance" | "station" | "clock" | null;
}

export interface SignOff {
  readonly do: "sign_off";
}

/** Open the table for play, with the program that runs now. */
export interface OpenTable {
  readonly do: "open_table";
}

export interface CloseTable {
  readonly do: "close_table";
}

/** Record that the regulator has approved a program. */
export interface ApproveBuild {
  readonly do: "approve_build";
  readonly build: string;
  readonly reference: string;
}

/** Show a sign: a bet's new minimum, or the closing of the table, from a time on. */
export interface Notice {
  readonly do: "notice";
  readonly kind: "minimum" | "aggregate_minimum" | "closure";
  readonly from_ms?: number | null;
  readonly bet?: string | null;
  readonly cents?: number;
}

/** A device that is no part of the game system dropped out or came back: the display, the monitoring link. */
export interface Device {
  readonly do: "device";
  readonly device: "display" | "monitoring";
  readonly up: boolean;
}

/** Something that people did and that has no effect on money: a claim of responsibility, conduct. */
export interface Incident {
  readonly do: "incident";
  readonly station?: string;
  readonly text: string;
  readonly patron?: string;
  readonly person?: string;
}

/** A location shows the limits and the signs that are posted now, or shows none. */
export interface ShowsSign {
  readonly do: "shows_sign";
  readonly location?: string;
  readonly shows?: boolean;
  readonly sign?: string;
}

/** Take a sign down that has not taken effect: a minimum stays as it is, or the table stays open. */
export interface WithdrawNotice {
  readonly do: "withdraw_notice";
  readonly kind: "minimum" | "aggregate_minimum" | "closure";
  readonly bet?: string | null;
}

/** Count the cards before gaming starts or after it ended, or those that are still in the shoe. */
export interface CheckCards {
  readonly do: "check_cards";
  readonly cards: number;
  readonly when?: "closing" | "opening" | "rest";
  readonly of_each_rank?: number | null;
}

/** Record cards that were shuffled ahead and put away securely. */
export interface Pack {
  readonly do: "pack";
  readonly pack: string;
  readonly stored: string;
}

/** Record the shuffle, or bring in a pre-shuffled pack. */
export interface NewShoe {
  readonly do: "new_shoe";
  readonly method?: "hand" | "machine" | "pre-shuffled" | "virtual";
  readonly pack?: string | null;
  readonly commitment?: string | null;
}

/** Open a virtual shoe that has ended, so that anybody can hold its order against its commitment. */
export interface OpenShoe {
  readonly do: "open_shoe";
  readonly order: string;
  readonly salt: string;
}

/** End the shoe at once because of an abnormal sequence or another good cause. */
export interface OrderShuffle {
  readonly do: "order_shuffle";
  readonly reason: string;
  readonly abnormal?: boolean;
}

/** Take cards out of use: all of them after the last coup, or unfit ones at any time between coups. Where unfit cards are named, each is replaced like for like and the shoe is played on (G-26). */
export interface ReplaceCards {
  readonly do: "replace_cards";
  readonly reason: string;
  readonly unfit?: boolean;
  readonly cards?: string;
  readonly pack?: string | null;
  readonly cards_checked?: number | null;
}

export interface Cut {
  readonly do: "cut";
  readonly at: number;
  readonly from_back?: number | null;
}

/** Burn after the cut, or one card before a coup. */
export interface Burn {
  readonly do: "burn";
  readonly card?: string | null;
  readonly by_face_value?: boolean;
  readonly count?: number;
  readonly asked_by?: string;
  readonly proof?: string;
}

/** Turn the hidden burn card because a patron asks. */
export interface ShowBurn {
  readonly do: "show_burn";
  readonly card: string;
  readonly asked_by: string;
  readonly proof?: string;
}

export interface CuttingCard {
  readonly do: "cutting_card";
}

/** Take back the entry of a cutting card that did not appear. */
export interface WithdrawCuttingCard {
  readonly do: "withdraw_cutting_card";
  readonly reason: string;
}

export interface BuyIn {
  readonly do: "buy_in";
  readonly station: string;
  readonly cents: number;
  readonly tender?: string;
  readonly reference?: string;
  readonly patron?: string;
  readonly top_up?: boolean;
}

export interface Note {
  readonly do: "note";
  readonly station?: string;
  readonly cents: number;
}

/** A ticket lies in the escrow of a station's acceptor. */
export interface InsertTicket {
  readonly do: "insert_ticket";
  readonly station?: string;
  readonly ticket: string;
}

/** A patron puts a player card into the reader of a station. */
export interface ReadPlayerCard {
  readonly do: "read_player_card";
  readonly station?: string;
  readonly patron: string;
}

export interface Nominee {
  readonly do: "nominee";
  readonly station: string;
  readonly nominee: string;
}

export interface Leave {
  readonly do: "leave";
  readonly station?: string;
}

/** Take back that the patron leaves, while nothing is paid. */
export interface Stay {
  readonly do: "stay";
  readonly station?: string;
}

/** Pay a patron who leaves the full balance in chips, and close the account. */
export interface Pay {
  readonly do: "pay";
  readonly station: string;
}

export interface PrintFailed {
  readonly do: "print_failed";
  readonly ticket: string;
  readonly fault: string;
}

export interface ManualPay {
  readonly do: "manual_pay";
  readonly ticket: string;
  readonly reason: string;
}

/** Hand the house's release of a ticket back: this table does not pay on it any more. */
export interface HandBack {
  readonly do: "hand_back";
  readonly ticket: string;
  readonly reason: string;
}

export interface DirectToLeave {
  readonly do: "direct_to_leave";
  readonly station: string;
  readonly reason: string;
}

export interface Vacate {
  readonly do: "vacate";
  readonly station: string;
}

/** Take a station out of service. */
export interface OutOfService {
  readonly do: "out_of_service";
  readonly station: string;
  readonly reason: string;
}

export interface BackInService {
  readonly do: "back_in_service";
  readonly station: string;
}

/** Move a patron with account and wagers to another station. */
export interface MovePatron {
  readonly do: "move_patron";
  readonly station: string;
  readonly target: string;
}

/** Close and pay the account of a patron who was asked to vacate and does not play. */
export interface CloseIdle {
  readonly do: "close_idle";
  readonly station: string;
}

/** Set a limit of one's own: at once where it is lower, later where it is higher or none. */
export interface SetOwnLimit {
  readonly do: "set_own_limit";
  readonly station?: string;
  readonly limit: "loss" | "wager" | "time";
  readonly cents?: number;
  readonly minutes?: number;
}

/** Take a break of one of the lengths that the house offers. */
export interface TakeBreak {
  readonly do: "take_break";
  readonly station?: string;
  readonly minutes: number;
}

/** The patron has seen the time played and the money, and goes on. */
export interface AcknowledgeCheck {
  readonly do: "acknowledge_check";
  readonly station?: string;
}

export interface CallAttendant {
  readonly do: "call_attendant";
  readonly station?: string;
}

/** An attendant is on the way. */
export interface AnswerCall {
  readonly do: "answer_call";
  readonly station: string;
}

/** The patron was served, or does not need anybody any more. */
export interface EndCall {
  readonly do: "end_call";
  readonly station?: string;
}

/** Chips come from the cage to the table, on a slip of their own. */
export interface Fill {
  readonly do: "fill";
  readonly cents?: number | null;
  readonly slip: string;
  readonly brought_by?: string;
  readonly chips?: Readonly<Record<string, number>>;
}

/** Chips go from the table to the cage, on a slip of their own. */
export interface Credit {
  readonly do: "credit";
  readonly cents?: number | null;
  readonly slip: string;
  readonly taken_by?: string;
  readonly chips?: Readonly<Record<string, number>>;
}

/** The dealer and a supervisor count the chips in the rack. */
export interface CountFloat {
  readonly do: "count_float";
  readonly cents?: number | null;
  readonly when?: "check" | "closing" | "opening" | "shift_change";
  readonly chips?: Readonly<Record<string, number>>;
}

/** Make the wager on a bet this much; the result is the permitted wager that it comes to. */
export interface SetWager {
  readonly do: "set_wager";
  readonly station?: string;
  readonly bet: string;
  readonly cents: number;
}

export interface Move {
  readonly do: "move";
  readonly station?: string;
  readonly source: string;
  readonly target: string;
}

export interface Undo {
  readonly do: "undo";
  readonly station?: string;
}

export interface Clear {
  readonly do: "clear";
  readonly station?: string;
}

export interface Repeat {
  readonly do: "repeat";
  readonly station?: string;
}

export interface Double {
  readonly do: "double";
  readonly station?: string;
}

/** Make the whole layout this, or leave it as it is: for what a patron has saved or ordered ahead. */
export interface Lay {
  readonly do: "lay";
  readonly station?: string;
  readonly wagers: Readonly<Record<string, number>>;
}

/** Open the wagering of a coup. */
export interface Open {
  readonly do: "open";
}

/** Close the wagering before its time is up. */
export interface Close {
  readonly do: "close";
}

/** Choose whether cards are dealt face up, or face down and turned. */
export interface FaceUp {
  readonly do: "face_up";
  readonly up: boolean;
}

/** Enter the card that left the shoe; under CROWN the first one closes the wagering (8.1(c)). */
export interface Card {
  readonly do: "card";
  readonly card: string;
  readonly proof?: string;
}

/** Correct an entry of the coup before the result is confirmed. */
export interface Amend {
  readonly do: "amend";
  readonly card: string;
  readonly place?: number | null;
  readonly reason?: string;
}

/** Take back an entry of a card that never left the shoe. */
export interface TakeBackCard {
  readonly do: "take_back_card";
  readonly place?: number | null;
  readonly reason?: string;
}

/** Confirm the result, which settles the coup. */
export interface Confirm {
  readonly do: "confirm";
}

/** Void a coup that nobody wagered on, before any card. */
export interface Void {
  readonly do: "void";
}

/** State what physically happened; the answer lists the lawful resolutions. */
export interface Fact {
  readonly do: "fact";
  readonly kind: string;
  readonly cards?: readonly string[];
  readonly hand?: "player" | "banker" | null;
  readonly reconstructible?: boolean | null;
  readonly order_known?: boolean | null;
  readonly count?: number | null;
}

/** Choose one of the resolutions of the fact that was stated last. */
export interface Resolve {
  readonly do: "resolve";
  readonly id: string;
}

/** Take back a fact that was stated by mistake, before it is resolved. */
export interface WithdrawFact {
  readonly do: "withdraw_fact";
  readonly reason?: string;
}

/** Take back a resolution that was chosen by mistake, while nothing has happened since. */
export interface Unresolve {
  readonly do: "unresolve";
  readonly reason?: string;
}

/** Freeze all accounts of this table, because a wrong outcome was entered. */
export interface Freeze {
  readonly do: "freeze";
}

/** State the true cards of a coup, in shoe order. */
export interface Correct {
  readonly do: "correct";
  readonly coup: number;
  readonly cards: readonly string[];
}

/** Settle the corrected coup again and adjust the accounts. */
export interface Recalculate {
  readonly do: "recalculate";
}

/** Let play go on; the countdown resumes with what was left of it. */
export interface Unfreeze {
  readonly do: "unfreeze";
}

/** Make a coup count for nothing and refund its wagers. */
export interface Invalidate {
  readonly do: "invalidate";
  readonly coup: number;
  readonly cause: "commotion" | "fraud" | "malfunction";
  readonly reason: string;
}

/** Give up what a station's patron owes after a correction. */
export interface Waive {
  readonly do: "waive";
  readonly station: string;
  readonly reason: string;
}

/** Pay a patron who has left what a correction has found since. */
export interface PayPayable {
  readonly do: "pay_payable";
  readonly station: string;
  readonly control?: number | null;
}

/** Put right a buy-in that the dealer keyed wrong: its amount, its tender or its station. */
export interface CorrectBuyIn {
  readonly do: "correct_buy_in";
  readonly station: string;
  readonly cents: number;
  readonly true_cents: number;
  readonly reason: string;
  readonly tender?: string;
  readonly true_tender?: string;
  readonly true_station?: string;
  readonly control?: number | null;
  readonly rest_owed?: boolean;
}

/** A patron claims that a wrong outcome was entered or that something failed. */
export interface Claim {
  readonly do: "claim";
  readonly station?: string;
  readonly coup: number;
  readonly text?: string;
  readonly reason?: "wrong_card" | "wrong_total" | "wrong_payment" | "wager_not_taken" | "other" | null;
  readonly control?: number | null;
  readonly patron?: string;
}

/** Accept a claim with the clause of its remedy, or reject it with a reason. */
export interface DecideClaim {
  readonly do: "decide_claim";
  readonly case: number;
  readonly accepted: boolean;
  readonly remedy?: string;
  readonly reason?: string;
}

/** Say what was done about an accepted claim, which closes it. */
export interface RemedyDone {
  readonly do: "remedy_done";
  readonly case: number;
  readonly text: string;
}

export interface Dispute {
  readonly do: "dispute";
  readonly station?: string;
  readonly text: string;
  readonly coup?: number;
  readonly control?: number | null;
  readonly patron?: string;
  readonly person?: string;
}

/** Decide a dispute finally, with any money that the decision moves. */
export interface DecideDispute {
  readonly do: "decide_dispute";
  readonly case: number;
  readonly decision: string;
  readonly adjustments?: Readonly<Record<string, number>>;
  readonly unresolved?: boolean;
  readonly inspector_advised?: boolean;
}

/** Record a breach of the rules by a patron or a bystander. */
export interface Breach {
  readonly do: "breach";
  readonly station?: string;
  readonly contravened: string;
  readonly reason: string;
  readonly prohibited_device?: boolean;
  readonly control?: number | null;
  readonly patron?: string;
  readonly person?: string;
}

/** Void wagers, exclude the patron, confiscate the device, or record a detention. */
export interface ActOnBreach {
  readonly do: "act_on_breach";
  readonly case: number;
  readonly act: "confiscate" | "detain" | "exclude" | "void_wagers";
  readonly text?: string;
  readonly coup?: number | null;
}

/** Say who took over a person who was detained, or why the person was let go. */
export interface EndDetention {
  readonly do: "end_detention";
  readonly case: number;
  readonly taken_over_by?: string;
  readonly ended_ms?: number | null;
  readonly reason?: string;
}

export interface Seize {
  readonly do: "seize";
  readonly case: number;
  readonly cents: number;
  readonly since_ms?: number | null;
}

/** Pay seized winnings out after all, or forfeit them. */
export interface Release {
  readonly do: "release";
  readonly case: number;
  readonly forfeit?: boolean;
  readonly reason?: string;
}

/** Record a complaint about the conduct of the game. */
export interface Complaint {
  readonly do: "complaint";
  readonly station?: string;
  readonly text: string;
  readonly control?: number | null;
  readonly patron?: string;
  readonly person?: string;
}

/** Record what the person who complained was told. */
export interface AnswerComplaint {
  readonly do: "answer_complaint";
  readonly case: number;
  readonly text: string;
}

/** Close a complaint with what came of it. */
export interface CloseComplaint {
  readonly do: "close_complaint";
  readonly case: number;
  readonly text: string;
}

/** A station has failed. */
export interface Fault {
  readonly do: "fault";
  readonly station: string;
  readonly fault?: string;
  readonly failed_ms?: number | null;
}

/** The game system other than a station has failed. */
export interface Malfunction {
  readonly do: "malfunction";
  readonly fault?: string;
  readonly failed_ms?: number | null;
}

/** A station tells what it shows of its wagers, after the close or when it is back from a failure. */
export interface Seen {
  readonly do: "seen";
  readonly station?: string;
  readonly wagers: Readonly<Record<string, number>>;
  readonly accepted?: boolean;
  readonly coup?: number | null;
}

export interface ConfirmRecords {
  readonly do: "confirm_records";
  readonly station?: string;
  readonly coup?: number | null;
}

/** The records do not confirm a station's wagers, since the station shows others. */
export interface CannotConfirm {
  readonly do: "cannot_confirm";
  readonly station: string;
  readonly reason?: string;
  readonly coup?: number | null;
}

/** Book what disagrees, so that ledger and meters agree again. */
export interface BookDifference {
  readonly do: "book_difference";
  readonly station?: string;
  readonly right?: "ledger" | "meters";
  readonly reason?: string;
}

/** Pay a station's patron by hand at a locked table, and close the account. */
export interface PayByHand {
  readonly do: "pay_by_hand";
  readonly station: string;
  readonly cents: number;
  readonly reason?: string;
}

/** A patron agrees that the session ends now (CROWN 12.3.5(b)); it lapses when wagering opens again (G-128). */
export interface AgreeToConclude {
  readonly do: "agree_to_conclude";
  readonly station?: string;
}

/** Answer the challenge with the device's own key. */
export interface Prove {
  readonly type: "prove";
  readonly device: string;
  readonly signature: string;
  readonly table?: string;
}

/** Say where the device stands, and in which form it wants to be told. */
export interface Hello {
  readonly type: "hello";
  readonly feed?: "events" | "views";
  readonly epoch?: number;
  readonly version?: number;
  readonly pending?: readonly [epoch: number, n: number] | null;
  readonly checkpoint?: Checkpoint | null;
}

/** Ask something of the table. */
export interface Ask {
  readonly type: "ask";
  readonly epoch: number;
  readonly n: number;
  readonly coup?: number | null;
  readonly command: DeviceAct;
  readonly token?: string;
  readonly second?: string;
}

/** What a display shows as the newest result. What it shows instead of what is true counts for nothing. */
export interface Showing {
  readonly type: "showing";
  readonly version: number;
  readonly coup?: number;
  readonly winner?: string;
}

/** A printer has printed a ticket. It is not answered, and said again it changes nothing. */
export interface PrintedFrame {
  readonly type: "printed";
  readonly ticket: string;
}

/** Ask to be told the last coups step by step; a console says of which station. */
export interface AskRecall {
  readonly type: "recall";
  readonly station?: string;
}

/** Ask, at a console, what an act would do to every account; nothing is done. */
export interface AskPreview {
  readonly type: "preview";
  readonly n: number;
  readonly command: DeviceAct;
  readonly token?: string;
}

export interface Challenge {
  readonly type: "challenge";
  readonly nonce: string;
  readonly floor: string;
}

/** The device is known, and may say hello. */
export interface Ready {
  readonly type: "ready";
  readonly device: string;
  readonly kind: "station" | "console" | "display" | "note_acceptor" | "printer" | "card_reader" | "shoe" | "desk";
  readonly table: string;
  readonly station?: string;
  readonly places?: Readonly<Record<string, string>>;
  readonly valid_days?: number;
}

/** The answer to a command: accepted, or refused with the reason. It is durable. */
export interface Answer {
  readonly type: "answer";
  readonly epoch: number;
  readonly n: number;
  readonly version: number;
  readonly refusal?: Refused | null;
  readonly layout?: Readonly<Record<string, number>> | null;
}

/** Where the table stands; with nothing of the three below, the device is up to date. */
export interface Welcome {
  readonly type: "welcome";
  readonly epoch: number;
  readonly version: number;
  readonly missed?: readonly unknown[];
  readonly picture?: null;
  readonly view?: Readonly<Record<string, unknown>> | null;
  readonly whole?: boolean;
  readonly stale?: StalePicture | null;
  readonly pending?: Answer | Lost | null;
  readonly last?: number;
}

/** The journal does not answer: nothing is acknowledged until the next word. */
export interface Paused {
  readonly type: "paused";
  readonly epoch: number;
}

/** The command belongs to another owner's time: say hello first. */
export interface Resynchronise {
  readonly type: "resynchronise";
  readonly epoch: number;
}

/** A command of an earlier owner's time that was never recorded, and never will be. */
export interface Lost {
  readonly type: "lost";
  readonly epoch: number;
  readonly n: number;
}

/** The sections of the view that changed, each whole. Several devices may get the very same frame. */
export interface ViewFrame {
  readonly type: "view";
  readonly epoch: number;
  readonly version: number;
  readonly changed: Readonly<Record<string, unknown>>;
  readonly stale?: StalePicture | null;
}

/** A signed head of the table's records, to be kept and shown at the next hello. */
export interface Vouched {
  readonly type: "vouched";
  readonly checkpoint: Checkpoint;
}

/** The last coups of one station, as an answer. */
export interface Recalled {
  readonly type: "recalled";
  readonly recall: Recall;
}

/** What an act would do, as an answer. */
export interface Previewed {
  readonly type: "previewed";
  readonly n: number;
  readonly preview: Preview;
}

/** A frame that was not taken, and why. Nothing was done. */
export interface Trouble {
  readonly type: "trouble";
  readonly code: string;
  readonly text: string;
  readonly n?: number | null;
}

/** The floor ends the connection. */
export interface Bye {
  readonly type: "bye";
  readonly why: string;
  readonly owner?: string;
}

/** A signed head of the table's stream, as a device was given it. */
export interface Checkpoint {
  readonly version: number;
  readonly epoch: number;
  readonly hash: string;
  readonly at_ms: number;
  readonly key_id: string;
  readonly signature: string;
}

/** No, and why. The state is as it was. */
export interface Refused {
  readonly code: string;
  readonly clause: string;
  readonly text: string;
  readonly alarm?: string | null;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** That no view can be made of the table as it is: what the device shows is the last sound picture (G-196). */
export interface StalePicture {
  readonly since_ms: number;
}

/** Past coups; a screen that shows them marks them as past. */
export interface Recall {
  readonly station: string;
  readonly coups: readonly RecalledCoup[];
}

export interface Preview {
  readonly refusal?: Refused | null;
  readonly effects?: readonly AccountEffect[];
  readonly hidden?: boolean;
}

export interface RecalledCoup {
  readonly coup: number;
  readonly shoe: number;
  readonly steps: readonly RecallStep[];
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

export interface RecallStep {
  readonly at_ms: number;
  readonly what: ScreenMessage;
  readonly balance_cents: number;
  readonly wagered_cents: number;
  readonly held_cents: number;
}

export interface ScreenMessage {
  readonly code: string;
  readonly text: string;
  readonly clause: string;
  readonly values: Readonly<Record<string, string | number>>;
}

export type DeviceAct = SignOn | SignOff | OpenTable | CloseTable | ApproveBuild | Notice | Device | Incident | ShowsSign | WithdrawNotice | CheckCards | Pack | NewShoe | OpenShoe | OrderShuffle | ReplaceCards | Cut | Burn | ShowBurn | CuttingCard | WithdrawCuttingCard | BuyIn | Note | InsertTicket | ReadPlayerCard | Nominee | Leave | Stay | Pay | PrintFailed | ManualPay | HandBack | DirectToLeave | Vacate | OutOfService | BackInService | MovePatron | CloseIdle | SetOwnLimit | TakeBreak | AcknowledgeCheck | CallAttendant | AnswerCall | EndCall | Fill | Credit | CountFloat | SetWager | Move | Undo | Clear | Repeat | Double | Lay | Open | Close | FaceUp | Card | Amend | TakeBackCard | Confirm | Void | Fact | Resolve | WithdrawFact | Unresolve | Freeze | Correct | Recalculate | Unfreeze | Invalidate | Waive | PayPayable | CorrectBuyIn | Claim | DecideClaim | RemedyDone | Dispute | DecideDispute | Breach | ActOnBreach | EndDetention | Seize | Release | Complaint | AnswerComplaint | CloseComplaint | Fault | Malfunction | Seen | ConfirmRecords | CannotConfirm | BookDifference | PayByHand | AgreeToConclude;

export type DeviceFrame = Prove | Hello | Ask | Showing | PrintedFrame | AskRecall | AskPreview;

export type FloorFrame = Challenge | Ready | Answer | Welcome | Paused | Resynchronise | Lost | ViewFrame | Vouched | Recalled | Previewed | Trouble | Bye;
