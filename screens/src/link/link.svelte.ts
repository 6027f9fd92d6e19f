// The link to the floor: proves who the device is, follows its view, carries its commands, and comes back by itself.

import { proof, type Identity } from "../device/identity";
import type { DeviceAct, DeviceFrame, FloorFrame, Preview, Ready, Recall, StalePicture, ViewFrame, Welcome } from "../wire/frames";
import { Asks, type Circumstances, type Outcome } from "./asks";
import { waitBefore } from "./backoff";
import { Checkpoints } from "./checkpoints";

export type Standing =
  | "connecting"
  | "live"
  /** The journal does not answer: nothing is acknowledged until the next word. */
  | "paused"
  /** The floor does not know this device, or refuses its proof. */
  | "unknown";

/** The code with which the floor closes the socket of a device that it does not know; after any other one it is tried
 * again, since the floor may only be unable to look the device up for now. */
const TURNED_AWAY = 4003;
/** The code with which the floor closes a socket while its journal does not answer. */
const PAUSED = 4005;
const WATCH_MS = 500;
const ANSWER_MS = 2_000;
const SILENCE_MS = 5_000;
const GIVE_UP_MS = 12_000;

export class Link<View extends object> {
  standing = $state<Standing>("connecting");
  who = $state.raw<Ready | null>(null);
  /** The table that the connection is for, as far as it is known. */
  table = $state("");
  /** For a station at several tables, its station at each of them; it stays while the link is down. */
  places = $state.raw<Readonly<Record<string, string>>>({});
  view = $state.raw<View | null>(null);
  version = $state(0);
  /** The time of one owner of the table, within which versions count up. */
  epoch = $state(0);
  /** That the view is the last sound one and not current, or that there is none to show; null while it is current. */
  stale = $state.raw<StalePicture | null>(null);
  /** When the view's clock was told, by the page's own steady clock. */
  toldAt = $state.raw(0);

  readonly identity: Identity;
  readonly #address: string;
  /** Which of its tables the device names; its first one where it names none. */
  readonly #named: string;
  readonly #asks = new Asks(
    (frame) => this.#send(frame),
    () => this.#hello(),
  );
  readonly #checkpoints: Checkpoints;
  #socket: WebSocket | null = null;
  /** Where the process is that owns the table, once the floor has said so; and whether it has just said so. */
  #owner = "";
  #moved = false;
  #attempt = 0;
  #heardAt = 0;
  #saidAt = 0;
  #closed = false;
  readonly #watch: ReturnType<typeof setInterval>;

  constructor(identity: Identity, address = socketAddress(), table = "") {
    this.identity = identity;
    this.#address = address;
    this.#named = this.table = table;
    this.#checkpoints = new Checkpoints(table === "" ? identity.device : `${identity.device} ${table}`);
    this.#open();
    this.#watch = setInterval(() => this.#lookAfter(performance.now()), WATCH_MS);
  }

  /** Whether a touch may do anything: only what the floor can answer at once. */
  get isLive(): boolean {
    return this.standing === "live";
  }

  ask(command: DeviceAct, circumstances: Circumstances = {}): Promise<Outcome> {
    if (!this.isLive) return Promise.resolve({ kind: "lost" });
    return this.#asks.ask(command, circumstances);
  }

  /** Resolves once the view shows what a version holds; no view that is not current ever does. */
  async seen(version: number): Promise<void> {
    while (this.version < version && this.isLive && this.stale === null) await new Promise((resolve) => this.#watchers.push(resolve));
  }

  readonly #previews = new Map<number, (preview: Preview | null) => void>();
  #questions = 0;
  readonly #recalls: ((recall: Recall) => void)[] = [];
  readonly #watchers: ((value: unknown) => void)[] = [];

  /** Tell the floor which result stands on the screen, so that it notices a screen that is wrong (CROWN 11.13). */
  showing(coup: number, winner: string): void {
    if (this.isLive) this.#send({ type: "showing", version: this.version, coup, winner });
  }

  /** The last coups of this station, step by step; a console says of which station. */
  recall(station = ""): Promise<Recall> {
    this.#send({ type: "recall", ...(station === "" ? {} : { station }) });
    return new Promise((resolve) => this.#recalls.push(resolve));
  }

  /** What an act at a console would do to every account; nothing where the floor does not say. */
  preview(command: DeviceAct, token: string): Promise<Preview | null> {
    if (!this.isLive) return Promise.resolve(null);
    const n = (this.#questions += 1);
    this.#send({ type: "preview", n, command, token });
    return new Promise((resolve) => this.#previews.set(n, resolve));
  }

  #forgetPreviews(): void {
    for (const resolve of this.#previews.values()) resolve(null);
    this.#previews.clear();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#watch);
    this.#socket?.close();
  }

  #open(): void {
    const socket = new WebSocket(this.#nextAddress());
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.onmessage = (message) => void this.#hear(socket, JSON.parse(String(message.data)) as FloorFrame);
    socket.onclose = (event) => this.#lost(socket, event.code);
  }

  /** The owner's where the floor has just named it; later both in turn, since either process may have ended. */
  #nextAddress(): string {
    const toOwner = this.#owner !== "" && (this.#moved || this.#attempt % 2 === 1);
    this.#moved = false;
    return toOwner ? this.#owner : this.#address;
  }

  #lost(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    if (code === TURNED_AWAY) this.standing = "unknown";
    else if (code === PAUSED) this.standing = "paused";
    else this.standing = "connecting";
    this.#asks.close();
    this.#forgetPreviews();
    this.#wakeWatchers();
    if (this.#closed) return;
    setTimeout(() => this.#open(), waitBefore(this.#attempt));
    this.#attempt += 1;
  }

  async #hear(socket: WebSocket, said: FloorFrame): Promise<void> {
    if (socket !== this.#socket) return;
    this.#heardAt = performance.now();
    switch (said.type) {
      case "challenge": {
        this.who = null; // An earlier proof of identity must be given again; the device may be unknown by now.
        const signature = await proof(this.identity, said.floor, said.nonce);
        return this.#send({ type: "prove", device: this.identity.device, signature, ...(this.#named === "" ? {} : { table: this.#named }) });
      }
      case "ready":
        this.who = said;
        this.table = said.table;
        this.places = said.places ?? {};
        return this.#hello();
      case "bye":
        if (said.owner) {
          this.#owner = socketAddress(said.owner);
          this.#moved = true;
        }
        if (this.standing === "live") this.standing = "connecting"; // The code of the closing tells the rest.
        return;
      case "trouble":
        if (this.#asks.pending === null) this.#forgetPreviews();
        return this.#asks.troubled({ code: said.code, clause: "", text: said.text });
      case "recalled":
        for (const resolve of this.#recalls.splice(0)) resolve(said.recall);
        return;
      case "previewed":
        this.#previews.get(said.n)?.(said.preview);
        this.#previews.delete(said.n);
        return;
      case "vouched":
        return this.#checkpoints.keep(said.checkpoint);
      default:
        if (said.epoch >= this.epoch) this.#follow(said);
    }
  }

  #follow(said: Exclude<FloorFrame, { type: "challenge" | "ready" | "bye" | "trouble" | "vouched" | "recalled" | "previewed" }>): void {
    if (said.type !== "welcome" && said.type !== "resynchronise" && said.epoch > this.epoch) return this.#hello();
    switch (said.type) {
      case "welcome":
        return this.#welcome(said);
      case "resynchronise":
        return this.#hello();
      case "paused":
        this.standing = "paused";
        return;
      case "answer":
        this.standing = "live";
        return this.#asks.answered(said);
      case "lost":
        return this.#asks.lost(said);
      case "view":
        this.standing = "live";
        return this.#show(said);
    }
  }

  /** Say again what takes long, ask how things stand when nothing is heard, and give a silent link up. */
  #lookAfter(now: number): void {
    const silence = now - this.#heardAt;
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (silence > GIVE_UP_MS) return this.#socket.close();
    if (this.standing === "connecting") return;
    if (this.#asks.pending !== null && now - this.#saidAt > ANSWER_MS) return this.#asks.repeat();
    if (silence > SILENCE_MS && now - this.#saidAt > SILENCE_MS) this.#hello();
  }

  #hello(): void {
    const known = this.view === null ? {} : { epoch: this.epoch, version: this.version };
    const checkpoint = this.#checkpoints.newest;
    this.#send({ type: "hello", feed: "views", ...known, pending: this.#asks.pending, checkpoint });
  }

  #welcome(welcome: Welcome): void {
    this.#attempt = 0;
    this.epoch = welcome.epoch;
    this.stale = welcome.stale ?? null;
    const told = (welcome.view ?? {}) as Partial<View>;
    if (this.stale === null || welcome.whole || this.view !== null) {
      this.#take(welcome.whole || this.view === null ? (told as View) : { ...this.view, ...told }, welcome.version);
    }
    this.standing = "live";
    this.#asks.welcome(welcome.epoch, welcome.last ?? 0, welcome.pending ?? null);
  }

  /** Each section comes whole, so putting it in the place of the old one is all there is to do. */
  #show(shown: ViewFrame): void {
    const waits = this.view === null && this.stale !== null; // It is shown everything as soon as there is something.
    if ((this.view === null && !waits) || shown.version < this.version) return;
    this.stale = shown.stale ?? null;
    if (this.view === null && this.stale !== null) return;
    this.#take({ ...this.view, ...(shown.changed as Partial<View>) } as View, shown.version);
  }

  #take(view: View, version: number): void {
    const before = this.view;
    this.view = view;
    this.version = version;
    if (clockOf(view) !== clockOf(before)) this.toldAt = performance.now();
    this.#wakeWatchers();
  }

  #wakeWatchers(): void {
    for (const wake of this.#watchers.splice(0)) wake(undefined);
  }

  #send(frame: DeviceFrame): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#saidAt = performance.now();
    this.#socket.send(JSON.stringify(frame).normalize()); // Texts are recorded in one normal form (G-195).
  }
}

function clockOf(view: object | null): unknown {
  return view === null ? undefined : (view as { clock?: unknown }).clock;
}

/** The socket of the process that serves the page, or of another one of the floor. */
export function socketAddress(origin = location.origin): string {
  return `${origin.replace(/^http/, "ws").replace(/\/$/, "")}/ws`;
}
