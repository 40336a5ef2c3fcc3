import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { availableParallelism, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BUSY_RETRY_SECONDS, CALLER_SHARE } from '../../config/limits.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { type Admission, type Ask, turnOf } from './admission.ts';
import type { EngineName, Engines } from './engines.ts';
import { frameReader, writeFrame } from './frames.ts';
import {
  LONG_WORK_NICENESS,
  LOW_PRIORITY_SECONDS,
  OVERRUN_CHECK_MS,
  OVERRUN_FACTOR,
  SHORT_WORK_SECONDS,
  SPARE_MEMORY_BYTES_MIN,
  SPARE_MEMORY_CHECK_MS,
  WORKER_GRACE_MS,
  WORKER_MEMORY_CHECK_MS,
} from './limits.ts';
import type { AnswerMessage, JobMessage } from './messages.ts';
import { lengthOf, type Prediction, type Predictor } from './predict_seconds.ts';
import { residentBytes } from './resident_bytes.ts';
import { type PixelControl, type Spent, WORK_LENGTHS, type WorkLength } from './types.ts';

/** Ticks a second in /proc, on every Linux of today. */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds, user and system, of all threads of a process so far: fields 14 and 15 of proc_pid_stat(5). Undefined on other systems and for a
 * process that has ended.
 */
function cpuSecondsOf(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets and may hold blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

type JobAnswer = Exclude<AnswerMessage, { kind: 'ready' }>;

/** Why a process ended while it had a job. */
type Death = { readonly by: 'memory' } | { readonly by: 'end'; readonly detail: string };

interface Options {
  /** A process that holds more while it works is ended. */
  readonly memoryBytesMax: number;
  onAnswer(answer: JobAnswer): void;
  onDeath(death: Death): void;
}

/** One child process, working on at most one job. */
interface WorkerProcess {
  readonly pid: number | undefined;
  send(job: JobMessage): void;
  /**
   * CPU seconds of all threads since the job was sent. Of a process that has ended: the last reading, at most WORKER_MEMORY_CHECK_MS old. On
   * systems without /proc: elapsed seconds.
   */
  cpuSeconds(): number;
  /** It has loaded its code. */
  readonly isReady: boolean;
  /** Once it has had heavy work: raising the priority again would need privileges. */
  readonly hasLowPriority: boolean;
  lowerPriority(): void;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

const MAIN = fileURLToPath(new URL('./process_main.ts', import.meta.url));

/** Young objects have 4 MB in place of 16: pixels lie outside, and a process that resizes holds 20 MB less and takes as long. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'];

/**
 * Few allocator arenas, as libvips frees in other threads than it allocates. Memory up to 4 MB is taken again for the next picture: mapped anew for
 * each, its pages are a tenth of the processor time of a small resize. Few threads, as one picture is worked on at a time; no log line for every damaged picture. Nothing of the server's own environment is
 * passed on, as it holds secrets, but where compiled sources are kept.
 */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '16777216',
  MALLOC_MMAP_THRESHOLD_: '4194304',
  UV_THREADPOOL_SIZE: '2',
  VIPS_WARNING: '0',
  ...compiledSources(),
};

function startWorkerProcess({ memoryBytesMax, onAnswer, onDeath }: Options): WorkerProcess {
  const child = spawn(process.execPath, [...FLAGS, MAIN], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: ENVIRONMENT,
  });
  const pipe = child.stdio[3] as Duplex;
  let hasOutgrown = false;
  let isReady = false;
  let hasLowPriority = false;
  let watch: NodeJS.Timeout | undefined;
  const clock = jobClock(child.pid);
  const reportDeath = (reason: Death) => {
    clearInterval(watch);
    onDeath(hasOutgrown ? { by: 'memory' } : reason);
  };
  const read = frameReader((value) => {
    const answer = value as AnswerMessage;
    if (answer.kind !== 'progress') clock.setBefore(answer.cpuSecondsSoFar);
    isReady = true;
    if (answer.kind === 'ready') return;
    if (answer.kind !== 'progress') clearInterval(watch);
    onAnswer(answer);
  });
  pipe.on('data', read);
  // A pipe breaks when its process dies; the exit event says why it died.
  pipe.on('error', () => child.kill('SIGKILL'));
  child.on('exit', (code, signal) => reportDeath({ by: 'end', detail: signal ?? `status ${code}` }));
  // The process did not start at all: then there is no exit.
  child.on('error', (error) => child.pid === undefined && reportDeath({ by: 'end', detail: error.message }));
  return {
    pid: child.pid,
    send(job) {
      clock.begin();
      watch = watchProcess(() => {
        clock.seconds();
        if (residentBytes(child.pid) <= memoryBytesMax) return;
        hasOutgrown = true;
        child.kill('SIGKILL');
      });
      writeFrame(pipe, job);
    },
    cpuSeconds: () => clock.seconds(),
    get isReady() {
      return isReady;
    },
    get hasLowPriority() {
      return hasLowPriority;
    },
    lowerPriority() {
      if (!hasLowPriority) lowerPriorityOf(child.pid);
      hasLowPriority = true;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * Work beside it goes first. Linux keeps a priority for each thread, which new threads inherit; elsewhere a process has one.
 * setpriority(2), "C library/kernel differences"
 */
function lowerPriorityOf(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, LONG_WORK_NICENESS);
    } catch {
      // It has ended, or the system allows no change: work then shares the cores evenly.
    }
  }
}

function threadsOf(pid: number): number[] {
  try {
    return process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
  } catch {
    return [];
  }
}

/**
 * Without it each process takes the types out of its sources anew, which costs time and 20 MB. They are kept apart from those of the
 * server, which sets flags of V8: what was compiled under other flags is refused, and written anew by the process that ends last.
 */
function compiledSources(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: join(dirname(folder), 'pixels') };
}

/** Only Linux tells the resident memory of a process from outside; elsewhere the bound on pixels has to do. */
function watchProcess(look: () => void): NodeJS.Timeout | undefined {
  if (process.platform !== 'linux') return undefined;
  return setInterval(look, WORKER_MEMORY_CHECK_MS).unref();
}

interface JobClock {
  begin(): void;
  /** CPU seconds since the job began. */
  seconds(): number;
  /** @param soFar CPU seconds of the process since it started, when it was ready or its last job had ended */
  setBefore(soFar: number): void;
}

/**
 * Reads what the job of a process has used; the kernel forgets it when the process has ended. What the process had used before, it says when it is
 * ready and at the end of each job: reading that from /proc takes 30 µs.
 */
function jobClock(pid: number | undefined): JobClock {
  let [beganMs, before, last] = [0, 0, 0];
  return {
    begin() {
      beganMs = performance.now();
      last = 0;
    },
    seconds() {
      const now = cpuSecondsOf(pid);
      // The kernel counts in ticks, and the process exactly.
      if (now !== undefined) last = Math.max(0, now - before);
      else if (process.platform !== 'linux') last = (performance.now() - beganMs) / 1000;
      return last;
    },
    setBefore(soFar) {
      before = soFar;
    },
  };
}

/** Signals a process sends itself by a fault; any other came from outside and says nothing about the picture. */
const FAULTS = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** The error of a job that lost its process: whether the picture, its size or neither was the cause. */
function deathError(death: Death): AtelierError {
  if (death.by === 'memory') {
    return new AtelierError(
      'unsuitable_image',
      'The image needs more memory than one call may use. Send a smaller image.',
    );
  }
  if (FAULTS.has(death.detail)) {
    return new AtelierError(
      'undecodable_image',
      'The decoder crashed on this image. Save it again as PNG or JPEG.',
    );
  }
  return new AtelierError('internal_error', undefined, {
    cause: new Error(`An image-processing worker ended (${death.detail})`),
  });
}

export interface PoolSettings {
  /** Processes, at least two; 0 for one per core and one more, which receives its picture while the others compute. Light work has one beside them. */
  readonly workers: number;
  /** Part of them that one address may have at work; absent: CALLER_SHARE. */
  readonly callerShare?: number;
  /** Longest time of a job that names none of its own. */
  readonly deadlineMs: number;
  /** CPU seconds short work may use before it can count as long; absent: SHORT_WORK_SECONDS. */
  readonly overrunSeconds?: number;
}

/** What one kind of process may hold: with a job, and when it has none. */
export interface Keeping {
  readonly memoryBytesMax: number;
  readonly idleMemoryBytesMax: number;
  readonly idleMsMax: number;
  /** Bounds of processes beside the first, and the memory the machine must have to spare to start one; absent: those of the first, and none. */
  readonly beside?: {
    readonly memoryBytesMax: number;
    readonly idleMsMax: number;
    readonly spareBytesMin: number;
  };
}

interface Shared {
  readonly admission: Admission;
  readonly predictor: Predictor;
}

interface Job extends Ask {
  readonly message: JobMessage;
  readonly prediction: Prediction;
  /** CPU seconds it is charged when it begins. After an interruption: those it has shown to need. */
  cost: number;
  length: WorkLength;
  /** Whether it delays what takes a few milliseconds: it gets a process of low priority. */
  isHeavy: boolean;
  startedMs?: number;
  /** CPU seconds of attempts that were interrupted. */
  interruptedSeconds: number;
  /** Of the last attempt, once that has ended. */
  spent?: Spent | undefined;
  /** Whether the last attempt was stopped, so that its CPU seconds are less than the job takes. */
  isStopped: boolean;
  readonly ended: Promise<unknown>;
  resolve(output: unknown): void;
}

interface Slot {
  process?: WorkerProcess | undefined;
  job?: Job | undefined;
  /** When its last job ended. */
  idleSinceMs?: number;
}

/**
 * Processes of one kind, each with at most one job. One of them is kept for short work; where there is only one, a second starts on demand. Beside
 * processes for pictures there is one more for light work, which never waits for heavy work.
 * docs/decisions/0005-admission-by-cpu-seconds.md
 */
export class ProcessPool {
  readonly #settings: PoolSettings;
  readonly #admission: Admission;
  readonly #predictor: Predictor;
  readonly #keeping: Keeping;
  /** Jobs at work at a time, but for one light job more while all of them are heavy. */
  readonly #places: number;
  /** One for each place, then the one for light work. */
  readonly #slots: Slot[];
  /** Accepted and not ended. */
  readonly #jobs = new Set<Job>();
  readonly #emptied = Promise.withResolvers<void>();
  #closed = false;
  #eviction: NodeJS.Timeout | undefined;
  #overrunCheck: NodeJS.Timeout | undefined;

  constructor(settings: PoolSettings, { admission, predictor }: Shared, keeping: Keeping) {
    this.#settings = settings;
    this.#admission = admission;
    this.#predictor = predictor;
    this.#keeping = keeping;
    this.#places = Math.max(2, settings.workers || availableParallelism() + 1);
    this.#slots = Array.from({ length: this.#places + (keeping.beside ? 0 : 1) }, () => ({}));
  }

  async run<Name extends EngineName>(
    engine: Name,
    input: Parameters<Engines[Name]>[0],
    control: PixelControl,
  ): Promise<Awaited<ReturnType<Engines[Name]>>> {
    const job = this.#jobOf({ engine, input }, control);
    const giveUp = () => this.#giveUp(job);
    let deadline: NodeJS.Timeout | undefined;
    try {
      if (this.#closed) throw new AtelierError('busy', undefined, { retryAfterSeconds: BUSY_RETRY_SECONDS });
      if (control.signal.aborted) throw gaveUpError();
      const deadlineMs = control.deadlineMs ?? this.#settings.deadlineMs;
      deadline = setTimeout(() => this.#stop(job, outOfTimeError()), deadlineMs);
      control.signal.addEventListener('abort', giveUp, { once: true });
      this.#jobs.add(job);
      this.#admission.enter(job);
      this.#watchOverruns();
      const output = await job.ended;
      if (control.signal.aborted) throw gaveUpError();
      return output as never;
    } finally {
      clearTimeout(deadline);
      control.signal.removeEventListener('abort', giveUp);
      this.#jobs.delete(job);
      this.#admission.leave(job);
      this.#reportSpent(job);
      this.#tellWhenEmptied();
    }
  }

  get load() {
    return { running: this.#running().length, waiting: this.#waiting().length };
  }

  /** What waits, by predicted length. */
  get queue() {
    const waiting = this.#waiting();
    const of = (length: WorkLength) => {
      const own = waiting.filter((job) => job.length === length);
      return { runs: own.length, cpuSeconds: own.reduce((sum, { cost }) => sum + cost, 0) };
    };
    return Object.fromEntries(WORK_LENGTHS.map((length) => [length, of(length)])) as Record<
      WorkLength,
      ReturnType<typeof of>
    >;
  }

  /**
   * Seconds, in a pool that runs one long job at a time, before the next job of this address: the rest of what runs, what it has waiting itself,
   * and of each other address as many as that and one.
   */
  secondsAheadOf(address: string): number {
    const waiting = this.#waiting();
    const byAddress = Map.groupBy(waiting, (job) => job.address);
    const turns = 1 + (byAddress.get(address)?.length ?? 0);
    const ahead = [...byAddress.values()].flatMap((jobs) => jobs.slice(0, turns));
    return [...this.#running(), ...ahead].reduce((sum, job) => sum + secondsLeft(job), 0);
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
    clearInterval(this.#overrunCheck);
    for (const slot of this.#slots) retire(slot);
  }

  #jobOf(message: JobMessage, control: PixelControl): Job {
    const prediction = this.#predictor.predict(message.engine, message.input, control);
    const length = lengthOf(message.engine, prediction.seconds);
    const { promise: ended, resolve, reject: refuse } = Promise.withResolvers<unknown>();
    const job: Job = {
      ...turnOf(control, prediction.seconds),
      control,
      message,
      prediction,
      interruptedSeconds: 0,
      isStopped: false,
      length,
      isHeavy: length === 'long' || prediction.seconds >= LOW_PRIORITY_SECONDS,
      hasProcess: () => this.#hasProcessFor(job),
      start: () => this.#start(job),
      spentSeconds: () => {
        const process = this.#slotOf(job)?.process;
        // What a process takes to start says nothing about the length of its first job.
        if (process) return process.isReady ? process.cpuSeconds() : 0;
        return job.spent?.cpu ?? 0;
      },
      ended,
      resolve,
      refuse,
    };
    return job;
  }

  #waiting(): Job[] {
    return [...this.#jobs].filter((job) => this.#admission.isWaiting(job));
  }

  #slotOf(job: Job): Slot | undefined {
    return this.#slots.find((slot) => slot.job === job);
  }

  /** No address has every process, and long work leaves one to short work. Of two processes, an address may have one for each length. */
  #hasProcessFor(job: Job): boolean {
    const { address, length } = job;
    const places = this.#places;
    const running = this.#running();
    if (!this.#hasPlaceFor(job, running) || !this.#mayStartProcess()) return false;
    // A process beside the first has less memory than long work may need.
    if (length === 'long' && this.#keeping.beside && this.#slots[0]!.job) return false;
    const own = running.filter(
      (other) => other.address === address && (places > 2 || other.length === length),
    );
    const ownMax = Math.max(1, Math.floor(places * (this.#settings.callerShare ?? CALLER_SHARE)));
    return own.length < ownMax;
  }

  /** Where heavy work has all places, one light job may run beside it. */
  #hasPlaceFor(job: Job, running: readonly Job[]): boolean {
    const isBeside =
      !job.isHeavy && running.length === this.#places && running.every(({ isHeavy }) => isHeavy);
    if (isBeside) return !this.#keeping.beside;
    return running.length < this.#places && (job.length === 'short' || longIn(running) < this.#longMax);
  }

  /** Long jobs at work at a time. */
  get #longMax(): number {
    return this.#places - 1;
  }

  #running(): Job[] {
    return this.#slots.flatMap(({ job }) => job ?? []);
  }

  /** Whether a process is free, or the machine has the memory for one more. */
  #mayStartProcess(): boolean {
    const { beside } = this.#keeping;
    const isFree = this.#slots.some(({ process, job }) => process && !job);
    const isFirst = this.#slots.every(({ process }) => !process);
    return !beside || isFree || isFirst || process.availableMemory() >= beside.spareBytesMin;
  }

  #start(job: Job): void {
    const slot = this.#slotFor(job);
    slot.job = job;
    job.startedMs = performance.now();
    slot.process ??= this.#startProcess(slot);
    if (job.isHeavy) slot.process.lowerPriority();
    slot.process.send(job.message);
    job.control.onStart?.();
    job.control.onProgress?.(0.1, 'Started');
    this.#keepOneReady();
  }

  /**
   * Starting a process takes longer than most work: when all places but one are taken, the next process is started before a caller needs it, that
   * for light work first; also while light work has a process of low priority. Not where processes beside the first are started on demand, as each
   * of those holds the weights of a network.
   */
  #keepOneReady(): void {
    if (this.#keeping.beside || this.#closed) return;
    const running = this.#running();
    const isSlowed = this.#slots.some(({ job, process }) => job && !job.isHeavy && process?.hasLowPriority);
    const isNearlyFull = running.length >= this.#places - 1 && running.length + this.#waiting().length >= 2;
    if (!isSlowed && !isNearlyFull) return;
    const empty = this.#slots.findLast(({ process }) => !process);
    const hasRoom = this.#slots.filter(({ process }) => process).length < this.#places;
    const isForLight = empty === this.#slots.at(-1) && (isSlowed || running.some(({ isHeavy }) => isHeavy));
    if (!empty || !(hasRoom || isForLight)) return;
    empty.process = this.#startProcess(empty);
    empty.idleSinceMs = performance.now();
  }

  /**
   * Processes that are ready first, and of them those of low priority for heavy work, the others for light work. Heavy work never has the last slot
   * of pictures, so that light work finds a process that is ready.
   * Where processes beside the first are started on demand, the first comes first.
   */
  #slotFor(job: Job): Slot {
    const slots = job.isHeavy ? this.#slots.slice(0, this.#places) : this.#slots;
    const free = slots.filter((slot) => !slot.job);
    const order = job.isHeavy || this.#keeping.beside ? free : free.reverse();
    return (
      order.find(({ process }) => process?.isReady && process.hasLowPriority === job.isHeavy) ??
      order.find(({ process }) => process?.isReady) ??
      order.find(({ process }) => process) ??
      order[0]!
    );
  }

  #startProcess(slot: Slot): WorkerProcess {
    const started = startWorkerProcess({
      memoryBytesMax: this.#keepingOf(slot).memoryBytesMax,
      onAnswer: (answer) => {
        if (slot.process === started) this.#receive(slot, answer);
      },
      onDeath: (death) => {
        if (slot.process === started) this.#bury(slot, deathError(death));
      },
    });
    return started;
  }

  #keepingOf(slot: Slot): Pick<Keeping, 'memoryBytesMax' | 'idleMsMax'> {
    return slot === this.#slots[0] ? this.#keeping : (this.#keeping.beside ?? this.#keeping);
  }

  #receive(slot: Slot, answer: JobAnswer): void {
    const { job } = slot;
    if (!job) return;
    if (answer.kind === 'progress') {
      job.control.onProgress?.(answer.fraction, answer.message);
      return;
    }
    slot.job = undefined;
    slot.idleSinceMs = performance.now();
    job.spent = answer.spent;
    // Light work would find a process of low priority there.
    const isSpoiled = slot === this.#slots[this.#places] && slot.process?.hasLowPriority;
    if (answer.memoryBytes > this.#keeping.idleMemoryBytesMax || isSpoiled) retire(slot);
    this.#evictLater();
    if (answer.kind === 'done') this.#learn(job);
    if (answer.kind === 'done' && answer.notes) job.control.onIntake?.(answer.notes);
    if (answer.kind === 'done') job.resolve(answer.output);
    else job.refuse(answerError(answer));
    this.#admission.leave(job);
    this.#keepOneReady();
  }

  /** A process has gone, or must go; its job fails, no other does. */
  #bury(slot: Slot, error: AtelierError): void {
    const job = this.#interrupt(slot);
    job?.refuse(error);
    if (job) this.#admission.leave(job);
  }

  /** Stops what runs there, and notes what it has used. */
  #interrupt(slot: Slot): Job | undefined {
    const { job, process } = slot;
    if (job) {
      const engine = (performance.now() - (job.startedMs ?? performance.now())) / 1000;
      job.spent = { decoding: 0, engine, encoding: 0, cpu: process?.cpuSeconds() ?? 0 };
      job.isStopped = true;
      this.#learn(job);
    }
    slot.job = undefined;
    retire(slot);
    return job;
  }

  #learn({ prediction, spent, isStopped, address }: Job): void {
    this.#predictor.learn(prediction, { cpuSeconds: spent?.cpu ?? 0, isStopped, address });
  }

  #reportSpent({ control, spent = NOTHING_SPENT, interruptedSeconds }: Job): void {
    control.onSpent?.({ ...spent, cpu: spent.cpu + interruptedSeconds });
  }

  /** While jobs run, looks every OVERRUN_CHECK_MS for short work that has become long. */
  #watchOverruns(): void {
    this.#overrunCheck ??= setInterval(() => {
      this.#makeWay();
      if (this.#jobs.size > 0) return;
      clearInterval(this.#overrunCheck);
      this.#overrunCheck = undefined;
    }, OVERRUN_CHECK_MS).unref();
  }

  /**
   * A job that uses more than its prediction counts as heavy from then on, and later as long. Where such jobs have taken the process that is kept for
   * short work, and short work waits, the one that has used least is stopped and waits for its turn as long work.
   */
  #makeWay(): void {
    const { overrunSeconds = SHORT_WORK_SECONDS } = this.#settings;
    // The first run of a process loads its engine as well, which takes 0.15 s.
    const heavySeconds = Math.min(OVERRUN_FACTOR * LOW_PRIORITY_SECONDS, overrunSeconds);
    for (const { job, process } of this.#slots) {
      if (!job || job.isHeavy || !isOverrun(job, heavySeconds)) continue;
      job.isHeavy = true;
      process?.lowerPriority();
    }
    const overrun = this.#slots.filter(
      ({ job }) => job?.interruptedSeconds === 0 && isOverrun(job, overrunSeconds),
    );
    for (const { job } of overrun) job!.length = 'long';
    // Where all places have become heavy, there is one for light work.
    this.#admission.assign();
    const running = this.#running();
    const isShortWaiting = this.#waiting().some(({ length }) => length === 'short');
    if (running.length < this.#places || longIn(running) <= this.#longMax || !isShortWaiting) return;
    const [least] = overrun.sort((one, other) => one.job!.spentSeconds() - other.job!.spentSeconds());
    if (least) this.#requeue(least);
  }

  #requeue(slot: Slot): void {
    const job = this.#interrupt(slot)!;
    this.#admission.leave(job);
    job.interruptedSeconds = job.spent!.cpu;
    job.cost = OVERRUN_FACTOR * Math.max(job.interruptedSeconds, job.prediction.seconds);
    job.spent = undefined;
    job.isStopped = false;
    this.#admission.enter(job);
  }

  /** Ends processes that have had no job for long, or hold memory the machine needs. */
  #evictLater(): void {
    const idleMsMax = Math.min(
      this.#keeping.idleMsMax,
      this.#keeping.beside?.idleMsMax ?? Number.POSITIVE_INFINITY,
    );
    if (this.#eviction) return;
    this.#eviction = setInterval(
      () => {
        const isShort = process.availableMemory() < SPARE_MEMORY_BYTES_MIN;
        for (const slot of this.#slots) {
          const idleMs = slot.job ? 0 : performance.now() - (slot.idleSinceMs ?? 0);
          if (!slot.job && (isShort || idleMs > this.#keepingOf(slot).idleMsMax)) retire(slot);
        }
        if (this.#slots.some((slot) => slot.process)) return;
        clearInterval(this.#eviction);
        this.#eviction = undefined;
      },
      Math.min(idleMsMax, SPARE_MEMORY_CHECK_MS),
    ).unref();
  }

  /** Most jobs end sooner than a new process starts: work whose caller has left may end on its own, if it is quick. */
  #giveUp(job: Job): void {
    if (this.#admission.isWaiting(job)) this.#stop(job, gaveUpError());
    else setTimeout(() => this.#stop(job, gaveUpError()), WORKER_GRACE_MS);
  }

  #stop(job: Job, error: AtelierError): void {
    const slot = this.#slotOf(job);
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

const NOTHING_SPENT: Spent = { decoding: 0, engine: 0, encoding: 0, cpu: 0 };

const longIn = (jobs: readonly Job[]): number => jobs.filter(({ length }) => length === 'long').length;

/** Whether work that was predicted to be short has used more than that, and more than the given CPU seconds. */
function isOverrun(
  { message: { engine }, prediction: { seconds }, spentSeconds }: Job,
  leastSeconds: number,
): boolean {
  const boundSeconds = Math.max(leastSeconds, OVERRUN_FACTOR * seconds);
  return lengthOf(engine, seconds) === 'short' && spentSeconds() > boundSeconds;
}

/** What is left of the time a job is predicted to take on all cores. */
function secondsLeft({ cost, control, startedMs }: Job): number {
  const estimatedSeconds = control.estimatedSeconds ?? cost / availableParallelism();
  const taken = startedMs === undefined ? 0 : (performance.now() - startedMs) / 1000;
  return Math.max(0, estimatedSeconds - taken);
}

function retire(slot: Slot): void {
  const { process } = slot;
  slot.process = undefined;
  process?.kill();
}

const outOfTimeError = () =>
  new AtelierError('timed_out', 'Processing the image took too long and was stopped.');
export const gaveUpError = () =>
  new AtelierError('timed_out', 'The client disconnected before the image was processed.');

function answerError(answer: Exclude<JobAnswer, { kind: 'progress' | 'done' }>): AtelierError {
  if (answer.kind === 'refused') return new AtelierError(answer.code, answer.message, answer.details);
  return new AtelierError('internal_error', undefined, { cause: new Error(answer.reason) });
}
