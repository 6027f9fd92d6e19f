// Written by screens/messages.py from the server's own structs; do not edit.

/** Say where and when the house keeps its days, how long tickets are good, and whether a station may be at several tables; what is not said stays. */
export interface ConfigureHouse {
  readonly do: "configure_house";
  readonly time_zone?: string | null;
  readonly gaming_day_starts?: string | null;
  readonly ticket_validity_days?: number | null;
  readonly several_tables?: boolean | null;
}

export interface Option {
  readonly do: "option";
  readonly option: string;
  readonly choice: number;
}

/** Put a person on the staff list, or change the person's roles. */
export interface Appoint {
  readonly do: "appoint";
  readonly person: string;
  readonly roles: readonly ("operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "surveillance" | "station" | "clock")[];
}

export interface Dismiss {
  readonly do: "dismiss";
  readonly person: string;
  readonly reason: string;
}

/** Let a person who is locked out try again. */
export interface Unlock {
  readonly do: "unlock";
  readonly person: string;
  readonly reason: string;
}

/** Admit a device to the floor under a key that only it holds. */
export interface Enrol {
  readonly do: "enrol";
  readonly device: string;
  readonly kind: "station" | "console" | "display" | "note_acceptor" | "printer" | "card_reader" | "shoe" | "desk";
  readonly table: string;
  readonly key: string;
  readonly approval?: string;
  readonly remote?: boolean;
  readonly station?: string | null;
  readonly places?: Readonly<Record<string, string>>;
}

export interface Revoke {
  readonly do: "revoke";
  readonly device: string;
  readonly reason: string;
}

export interface Exclude {
  readonly do: "exclude";
  readonly patron: string;
  readonly reason: string;
  readonly until_ms?: number | null;
}

export interface Readmit {
  readonly do: "readmit";
  readonly patron: string;
  readonly reason: string;
}

export interface Printed {
  readonly do: "printed";
  readonly ticket: string;
  readonly table?: string;
}

export interface Redeem {
  readonly do: "redeem";
  readonly ticket: string;
}

export interface VoidTicket {
  readonly do: "void_ticket";
  readonly ticket: string;
  readonly reason: string;
}

/** Let the cage pay a ticket after all: one that expired, or that was printed although a fault was reported. */
export interface Reinstate {
  readonly do: "reinstate";
  readonly ticket: string;
  readonly reason: string;
}

export interface TakeSlip {
  readonly do: "take_slip";
  readonly slip: string;
  readonly tender?: string;
}

export interface PaySlip {
  readonly do: "pay_slip";
  readonly slip: string;
}

/** Keep a slip from being paid while an investigation is on (CROWN 13.2.3). */
export interface HoldSlip {
  readonly do: "hold_slip";
  readonly slip: string;
  readonly reason: string;
}

/** Let the cage pay a slip that is held or has expired, or let what is held be forfeited. */
export interface ReleaseSlip {
  readonly do: "release_slip";
  readonly slip: string;
  readonly forfeit?: boolean;
  readonly reason: string;
}

export interface OpenDay {
  readonly do: "open_day";
  readonly date: string;
}

export interface CloseDay {
  readonly do: "close_day";
}

/** Let every ticket expire whose time has come, and every slip that nobody came to be paid for. */
export interface Expire {
  readonly do: "expire";
}

/** Say what was found about an alarm of a table's integrity. */
export interface SeeToLight {
  readonly do: "see_to_light";
  readonly table: string;
  readonly kind: string;
  readonly subject?: string;
  readonly reason: string;
}

export interface RevokeService {
  readonly do: "revoke_service";
  readonly service: string;
  readonly reason: string;
}

export type DeskAct = ConfigureHouse | Option | Appoint | Dismiss | Unlock | Enrol | Revoke | Exclude | Readmit | Printed | Redeem | VoidTicket | Reinstate | TakeSlip | PaySlip | HoldSlip | ReleaseSlip | OpenDay | CloseDay | Expire | SeeToLight | RevokeService;
