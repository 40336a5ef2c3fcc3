import { availableParallelism } from 'node:os';
import { BUSY_RETRY_SECONDS, CALLER_SHARE } from '../../config/limits.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { BUSY_RETRY_SECONDS_MAX, PIXELS_OF_LARGE_WORK, WAIT_SHARE_OF_DEADLINE } from './limits.ts';
import type { PixelControl, WorkLength } from './types.ts';

/** Something that waits for its turn. */
export interface Turn {
  /** Who asks: the network address, and within it the wallet or key, of which an address may have any number. */
  readonly address: string;
  readonly callerKey: string;
  /** CPU seconds it is predicted to take. */
  readonly cost: number;
  /** Share of the caller, as a multiple of that of everybody: so many seconds count as one. */
  readonly weight?: number;
}

/** CPU seconds an address, or a caller within it, has been charged since it came, and how many of its turns wait or are served now. */
interface Party {
  served: number;
  present: number;
  readonly members: Map<string, Party>;
}

/**
 * Who is next: of the addresses that wait, the one that has been served least, and within it the caller that has, oldest
 * first. A new address starts level with the one served least so far, so neither a long queue nor a long absence is of use.
 */
export class FairQueue<T extends Turn> {
  readonly #waiting = new Set<T>();
  readonly #addresses = new Map<string, Party>();

  /** In the order they came. */
  get waiting(): ReadonlySet<T> {
    return this.#waiting;
  }

  /** The next to be served first. */
  get inOrder(): T[] {
    return [...this.#waiting].sort((one, other) => {
      const [address, caller] = this.#parties(one);
      const [otherAddress, otherCaller] = this.#parties(other);
      return address.served - otherAddress.served || caller.served - otherCaller.served;
    });
  }

  enter(turn: T): void {
    this.#waiting.add(turn);
    const address = enterParty(this.#addresses, turn.address);
    enterParty(address.members, turn.callerKey);
  }

  /** It is served from now on. */
  serve(turn: T): void {
    this.#waiting.delete(turn);
    for (const party of this.#parties(turn)) party.served += turn.cost / weightOf(turn);
  }

  /** Replaces the prediction that was charged by what was measured. CPU seconds. */
  correct(turn: T, spentSeconds: number): void {
    for (const party of this.#parties(turn)) party.served += (spentSeconds - turn.cost) / weightOf(turn);
  }

  /** It was served, or waits no longer. */
  leave(turn: T): void {
    this.#waiting.delete(turn);
    const [address] = this.#parties(turn);
    leaveParty(address.members, turn.callerKey);
    leaveParty(this.#addresses, turn.address);
  }

  #parties({ address, callerKey }: T): [Party, Party] {
    const party = this.#addresses.get(address)!;
    return [party, party.members.get(callerKey)!];
  }
}

const weightOf = ({ weight = 1 }: Turn): number => weight;

function enterParty(parties: Map<string, Party>, name: string): Party {
  const others = [...parties.values()].map(({ served }) => served);
  const level = others.length > 0 ? Math.min(...others) : 0;
  const party = parties.get(name) ?? { served: level, present: 0, members: new Map() };
  party.present += 1;
  parties.set(name, party);
  return party;
}

function leaveParty(parties: Map<string, Party>, name: string): void {
  const party = parties.get(name)!;
  party.present -= 1;
  if (party.present === 0) parties.delete(name);
}

export interface AdmissionSettings {
  /** Sum over everything that runs. */
  readonly pixelsInFlightMax: number;
  /** What may wait, of all callers together. */
  readonly queueLengthMax: number;
  /** Longest time of work that names none of its own. */
  readonly deadlineMs: number;
  /** Part of the pixels that one address may hold with more than one piece of work; absent: CALLER_SHARE. */
  readonly callerShare?: number;
}

/** Something that wants pixels and, unless it only sets them aside, a process. */
export interface Ask extends Turn {
  readonly control: PixelControl;
  readonly length: WorkLength;
  /** Whether there is a process for it now, as far as processes go. */
  hasProcess(): boolean;
  /** Its turn has come. */
  start(): void;
  /** Its turn will not come. */
  refuse(error: AtelierError): void;
  /** CPU seconds it has used since it began. */
  spentSeconds(): number;
}

/**
 * Decides which work may begin: in fair order among addresses, charged by CPU seconds, as far as pixels reach. No address takes all of them,
 * the last part is kept for small work, and what is large does not overtake what is large: docs/decisions/0005-admission-by-cpu-seconds.md
 */
export class Admission {
  readonly #settings: AdmissionSettings;
  readonly #queue = new FairQueue<Ask>();
  readonly #begun = new Set<Ask>();
  readonly #patience = new Map<Ask, NodeJS.Timeout>();

  constructor(settings: AdmissionSettings) {
    this.#settings = settings;
  }

  /** Pixels of everything that has begun. */
  get pixels(): number {
    return this.#sum(({ control }) => !control.within);
  }

  isWaiting(ask: Ask): boolean {
    return this.#queue.waiting.has(ask);
  }

  /** Begins at once where there is room, else waits; `refuse` may be called before this returns. @throws AtelierError image_too_large */
  enter(ask: Ask): void {
    const { pixelsInFlightMax, deadlineMs } = this.#settings;
    const { control } = ask;
    if (control.pixels > pixelsInFlightMax) throw tooLarge(control.pixels, pixelsInFlightMax);
    this.#queue.enter(ask);
    this.assign();
    if (!this.isWaiting(ask)) return;
    control.onProgress?.(0.05, 'Waiting for a free worker');
    if (control.within) return;
    const waitMs = (control.deadlineMs ?? deadlineMs) * WAIT_SHARE_OF_DEADLINE;
    this.#patience.set(
      ask,
      setTimeout(() => this.#refuse(ask, waitIsOver(waitMs, this.#secondsAheadOf(ask))), waitMs),
    );
    this.#makeRoom();
  }

  /** It has ended, or waits no longer: its prediction is replaced by what it used. Nothing happens where it has left before. */
  leave(ask: Ask): void {
    clearTimeout(this.#patience.get(ask));
    this.#patience.delete(ask);
    if (this.#begun.delete(ask)) this.#queue.correct(ask, ask.spentSeconds());
    else if (!this.isWaiting(ask)) return;
    this.#queue.leave(ask);
    this.assign();
  }

  /** Lets begin whatever can. */
  assign(): void {
    let isLargeWaiting = false;
    for (const ask of this.#queue.inOrder) {
      const isLarge = isLargeWork(ask);
      if ((isLarge && isLargeWaiting && !ask.control.within) || !ask.hasProcess()) continue;
      if (!this.#isWithinShare(ask)) continue;
      if (!this.#fits(ask)) isLargeWaiting ||= isLarge && !ask.control.within;
      else this.#begin(ask);
    }
  }

  #begin(ask: Ask): void {
    clearTimeout(this.#patience.get(ask));
    this.#queue.serve(ask);
    this.#begun.add(ask);
    ask.start();
  }

  #fits({ control, control: { pixels, within } }: Ask): boolean {
    if (within) {
      const used = this.#sum((other) => other.control.within === within);
      return used === 0 || used + pixels <= within.pixels;
    }
    const { pixelsInFlightMax } = this.#settings;
    const isLarge = isLargeWork({ control });
    const isFirstLarge = !this.#some((other) => isLargeWork(other));
    const kept = isLarge && !isFirstLarge ? PIXELS_OF_LARGE_WORK : 0;
    return this.pixels + pixels <= pixelsInFlightMax - kept;
  }

  /** The first piece of work of an address may be as large as it likes; with a second one it has to leave some to others. */
  #isWithinShare({ address, control: { pixels, within } }: Ask): boolean {
    const { pixelsInFlightMax, callerShare = CALLER_SHARE } = this.#settings;
    const held = this.#sum((other) => other.address === address && !other.control.within);
    return within !== undefined || held === 0 || held + pixels <= callerShare * pixelsInFlightMax;
  }

  /** Where too many wait, the address with most of them loses the newest: a newcomer finds a place in any queue. */
  #makeRoom(): void {
    const counted = [...this.#queue.waiting].filter(({ control }) => !control.within);
    if (counted.length <= this.#settings.queueLengthMax) return;
    const byAddress = [...Map.groupBy(counted, ({ address }) => address).values()];
    const most = byAddress.reduce((longest, own) => (own.length >= longest.length ? own : longest));
    const newest = most.at(-1)!;
    this.#refuse(newest, queueIsFull(most.length, this.#secondsAheadOf(newest)));
  }

  /**
   * Seconds until a process is free for this work: what is predicted for the work before it in the order of turns, and what is left of the work
   * that runs, shared among the cores. Short work passes by long work.
   */
  #secondsAheadOf(ask: Ask): number {
    const order = this.#queue.inOrder;
    const before = order.slice(0, order.indexOf(ask));
    const isInTheWay = (other: Ask) => ask.length === 'long' || other.length === 'short';
    const waiting = before.filter(isInTheWay).map(({ cost }) => cost);
    const running = [...this.#begun]
      .filter(isInTheWay)
      .map((other) => Math.max(0, other.cost - other.spentSeconds()));
    return [...waiting, ...running].reduce((sum, seconds) => sum + seconds, 0) / availableParallelism();
  }

  #refuse(ask: Ask, error: AtelierError): void {
    this.leave(ask);
    ask.refuse(error);
  }

  #sum(of: (ask: Ask) => boolean): number {
    return [...this.#begun].filter(of).reduce((sum, { control }) => sum + control.pixels, 0);
  }

  #some(of: (ask: Ask) => boolean): boolean {
    return [...this.#begun].some(of);
  }
}

/** Work that never has the last of the pixels. */
const isLargeWork = ({ control }: Pick<Ask, 'control'>): boolean => control.pixels > PIXELS_OF_LARGE_WORK;

/** The address that work without a caller is charged to. */
const OURSELVES = 'this service';

/** Which address and caller are charged, and how many CPU seconds. */
export const turnOf = (
  { address = OURSELVES, callerKey = '', weight = 1 }: PixelControl,
  cost: number,
): Turn => ({ address, callerKey, cost, weight });

const tooLarge = (pixels: number, max: number) =>
  new AtelierError(
    'image_too_large',
    `This call needs ${Math.ceil(pixels / 1e6)} million pixels at once. The limit is ${Math.floor(max / 1e6)} million. Send or request a smaller image.`,
  );

function queueIsFull(own: number, secondsAhead: number): AtelierError {
  const retryAfterSeconds = retryAfter(secondsAhead);
  const requests = own === 1 ? '1 queued request' : `${own} queued requests`;
  return new AtelierError(
    'busy',
    `Server at capacity. Your IP address has ${requests}. Retry in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

function waitIsOver(waitedMs: number, secondsAhead: number): AtelierError {
  const retryAfterSeconds = retryAfter(secondsAhead);
  return new AtelierError(
    'busy',
    `Server at capacity. The request waited ${waitedMs / 1000} s and did not start. Retry in ${retryAfterSeconds} s, or send it with "async": true, which waits longer.`,
    { retryAfterSeconds },
  );
}

const retryAfter = (seconds: number): number =>
  Math.min(BUSY_RETRY_SECONDS_MAX, Math.max(BUSY_RETRY_SECONDS, Math.ceil(seconds)));
