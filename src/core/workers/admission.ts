import { availableParallelism } from 'node:os';
import { BUSY_RETRY_SECONDS, CALLER_SHARE } from '../../config/limits.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { BUSY_RETRY_SECONDS_MAX, PIXELS_OF_LARGE_WORK, WAIT_SHARE_OF_DEADLINE } from './limits.ts';
import type { PixelControl, WorkLength } from './types.ts';

/** A request in a fair queue. */
export interface FairQueueEntry {
  /** Requester: the network address, and the wallet or key within it, of which an address may have any number. */
  readonly address: string;
  readonly callerKey: string;
  /** Predicted CPU seconds. */
  readonly cost: number;
  /** Share of the caller, as a multiple of the normal share: this many CPU seconds count as one. */
  readonly weight?: number;
}

/** CPU seconds charged to an address, or a caller within it, since it joined, and the number of its waiting and running requests. */
interface ShareState {
  served: number;
  present: number;
  readonly members: Map<string, ShareState>;
}

/**
 * Weighted fair queue: the next request comes from the waiting address with the least service, and within it from the caller with the
 * least, oldest first. A new address starts level with the least-served one, so neither a long queue nor a long absence is an advantage.
 */
export class FairQueue<T extends FairQueueEntry> {
  readonly #waiting = new Set<T>();
  readonly #addresses = new Map<string, ShareState>();

  /** In order of arrival. */
  get waiting(): ReadonlySet<T> {
    return this.#waiting;
  }

  /** In order of service. */
  get inOrder(): T[] {
    return [...this.#waiting].sort((one, other) => {
      const [address, caller] = this.#parties(one);
      const [otherAddress, otherCaller] = this.#parties(other);
      return address.served - otherAddress.served || caller.served - otherCaller.served;
    });
  }

  enter(turn: T): void {
    this.#waiting.add(turn);
    const address = enterShare(this.#addresses, turn.address);
    enterShare(address.members, turn.callerKey);
  }

  /** Marks a request as running. */
  serve(turn: T): void {
    this.#waiting.delete(turn);
    for (const party of this.#parties(turn)) party.served += turn.cost / weightOf(turn);
  }

  /** Replaces the charged prediction by the measured CPU seconds. */
  correct(turn: T, spentSeconds: number): void {
    for (const party of this.#parties(turn)) party.served += (spentSeconds - turn.cost) / weightOf(turn);
  }

  /** Removes a request that has ended or been withdrawn. */
  leave(turn: T): void {
    this.#waiting.delete(turn);
    const [address] = this.#parties(turn);
    leaveShare(address.members, turn.callerKey);
    leaveShare(this.#addresses, turn.address);
  }

  #parties({ address, callerKey }: T): [ShareState, ShareState] {
    const party = this.#addresses.get(address)!;
    return [party, party.members.get(callerKey)!];
  }
}

const weightOf = ({ weight = 1 }: FairQueueEntry): number => weight;

function enterShare(parties: Map<string, ShareState>, name: string): ShareState {
  const others = [...parties.values()].map(({ served }) => served);
  const level = others.length > 0 ? Math.min(...others) : 0;
  const party = parties.get(name) ?? { served: level, present: 0, members: new Map() };
  party.present += 1;
  parties.set(name, party);
  return party;
}

function leaveShare(parties: Map<string, ShareState>, name: string): void {
  const party = parties.get(name)!;
  party.present -= 1;
  if (party.present === 0) parties.delete(name);
}

export interface AdmissionSettings {
  /** Total pixels of all running work. */
  readonly pixelsInFlightMax: number;
  /** Length of the queue, over all callers. */
  readonly queueLengthMax: number;
  /** Deadline of work without its own deadline. */
  readonly deadlineMs: number;
  /** Fraction of the pixels that one address may hold with more than one task. Default: CALLER_SHARE. */
  readonly callerShare?: number;
}

/** Request for pixels and, unless it only reserves them, for a process. */
export interface Ask extends FairQueueEntry {
  readonly control: PixelControl;
  readonly length: WorkLength;
  /** Whether a process is available now. */
  hasProcess(): boolean;
  /** Called when the request is admitted. */
  start(): void;
  /** Called when the request is refused. */
  refuse(error: AtelierError): void;
  /** CPU seconds used since it started. */
  spentSeconds(): number;
}

/**
 * Admission control: admits work in fair order among addresses, charged by CPU seconds, within the pixel budget. No address takes all
 * pixels, the last part is reserved for small work, and large work does not overtake large work. See
 * docs/decisions/0005-admission-by-cpu-seconds.md
 */
export class Admission {
  readonly #settings: AdmissionSettings;
  readonly #queue = new FairQueue<Ask>();
  readonly #begun = new Set<Ask>();
  readonly #patience = new Map<Ask, NodeJS.Timeout>();

  constructor(settings: AdmissionSettings) {
    this.#settings = settings;
  }

  /** Pixels of all admitted work. */
  get pixels(): number {
    return this.#sum(({ control }) => !control.within);
  }

  isWaiting(ask: Ask): boolean {
    return this.#queue.waiting.has(ask);
  }

  /**
   * Admits a request at once if there is room, otherwise queues it; `refuse` may be called before this returns. @throws AtelierError
   * image_too_large
   */
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

  /** Removes a request that has ended or been withdrawn, and replaces its prediction by its actual use. Idempotent. */
  leave(ask: Ask): void {
    clearTimeout(this.#patience.get(ask));
    this.#patience.delete(ask);
    if (this.#begun.delete(ask)) this.#queue.correct(ask, ask.spentSeconds());
    else if (!this.isWaiting(ask)) return;
    this.#queue.leave(ask);
    this.assign();
  }

  /** Admits all requests that can start. */
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

  /** The first task of an address may have any size; with a second one it must leave pixels to others. */
  #isWithinShare({ address, control: { pixels, within } }: Ask): boolean {
    const { pixelsInFlightMax, callerShare = CALLER_SHARE } = this.#settings;
    const held = this.#sum((other) => other.address === address && !other.control.within);
    return within !== undefined || held === 0 || held + pixels <= callerShare * pixelsInFlightMax;
  }

  /** If the queue is full, the address with the longest queue loses its newest request, so that a new address always finds a place. */
  #makeRoom(): void {
    const counted = [...this.#queue.waiting].filter(({ control }) => !control.within);
    if (counted.length <= this.#settings.queueLengthMax) return;
    const byAddress = [...Map.groupBy(counted, ({ address }) => address).values()];
    const most = byAddress.reduce((longest, own) => (own.length >= longest.length ? own : longest));
    const newest = most.at(-1)!;
    this.#refuse(newest, queueIsFull(most.length, this.#secondsAheadOf(newest)));
  }

  /**
   * Seconds until a process is free for this work: the predicted time of the work ahead of it and the remaining time of running work,
   * divided by the number of cores. Short work overtakes long work.
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

/** Work that may not use the last part of the pixel budget. */
const isLargeWork = ({ control }: Pick<Ask, 'control'>): boolean => control.pixels > PIXELS_OF_LARGE_WORK;

/** Address charged for work without a caller. */
const SERVICE = 'this service';

/** Address and caller to charge, and the CPU seconds. */
export const fairQueueEntryOf = (
  { address = SERVICE, callerKey = '', weight = 1 }: PixelControl,
  cost: number,
): FairQueueEntry => ({ address, callerKey, cost, weight });

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
