// Written by screens/messages.py from the server's own structs; do not edit.

export interface SignedOn {
  readonly token: string;
  readonly person: string;
  readonly roles: readonly ("operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "station" | "clock")[];
  readonly device: string;
  readonly expires_ms: number;
  readonly idle_ms: number;
}

export interface SessionShown {
  readonly id: string;
  readonly person: string;
  readonly roles: readonly ("operator" | "dealer" | "game_supervisor" | "casino_supervisor" | "cashier" | "technician" | "tournament_director" | "inspector" | "station" | "clock")[];
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

export interface EnrolmentShown {
  readonly id: string;
  readonly kind: string;
  readonly status: "enrolled" | "refused" | "waiting";
  readonly device: string;
  readonly expires_ms: number;
}
