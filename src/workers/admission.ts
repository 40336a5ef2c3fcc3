import { AtelierError } from '../errors/atelier_error.ts';
import { BUSY_RETRY_SECONDS, CALLER_SHARE } from '../limits.ts';
import type { PixelControl } from './contract.ts';
import { FairQueue, type Turn } from './fair_queue.ts';
import { PIXEL_COST_OF_A_TURN, PIXELS_OF_LARGE_WORK, WAIT_SHARE_OF_DEADLINE } from './limits.ts';

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
  /** Whether there is a process for it now, as far as processes go. */
  hasProcess(): boolean;
  /** Its turn has come. */
  start(): void;
  /** Its turn will not come. */
  refuse(error: AtelierError): void;
}

/**
 * Decides who may begin: in fair order among addresses, as far as pixels reach. No address takes all of them, the last part is
 * kept for small work, and what is large does not overtake what is large: docs/decisions/0057-fair-shares.md
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
    control.onProgress?.(0.05, 'Waiting for a free place');
    if (control.within) return;
    const waitMs = (control.deadlineMs ?? deadlineMs) * WAIT_SHARE_OF_DEADLINE;
    this.#patience.set(
      ask,
      setTimeout(() => this.#refuse(ask, turnDidNotCome(waitMs)), waitMs),
    );
    this.#makeRoom();
  }

  /** It has ended, or waits no longer. Nothing happens where it has left before. */
  leave(ask: Ask): void {
    clearTimeout(this.#patience.get(ask));
    this.#patience.delete(ask);
    if (!this.#begun.delete(ask) && !this.isWaiting(ask)) return;
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

  /** Where too many wait, whoever has most of them loses the newest: a newcomer finds a place in any queue. */
  #makeRoom(): void {
    const counted = [...this.#queue.waiting].filter(({ control }) => !control.within);
    if (counted.length <= this.#settings.queueLengthMax) return;
    const byAddress = [...Map.groupBy(counted, ({ address }) => address).values()];
    const most = byAddress.reduce((longest, own) => (own.length >= longest.length ? own : longest));
    this.#refuse(most.at(-1)!, queueIsFull(most.length));
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

/** Large work takes long, so it never has the last of anything. */
export const isLargeWork = ({ control }: Pick<Ask, 'control'>): boolean =>
  control.pixels > PIXELS_OF_LARGE_WORK;

/** Who is counted where nobody called. */
const OURSELVES = 'this service';

/** Who is counted, and what a turn costs: work without pixels takes a process too. */
export const turnOf = ({ address = OURSELVES, callerKey = '', pixels }: PixelControl): Turn => ({
  address,
  callerKey,
  cost: pixels + PIXEL_COST_OF_A_TURN,
});

const tooLarge = (pixels: number, max: number) =>
  new AtelierError(
    'image_too_large',
    `This call needs ${Math.ceil(pixels / 1e6)} million pixels at once; this server works on at most ${Math.floor(max / 1e6)} million. Send or ask for a smaller picture.`,
  );

const queueIsFull = (own: number) =>
  new AtelierError(
    'busy',
    `The workshop is full, and of all callers your address has most waiting (${own}). Wait for some of them, then send the call again.`,
    { retryAfterSeconds: BUSY_RETRY_SECONDS },
  );

const turnDidNotCome = (waitedMs: number) =>
  new AtelierError(
    'busy',
    `The workshop is full: within ${waitedMs / 1000} s your turn did not come. Send the call again later, or with the header "Prefer: respond-async", which waits longer.`,
    { retryAfterSeconds: BUSY_RETRY_SECONDS },
  );
