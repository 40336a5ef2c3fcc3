import { availableParallelism } from 'node:os';
import { AtelierError } from '../errors.ts';
import {
  BUSY_RETRY_SECONDS,
  NETWORK_IDLE_MEMORY_BYTES_MAX,
  NETWORK_IDLE_MS,
  SPARE_MEMORY_BYTES_MIN,
  SPARE_MEMORY_CHECK_MS,
  WORKER_GRACE_MS,
  WORKER_IDLE_MEMORY_BYTES_MAX,
} from '../limits.ts';
import { deathError } from './death_error.ts';
import { type EngineName, type Engines, NETWORK_ENGINES } from './engines.ts';
import type { PixelControl, Pixels } from './index.ts';
import type { AnswerMessage, JobMessage } from './messages.ts';
import { startWorkerProcess, type WorkerProcess } from './worker_process.ts';

export interface PixelSettings {
  /** Processes; 0 for one per core and one more, which receives its picture while the others compute. */
  readonly workers: number;
  /** Sum over all accepted jobs. */
  readonly pixelsInFlightMax: number;
  /** Jobs that may wait while every process works. */
  readonly queueLengthMax: number;
  /** Longest time of a job that names none of its own. */
  readonly deadlineMs: number;
  /** How long the process for networks stays without a job; absent: NETWORK_IDLE_MS. */
  readonly networkIdleMs?: number;
}

interface Job {
  readonly control: PixelControl;
  readonly message: JobMessage;
  startedMs?: number;
  resolve(output: unknown): void;
  reject(error: AtelierError): void;
}

interface Slot {
  process?: WorkerProcess | undefined;
  job?: Job | undefined;
  /** When its last job ended. */
  idleSinceMs?: number;
}

/** What one kind of process may hold when it has no job. */
interface Keeping {
  readonly memoryBytesMax: number;
  /** Absent: it stays. */
  readonly idleMsMax?: number;
}

/** Pixels of all accepted jobs of all pools. */
interface Budget {
  pixels: number;
}

/**
 * Runs engines in child processes, one job a process: a decoder that crashes, swells or never ends takes only its own
 * job with it, and stopping a job is killing its process. Processes start with the first jobs. Networks have one
 * process for all of them, in which they stay open: onnxruntime uses every core for one job.
 */
export function createPixels(settings: PixelSettings): Pixels & { readonly pids: number[] } {
  const budget: Budget = { pixels: 0 };
  const pictures = new PixelPool(settings, budget, { memoryBytesMax: WORKER_IDLE_MEMORY_BYTES_MAX });
  const networks = new PixelPool({ ...settings, workers: 1 }, budget, {
    memoryBytesMax: NETWORK_IDLE_MEMORY_BYTES_MAX,
    idleMsMax: settings.networkIdleMs ?? NETWORK_IDLE_MS,
  });
  return {
    run: (engine, input, control) =>
      (NETWORK_ENGINES.has(engine) ? networks : pictures).run(engine, input, control),
    get load() {
      const loads = [pictures.load, networks.load];
      const sum = (of: (load: (typeof loads)[0]) => number) =>
        loads.reduce((total, load) => total + of(load), 0);
      return {
        running: sum(({ running }) => running),
        waiting: sum(({ waiting }) => waiting),
        pixelsInFlight: budget.pixels,
      };
    },
    get networks() {
      return { isBusy: networks.load.running > 0, secondsAhead: networks.secondsAhead };
    },
    get pids() {
      return [...pictures.pids, ...networks.pids];
    },
    close: async () => void (await Promise.all([pictures.close(), networks.close()])),
  };
}

class PixelPool {
  readonly #settings: PixelSettings;
  readonly #budget: Budget;
  readonly #keeping: Keeping;
  readonly #slots: Slot[];
  readonly #waiting: Job[] = [];
  readonly #emptied = Promise.withResolvers<void>();
  #closed = false;
  #eviction: NodeJS.Timeout | undefined;

  constructor(settings: PixelSettings, budget: Budget, keeping: Keeping) {
    this.#settings = settings;
    this.#budget = budget;
    this.#keeping = keeping;
    this.#slots = Array.from({ length: settings.workers || availableParallelism() + 1 }, () => ({}));
  }

  async run<Name extends EngineName>(
    engine: Name,
    input: Parameters<Engines[Name]>[0],
    control: PixelControl,
  ): Promise<Awaited<ReturnType<Engines[Name]>>> {
    this.#refuseWhenFull(control.pixels);
    if (control.signal.aborted) throw givenUp();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job = { control, message: { engine, input }, resolve, reject };
    const deadline = setTimeout(
      () => this.#stop(job, outOfTime()),
      control.deadlineMs ?? this.#settings.deadlineMs,
    );
    const giveUp = () => this.#giveUp(job);
    control.signal.addEventListener('abort', giveUp, { once: true });
    this.#budget.pixels += control.pixels;
    this.#waiting.push(job);
    this.#assign();
    if (this.#waiting.includes(job)) control.onProgress?.(0.05, 'Waiting for a free place');
    try {
      const output = await promise;
      if (control.signal.aborted) throw givenUp();
      return output as never;
    } finally {
      clearTimeout(deadline);
      control.signal.removeEventListener('abort', giveUp);
      this.#budget.pixels -= control.pixels;
      this.#tellWhenEmptied();
    }
  }

  get load() {
    return { running: this.#running, waiting: this.#waiting.length };
  }

  /** What the jobs of a pool with one process said they would take, less what they took. */
  get secondsAhead(): number {
    const jobs = [...this.#slots.flatMap(({ job }) => job ?? []), ...this.#waiting];
    const now = performance.now();
    return jobs.reduce((sum, { control, startedMs = now }) => {
      const left = (control.estimatedSeconds ?? 0) - (now - startedMs) / 1000;
      return sum + Math.max(0, left);
    }, 0);
  }

  /** Identifiers of the processes that live now. */
  get pids(): number[] {
    return this.#slots.flatMap(({ process }) => process?.pid ?? []);
  }

  /** Takes no more jobs, lets those accepted finish, and ends the processes. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#tellWhenEmptied();
    await this.#emptied.promise;
    clearInterval(this.#eviction);
    for (const slot of this.#slots) retire(slot);
  }

  get #running(): number {
    return this.#slots.filter(({ job }) => job).length;
  }

  #refuseWhenFull(pixels: number): void {
    const { pixelsInFlightMax, queueLengthMax } = this.#settings;
    if (pixels > pixelsInFlightMax) throw tooLarge(pixels, pixelsInFlightMax);
    const isQueueFull = this.#waiting.length >= queueLengthMax && this.#running === this.#slots.length;
    if (!this.#closed && !isQueueFull && this.#budget.pixels + pixels <= pixelsInFlightMax) return;
    throw new AtelierError('busy', undefined, { retryAfterSeconds: BUSY_RETRY_SECONDS });
  }

  /** Hands waiting jobs to free processes, the living ones first. */
  #assign(): void {
    while (this.#waiting.length > 0) {
      const free = this.#slots.filter(({ job }) => !job);
      const slot = free.find(({ process }) => process) ?? free[0];
      if (!slot) return;
      slot.job = this.#waiting.shift()!;
      slot.job.startedMs = performance.now();
      slot.process ??= this.#start(slot);
      slot.process.send(slot.job.message);
      slot.job.control.onStart?.();
      slot.job.control.onProgress?.(0.1, 'Started');
    }
  }

  #start(slot: Slot): WorkerProcess {
    const started = startWorkerProcess({
      onAnswer: (answer) => {
        if (slot.process === started) this.#receive(slot, answer);
      },
      onDeath: (death) => {
        if (slot.process === started) this.#bury(slot, deathError(death));
      },
    });
    return started;
  }

  #receive(slot: Slot, answer: AnswerMessage): void {
    const { job } = slot;
    if (!job) return;
    if (answer.kind === 'progress') {
      job.control.onProgress?.(answer.fraction, answer.message);
      return;
    }
    slot.job = undefined;
    slot.idleSinceMs = performance.now();
    if (answer.memoryBytes > this.#keeping.memoryBytesMax) retire(slot);
    else this.#evictLater();
    if (answer.kind === 'done') job.resolve(answer.output);
    else job.reject(answerError(answer));
    this.#assign();
  }

  /** A process has gone, or must go; its job fails, no other does. */
  #bury(slot: Slot, error: AtelierError): void {
    const { job } = slot;
    slot.job = undefined;
    retire(slot);
    job?.reject(error);
    this.#assign();
  }

  /** Ends processes that have had no job for long, or hold memory the machine needs. */
  #evictLater(): void {
    const { idleMsMax } = this.#keeping;
    if (idleMsMax === undefined || this.#eviction) return;
    this.#eviction = setInterval(
      () => {
        const isShort = process.availableMemory() < SPARE_MEMORY_BYTES_MIN;
        for (const slot of this.#slots) {
          const idleMs = slot.job ? 0 : performance.now() - (slot.idleSinceMs ?? 0);
          if (!slot.job && (isShort || idleMs > idleMsMax)) retire(slot);
        }
        if (this.#slots.some((slot) => slot.process)) return;
        clearInterval(this.#eviction);
        this.#eviction = undefined;
      },
      Math.min(idleMsMax, SPARE_MEMORY_CHECK_MS),
    ).unref();
  }

  /** Most jobs end sooner than a new process starts: work that nobody waits for may end on its own, if it is quick. */
  #giveUp(job: Job): void {
    if (this.#waiting.includes(job)) this.#stop(job, givenUp());
    else setTimeout(() => this.#stop(job, givenUp()), WORKER_GRACE_MS);
  }

  #stop(job: Job, error: AtelierError): void {
    const slot = this.#slots.find((candidate) => candidate.job === job);
    if (slot) {
      this.#bury(slot, error);
      return;
    }
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    job.reject(error);
  }

  #tellWhenEmptied(): void {
    if (this.#closed && this.#running + this.#waiting.length === 0) this.#emptied.resolve();
  }
}

function retire(slot: Slot): void {
  const { process } = slot;
  slot.process = undefined;
  process?.kill();
}

const outOfTime = () => new AtelierError('timed_out', 'The picture took too long and its work was stopped.');
const givenUp = () => new AtelierError('timed_out', 'The caller gave up before the picture was done.');
const tooLarge = (pixels: number, max: number) =>
  new AtelierError(
    'image_too_large',
    `This call needs ${Math.ceil(pixels / 1e6)} million pixels at once; this server works on at most ${Math.floor(max / 1e6)} million. Send or ask for a smaller picture.`,
  );

function answerError(answer: Exclude<AnswerMessage, { kind: 'progress' | 'done' }>): AtelierError {
  if (answer.kind === 'refused') return new AtelierError(answer.code, answer.message, answer.details);
  return new AtelierError('internal_error', undefined, { cause: new Error(answer.reason) });
}
