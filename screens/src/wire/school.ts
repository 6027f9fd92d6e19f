// Written by screens/messages.py from the server's own structs; do not edit.

/** A lesson in the list, from the easiest on. */
export interface LessonLine {
  readonly id: string;
  readonly title: Readonly<Record<string, string>>;
  readonly intro: Readonly<Record<string, string>>;
  readonly rule_set: string;
  readonly game: string;
  readonly coups: number;
}

/** A table in the list of a class. */
export interface TraineeLine {
  readonly table: string;
  readonly trainee: string;
  readonly shown: LessonShown;
}

export interface LessonReport {
  readonly table: string;
  readonly trainee: string;
  readonly lesson: string;
  readonly title: Readonly<Record<string, string>>;
  readonly rule_set: string;
  readonly game: string;
  readonly over: boolean;
  readonly began_ms: number;
  readonly ended_ms: number;
  readonly took_ms: number;
  readonly right: number;
  readonly total: number;
  readonly touches: number;
  readonly needed: number;
  readonly subjects: readonly SubjectMarks[];
  readonly marks: readonly LessonMark[];
  readonly faults: readonly TraineeError[];
}

export interface LessonShown {
  readonly table: string;
  readonly lesson: string;
  readonly title: Readonly<Record<string, string>> | null;
  readonly intro: Readonly<Record<string, string>> | null;
  readonly rule_set: string;
  readonly stage: string;
  readonly coup: number;
  readonly coups: number;
  readonly layout: Felt;
  readonly says: readonly Said[];
  readonly right: number;
  readonly marks: number;
  readonly touches: number;
  readonly faults: readonly TraineeError[];
}

export interface SubjectMarks {
  readonly subject: string;
  readonly words: Readonly<Record<string, string>>;
  readonly right: number;
  readonly total: number;
}

/** One question of the lesson and whether it was answered without a mistake. */
export interface LessonMark {
  readonly key: string;
  readonly verb: string;
  readonly subject: string;
  readonly clause: string;
  readonly right: boolean;
  readonly said: Said;
  readonly coup: number;
  readonly took_ms: number;
}

/** One mistake, named, with the clause that it is a mistake by. */
export interface TraineeError {
  readonly kind: string;
  readonly verb: string;
  readonly clause: string;
  readonly said: Said;
  readonly due: Said | null;
  readonly coup: number;
  readonly at_ms: number;
  readonly refusal: Refused | null;
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

/** What the school says: a phrase by its code, its values, and the sentence in every language. */
export interface Said {
  readonly code: string;
  readonly words: Readonly<Record<string, string>>;
  readonly clause: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** No, and why. The state is as it was. */
export interface Refused {
  readonly code: string;
  readonly clause: string;
  readonly text: string;
  readonly alarm?: string | null;
  readonly values?: Readonly<Record<string, string | number>>;
}
