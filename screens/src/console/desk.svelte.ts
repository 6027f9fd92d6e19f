// The dealer's desk: every act at the console goes through here, in the name of whoever may do it.

import type { Link } from "../link/link.svelte";
import { Acting } from "../staff/acting.svelte";
import { Crew, type Member } from "../staff/crew.svelte";
import type { DeviceAct, Refused } from "../wire/frames";
import { ONLY_SIGNED_ON, TABLE_ROLES, TABLE_SECONDS } from "../wire/rules";
import type { ConsoleView } from "../wire/views";

/** What belongs to one coup, and must not be taken for the next one if it comes late. */
const OF_THE_COUP = new Set(["card", "amend", "close", "confirm", "void"]);

export class Desk {
  readonly link: Link<ConsoleView>;
  readonly crew: Crew;
  readonly acting: Acting;

  constructor(link: Link<ConsoleView>) {
    this.link = link;
    this.crew = new Crew(link.identity);
    this.acting = new Acting(this.crew, (member) => this.#worksAs(member));
  }

  /** Whether somebody here is known to the floor. */
  get isManned(): boolean {
    return this.crew.members.length > 0;
  }

  isOpen(verb: string): boolean {
    return this.link.isLive && (this.link.view?.actions[verb]?.open ?? false);
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
