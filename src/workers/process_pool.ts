import { availableParallelism } from 'node:os';
import { AtelierError } from '../errors/atelier_error.ts';
import { BUSY_RETRY_SECONDS, CALLER_SHARE } from '../limits.ts';
import { type Admission, type Ask, isLargeWork, turnOf } from './admission.ts';
import type { PixelControl } from './contract.ts';
import { deathError } from './death_error.ts';
import type { EngineName, Engines } from './engines.ts';
import { SPARE_MEMORY_BYTES_MIN, SPARE_MEMORY_CHECK_MS, WORKER_GRACE_MS } from './limits.ts';
import type { AnswerMessage, JobMessage } from './messages.ts';
import { startWorkerProcess, type WorkerProcess } from './worker_process.ts';

export interface PoolSettings {
  /** Processes; 0 for one per core and one more, which receives its picture while the others compute. */
  readonly workers: number;
  /** Part of them that one address may have at work; absent: CALLER_SHARE. */
  readonly callerShare?: number;
  /** Longest time of a job that names none of its own. */
  readonly deadlineMs: number;
}

/** What one kind of process may hold: with a job, and when it has none. */
export interface Keeping {
  readonly memoryBytesMax: number;
  readonly idleMemoryBytesMax: number;
  readonly idleMsMax: number;
}

interface Job extends Ask {
  readonly message: JobMessage;
  startedMs?: number;
  resolve(output: unknown): void;
}

interface Slot {
  process?: WorkerProcess | undefined;
  job?: Job | undefined;
  /** When its last job ended. */
  idleSinceMs?: number;
}

/** Processes of one kind, each with at most one job. */
export class ProcessPool {
  readonly #settings: PoolSettings;
  readonly #admission: Admission;
  readonly #keeping: Keeping;
  readonly #slots: Slot[];
  /** Accepted and not ended. */
  readonly #jobs = new Set<Job>();
  readonly #emptied = Promise.withResolvers<void>();
  #closed = false;
  #eviction: NodeJS.Timeout | undefined;

  constructor(settings: PoolSettings, admission: Admission, keeping: Keeping) {
    this.#settings = settings;
    this.#admission = admission;
    this.#keeping = keeping;
    this.#slots = Array.from({ length: settings.workers || availableParallelism() + 1 }, () => ({}));
  }

  async run<Name extends EngineName>(
    engine: Name,
    input: Parameters<Engines[Name]>[0],
    control: PixelControl,
  ): Promise<Awaited<ReturnType<Engines[Name]>>> {
    if (this.#closed) throw new AtelierError('busy', undefined, { retryAfterSeconds: BUSY_RETRY_SECONDS });
    if (control.signal.aborted) throw gaveUpError();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job = {
      ...turnOf(control),
      control,
      message: { engine, input },
      hasProcess: () => this.#hasProcessFor(job),
      start: () => this.#start(job),
      resolve,
      refuse: reject,
    };
    const deadline = setTimeout(
      () => this.#stop(job, outOfTimeError()),
      control.deadlineMs ?? this.#settings.deadlineMs,
    );
    const giveUp = () => this.#giveUp(job);
    control.signal.addEventListener('abort', giveUp, { once: true });
    this.#jobs.add(job);
    try {
      this.#admission.enter(job);
      const output = await promise;
      if (control.signal.aborted) throw gaveUpError();
      return output as never;
    } finally {
      clearTimeout(deadline);
      control.signal.removeEventListener('abort', giveUp);
      this.#jobs.delete(job);
      this.#admission.leave(job);
      this.#tellWhenEmptied();
    }
  }

  get load() {
    const waiting = [...this.#jobs].filter((job) => this.#admission.isWaiting(job)).length;
    return { running: this.#slots.filter(({ job }) => job).length, waiting };
  }

  /**
   * In a pool with one process, what comes before the next job of this address: the rest of what runs, what it has waiting
   * itself, and of each other address as many as that and one.
   */
  secondsAheadOf(address: string): number {
    const waiting = [...this.#jobs].filter((job) => this.#admission.isWaiting(job));
    const byAddress = Map.groupBy(waiting, (job) => job.address);
    const turns = 1 + (byAddress.get(address)?.length ?? 0);
    const ahead = [...byAddress.values()].flatMap((jobs) => jobs.slice(0, turns));
    const running = this.#slots.flatMap(({ job }) => job ?? []);
    return [...running, ...ahead].reduce((sum, job) => sum + secondsLeft(job), 0);
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

  /** No address has every process, and large work leaves one to small work, where there is more than one. */
  #hasProcessFor({ address, control }: Job): boolean {
    const places = this.#slots.length;
    const running = this.#slots.flatMap(({ job }) => job ?? []);
    if (running.length === places) return false;
    if (places === 1) return true;
    const own = running.filter((job) => job.address === address).length;
    const large = running.filter(isLargeWork).length;
    const isOwnLeft = own < Math.max(1, Math.floor(places * (this.#settings.callerShare ?? CALLER_SHARE)));
    return isOwnLeft && (!isLargeWork({ control }) || large < places - 1);
  }

  /** The living processes first. */
  #start(job: Job): void {
    const free = this.#slots.filter((slot) => !slot.job);
    const slot = free.find(({ process }) => process) ?? free[0]!;
    slot.job = job;
    job.startedMs = performance.now();
    slot.process ??= this.#startProcess(slot);
    slot.process.send(job.message);
    job.control.onStart?.();
    job.control.onProgress?.(0.1, 'Started');
  }

  #startProcess(slot: Slot): WorkerProcess {
    const started = startWorkerProcess({
      memoryBytesMax: this.#keeping.memoryBytesMax,
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
    job.control.onSpent?.(answer.spent);
    if (answer.memoryBytes > this.#keeping.idleMemoryBytesMax) retire(slot);
    else this.#evictLater();
    if (answer.kind === 'done') job.resolve(answer.output);
    else job.refuse(answerError(answer));
    this.#admission.leave(job);
  }

  /** A process has gone, or must go; its job fails, no other does. */
  #bury(slot: Slot, error: AtelierError): void {
    const { job } = slot;
    slot.job = undefined;
    retire(slot);
    job?.refuse(error);
    if (job) this.#admission.leave(job);
  }

  /** Ends processes that have had no job for long, or hold memory the machine needs. */
  #evictLater(): void {
    const { idleMsMax } = this.#keeping;
    if (this.#eviction) return;
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
    if (this.#admission.isWaiting(job)) this.#stop(job, gaveUpError());
    else setTimeout(() => this.#stop(job, gaveUpError()), WORKER_GRACE_MS);
  }

  #stop(job: Job, error: AtelierError): void {
    const slot = this.#slots.find((candidate) => candidate.job === job);
    if (slot) this.#bury(slot, error);
    else {
      this.#admission.leave(job);
      job.refuse(error);
    }
  }

  #tellWhenEmptied(): void {
    if (this.#closed && this.#jobs.size === 0) this.#emptied.resolve();
  }
}

/** What is left of the time a job said it would take. */
function secondsLeft({ control: { estimatedSeconds = 0 }, startedMs }: Job): number {
  const taken = startedMs === undefined ? 0 : (performance.now() - startedMs) / 1000;
  return Math.max(0, estimatedSeconds - taken);
}

function retire(slot: Slot): void {
  const { process } = slot;
  slot.process = undefined;
  process?.kill();
}

const outOfTimeError = () =>
  new AtelierError('timed_out', 'The picture took too long and its work was stopped.');
export const gaveUpError = () =>
  new AtelierError('timed_out', 'The caller gave up before the picture was done.');

function answerError(answer: Exclude<AnswerMessage, { kind: 'progress' | 'done' }>): AtelierError {
  if (answer.kind === 'refused') return new AtelierError(answer.code, answer.message, answer.details);
  return new AtelierError('internal_error', undefined, { cause: new Error(answer.reason) });
}
