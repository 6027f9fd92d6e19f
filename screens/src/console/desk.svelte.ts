// The dealer's desk: every act at the console goes through here, in the name of a person who may do it.

import type { Link } from "../link/link.svelte";
import { Acting } from "../staff/acting.svelte";
import { Crew, type Member } from "../staff/crew.svelte";
import type { DeviceAct, Preview, Refused } from "../wire/frames";
import { ONLY_SIGNED_ON, TABLE_ROLES, TABLE_SECONDS } from "../wire/rules";
import type { ConsoleView } from "../wire/views";

/** What belongs to one coup, and must not be taken for the next one if it comes late. */
const OF_THE_COUP = new Set(["card", "amend", "close", "confirm", "void"]);

/** Where on the page an act was given: its refusal stands there. */
export type Place = "entry" | "bar" | "pay";

/** An act that cannot be taken back, before it is given. */
export interface Confirming {
  readonly command: DeviceAct;
  readonly roles: readonly string[];
  /** What it will do, in words. */
  readonly said: string;
  readonly decided: (done: boolean) => void;
}

export class Desk {
  /** What waits to be confirmed. */
  confirming = $state.raw<Confirming | null>(null);
  place = $state<Place>("entry");
  /** The refusal that a form shows itself. */
  claimed = $state.raw<Refused | null>(null);
  readonly link: Link<ConsoleView>;
  readonly crew: Crew;
  readonly acting: Acting;

  constructor(link: Link<ConsoleView>) {
    this.link = link;
    this.crew = new Crew(link.identity);
    this.acting = new Acting(this.crew, (member) => this.#worksAs(member));
  }

  /** Whether a person is signed on here. */
  get isManned(): boolean {
    return this.crew.members.length > 0;
  }

  isOpen(verb: string): boolean {
    return this.link.isLive && (this.link.view?.actions[verb]?.open ?? false);
  }

  /** Ask once before an act that cannot be taken back; whether it was done. */
  confirm(command: DeviceAct, said: string, roles: readonly string[] = TABLE_ROLES[command.do]): Promise<boolean> {
    if (this.acting.busy || this.confirming !== null) return Promise.resolve(false);
    this.acting.refusal = null;
    return new Promise((resolve) => {
      const decided = (done: boolean): void => {
        this.confirming = null;
        resolve(done);
      };
      this.confirming = { command, roles, said, decided };
    });
  }

  /** What an act would do to every account, and what it would be answered. */
  preview(command: DeviceAct): Promise<Preview | null> {
    const member = this.crew.among(TABLE_ROLES[command.do], (one) => this.#worksAs(one)) ?? this.crew.members[0];
    return this.link.preview(command, member?.token ?? "");
  }

  /** An act from a certain place of the page. */
  askAt(place: Place, command: DeviceAct): Promise<boolean> {
    this.place = place;
    return this.ask(command);
  }

  async ask(command: DeviceAct, roles: readonly string[] = TABLE_ROLES[command.do]): Promise<boolean> {
    const of = OF_THE_COUP.has(command.do) ? { coup: this.link.view?.phase.coup ?? 0 } : {};
    const done = await this.acting.act({
      verb: command.do,
      roles,
      seconds: TABLE_SECONDS,
      send: async (tokens) => {
        const outcome = await this.link.ask(command, { ...of, ...tokens });
        if (outcome.kind === "done") await this.link.seen(outcome.version);
        return outcome;
      },
    });
    if (done) this.crew.touched();
    return done;
  }

  /** Sign on here and, unless the table knows it already, at the table too. */
  async signOn(person: string, pin: string, role: string | null): Promise<Refused | null> {
    const member = await this.crew.signOn(person, pin);
    if ("code" in member) return member;
    if (role === null || this.link.view?.staff.signed_on[person] !== undefined) return null;
    const command = { do: "sign_on", as_role: role } as DeviceAct;
    const outcome = await this.link.ask(command, { token: member.token });
    if (outcome.kind === "done") await this.link.seen(outcome.version);
    return outcome.kind === "refused" ? outcome.refusal : null;
  }

  /** Sign off at the table and here. */
  async signOff(member: Member): Promise<Refused | null> {
    if (this.link.view?.staff.signed_on[member.person] !== undefined) {
      const outcome = await this.link.ask({ do: "sign_off" }, { token: member.token });
      if (outcome.kind === "refused") return outcome.refusal;
      if (outcome.kind === "done") await this.link.seen(outcome.version);
    }
    await this.crew.signOff(member);
    return null;
  }

  /** A person who is signed on at the table works in that role alone. */
  #worksAs({ person, roles }: Member): readonly string[] {
    const role = this.link.view?.staff.signed_on[person];
    return role === undefined ? roles.filter((one) => !(ONLY_SIGNED_ON as readonly string[]).includes(one)) : [role];
  }
}
