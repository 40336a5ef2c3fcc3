import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { availableParallelism, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BUSY_RETRY_SECONDS, CALLER_SHARE } from '../../config/limits.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { type Admission, type Ask, fairQueueEntryOf } from './admission.ts';
import type { EngineName, Engines } from './engines.ts';
import { frameReader, writeFrame } from './frames.ts';
import { openInputFile } from './input_file.ts';
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
import { type PixelControl, type RunSeconds, WORK_LENGTHS, type WorkLength } from './types.ts';

/** Clock ticks per second in /proc, on all current Linux systems. */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds, user and system, of all threads of a process so far: fields 14 and 15 of proc_pid_stat(5). Undefined on other systems and
 * for a process that has ended.
 */
function cpuSecondsOf(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name is in brackets and may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

type JobAnswer = Exclude<AnswerMessage, { kind: 'ready' }>;

/** Reason why a process ended during a job. */
type Death = { readonly by: 'memory' } | { readonly by: 'end'; readonly detail: string };

interface Options {
  /** A process above this limit is ended. */
  readonly memoryBytesMax: number;
  onAnswer(answer: JobAnswer): void;
  onDeath(death: Death): void;
}

/** A child process with at most one job. */
interface WorkerProcess {
  readonly pid: number | undefined;
  send(job: JobMessage): void;
  /**
   * CPU seconds of all threads since the job was sent. For a process that has ended: the last reading, at most WORKER_MEMORY_CHECK_MS old.
   * On systems without /proc: elapsed seconds.
   */
  cpuSeconds(): number;
  /** Whether it has loaded its code. */
  readonly isReady: boolean;
  /** True after its first heavy work: raising the priority again would need privileges. */
  readonly hasLowPriority: boolean;
  lowerPriority(): void;
  /** Ends it immediately. */
  kill(): void;
}

const MAIN = fileURLToPath(new URL('./process_main.ts', import.meta.url));

/**
 * 4 MB of young generation instead of 16: pixels are stored outside the V8 heap, and a resizing process holds 20 MB less without being
 * slower.
 */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'];

/**
 * Few allocator arenas, because libvips frees memory in other threads than it allocates. Freed memory up to 4 MB is reused for the next
 * image: new mappings would take a tenth of the CPU time of a small resize. Few threads, because a process handles one image at a time; no
 * log line for every damaged image. Of the server's environment, which holds secrets, only the compile cache folder is passed on.
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
  const inputFile = openInputFile();
  const child = spawn(process.execPath, [...FLAGS, MAIN], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', inputFile?.descriptor ?? 'ignore'],
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
    inputFile?.close();
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
  // A pipe breaks when its process dies; the exit event has the reason.
  pipe.on('error', () => child.kill('SIGKILL'));
  child.on('exit', (code, signal) => reportDeath({ by: 'end', detail: signal ?? `status ${code}` }));
  // A process that fails to start has no exit event.
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
      writeFrame(pipe, job, inputFile?.put);
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
 * Gives other work precedence. Linux has a priority per thread, which new threads inherit; other systems have one per process.
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
 * Compile cache: without it, each process strips the types from its sources again, which costs time and 20 MB. Separate from the server's
 * cache, because V8 refuses code compiled with other flags, and the last process to end would overwrite it.
 */
function compiledSources(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: join(dirname(folder), 'pixels') };
}

/** Only Linux reports the resident memory of another process; elsewhere only the pixel limit applies. */
function watchProcess(look: () => void): NodeJS.Timeout | undefined {
  if (process.platform !== 'linux') return undefined;
  return setInterval(look, WORKER_MEMORY_CHECK_MS).unref();
}

interface JobClock {
  begin(): void;
  /** CPU seconds since the start of the job. */
  seconds(): number;
  /** @param soFar CPU seconds of the process from its start until it was ready or its last job ended */
  setBefore(soFar: number): void;
}

/**
 * Measures the CPU time of the current job; the kernel discards it when the process ends. The process itself reports its earlier use when
 * it is ready and after each job, because reading it from /proc takes 30 µs.
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

/** Signals a process raises by a fault; any other signal came from outside and says nothing about the image. */
const FAULTS = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** The error of a job that lost its process, by cause: the image, its size, or neither. */
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
  /**
   * Number of processes, at least two; 0 for one per core plus one, which receives its image while the others compute. Light work has one
   * more.
   */
  readonly workers: number;
  /** Fraction of them that one address may use. Default: CALLER_SHARE. */
  readonly callerShare?: number;
  /** Deadline of a job without its own. */
  readonly deadlineMs: number;
  /** CPU seconds that short work may use before it can count as long. Default: SHORT_WORK_SECONDS. */
  readonly overrunSeconds?: number;
}

/** Memory limits of one kind of process: with a job, and idle. */
export interface ProcessMemoryLimits {
  readonly memoryBytesMax: number;
  readonly idleMemoryBytesMax: number;
  readonly idleMsMax: number;
  /**
   * Limits of further processes, and the spare memory of the machine that is needed to start one. Default: the limits of the first, and
   * none.
   */
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
  /** CPU seconds charged at the start. After an interruption: those it has already used. */
  cost: number;
  length: WorkLength;
  /** Whether it would delay work of a few milliseconds: it then runs in a low-priority process. */
  isHeavy: boolean;
  startedMs?: number;
  /** CPU seconds of interrupted attempts. */
  interruptedSeconds: number;
  /** Use of the last attempt, once it has ended. */
  spent?: RunSeconds | undefined;
  /** Whether the last attempt was stopped, so that its CPU seconds are less than the job takes. */
  isStopped: boolean;
  readonly ended: Promise<unknown>;
  resolve(output: unknown): void;
}

interface Slot {
  process?: WorkerProcess | undefined;
  job?: Job | undefined;
  /** End of its last job. */
  idleSinceMs?: number;
}

/**
 * Pool of processes of one kind, each with at most one job. One is reserved for short work; if there is only one, a second starts on
 * demand. Image processes have an additional one for light work, which never waits for heavy work.
 * docs/decisions/0005-admission-by-cpu-seconds.md
 */
export class ProcessPool {
  readonly #settings: PoolSettings;
  readonly #admission: Admission;
  readonly #predictor: Predictor;
  readonly #keeping: ProcessMemoryLimits;
  /** Concurrent jobs, plus one light job while all of them are heavy. */
  readonly #places: number;
  /** One slot per concurrent job, then the one for light work. */
  readonly #slots: Slot[];
  /** Accepted jobs that have not ended. */
  readonly #jobs = new Set<Job>();
  readonly #emptied = Promise.withResolvers<void>();
  #closed = false;
  #eviction: NodeJS.Timeout | undefined;
  #overrunCheck: NodeJS.Timeout | undefined;

  constructor(settings: PoolSettings, { admission, predictor }: Shared, keeping: ProcessMemoryLimits) {
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

  /** Waiting jobs, by predicted length. */
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
   * In a pool with one long job at a time: seconds until the next job of this address. Sum of the rest of the running job, the address's
   * own waiting jobs, and from each other address as many jobs plus one.
   */
  secondsAheadOf(address: string): number {
    const waiting = this.#waiting();
    const byAddress = Map.groupBy(waiting, (job) => job.address);
    const turns = 1 + (byAddress.get(address)?.length ?? 0);
    const ahead = [...byAddress.values()].flatMap((jobs) => jobs.slice(0, turns));
    return [...this.#running(), ...ahead].reduce((sum, job) => sum + secondsLeft(job), 0);
  }

  /** Ids of the live processes. */
  get pids(): number[] {
    return this.#slots.flatMap(({ process }) => process?.pid ?? []);
  }

  /** Refuses new jobs, finishes accepted ones, and ends the processes. */
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
      ...fairQueueEntryOf(control, prediction.seconds),
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
        // Startup time says nothing about the length of the first job.
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

  /**
   * No address may use all processes, and long work leaves one to short work. With two processes, an address may use one for each length.
   */
  #hasProcessFor(job: Job): boolean {
    const { address, length } = job;
    const places = this.#places;
    const running = this.#running();
    if (!this.#hasPlaceFor(job, running) || !this.#mayStartProcess()) return false;
    // A further process has less memory than long work may need.
    if (length === 'long' && this.#keeping.beside && this.#slots[0]!.job) return false;
    const own = running.filter(
      (other) => other.address === address && (places > 2 || other.length === length),
    );
    const ownMax = Math.max(1, Math.floor(places * (this.#settings.callerShare ?? CALLER_SHARE)));
    return own.length < ownMax;
  }

  /** If heavy work occupies all slots, one light job may run in addition. */
  #hasPlaceFor(job: Job, running: readonly Job[]): boolean {
    const isBeside =
      !job.isHeavy && running.length === this.#places && running.every(({ isHeavy }) => isHeavy);
    if (isBeside) return !this.#keeping.beside;
    return running.length < this.#places && (job.length === 'short' || longIn(running) < this.#longMax);
  }

  /** Largest number of concurrent long jobs. */
  get #longMax(): number {
    return this.#places - 1;
  }

  #running(): Job[] {
    return this.#slots.flatMap(({ job }) => job ?? []);
  }

  /** Whether a process is free, or the machine has memory for one more. */
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
   * Starts the next process before it is needed, because starting takes longer than most work: when all slots but one are in use, or when
   * light work runs in a low-priority process. The slot for light work is filled first. Not if further processes start on demand, because
   * each of those holds the weights of a model.
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
   * Selects a slot: ready processes first; among them low-priority ones for heavy work, the others for light work. Heavy work never gets
   * the last image slot, so that light work finds a ready process. If further processes start on demand, the first process has precedence.
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

  #keepingOf(slot: Slot): Pick<ProcessMemoryLimits, 'memoryBytesMax' | 'idleMsMax'> {
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
    // Light work would find a low-priority process there.
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

  /** Removes a process that has died or must end; only its job fails. */
  #bury(slot: Slot, error: AtelierError): void {
    const job = this.#interrupt(slot);
    job?.refuse(error);
    if (job) this.#admission.leave(job);
  }

  /** Stops the job of a slot and records its use. */
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

  /** While jobs run, checks every OVERRUN_CHECK_MS for short work that has become long. */
  #watchOverruns(): void {
    this.#overrunCheck ??= setInterval(() => {
      this.#makeWay();
      if (this.#jobs.size > 0) return;
      clearInterval(this.#overrunCheck);
      this.#overrunCheck = undefined;
    }, OVERRUN_CHECK_MS).unref();
  }

  /**
   * A job that exceeds its prediction counts as heavy from then on, and later as long. If such jobs occupy the process reserved for short
   * work, and short work waits, the one that has used least is stopped and requeued as long work.
   */
  #makeWay(): void {
    const { overrunSeconds = SHORT_WORK_SECONDS } = this.#settings;
    // The first run of a process also loads its engine, which takes 0.15 s.
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
    // If all slots have become heavy, one becomes available for light work.
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

  /** Ends processes that have been idle for long, or hold memory the machine needs. */
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

  /** Most jobs end sooner than a new process starts: a quick job without a client may finish. */
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

const NOTHING_SPENT: RunSeconds = { decoding: 0, engine: 0, encoding: 0, cpu: 0 };

const longIn = (jobs: readonly Job[]): number => jobs.filter(({ length }) => length === 'long').length;

/** Whether work predicted as short has exceeded its prediction and the given CPU seconds. */
function isOverrun(
  { message: { engine }, prediction: { seconds }, spentSeconds }: Job,
  leastSeconds: number,
): boolean {
  const boundSeconds = Math.max(leastSeconds, OVERRUN_FACTOR * seconds);
  return lengthOf(engine, seconds) === 'short' && spentSeconds() > boundSeconds;
}

/** Remaining part of the time a job is predicted to take on all cores. */
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
/** Error for a client that disconnected before its job finished. */
export const gaveUpError = () =>
  new AtelierError('timed_out', 'The client disconnected before the image was processed.');

function answerError(answer: Exclude<JobAnswer, { kind: 'progress' | 'done' }>): AtelierError {
  if (answer.kind === 'refused') return new AtelierError(answer.code, answer.message, answer.details);
  return new AtelierError('internal_error', undefined, { cause: new Error(answer.reason) });
}

/** Resident memory of a process on Linux; 0 on other systems and for a process that has ended. */
export function residentBytes(pid: number | undefined): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
