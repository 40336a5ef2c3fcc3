import { setTimeout as sleep } from 'node:timers/promises';
import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import type { z } from 'zod';
import { BUSY_RETRY_SECONDS } from '../config/limits.ts';
import { recycleIfPooled } from '../core/buffer_pool.ts';
import { AtelierError } from '../core/errors/atelier_error.ts';
import type { Proof } from '../core/principal.ts';
import { withSourceName } from '../core/request_scope/request_scope.ts';
import type { SourceImage } from '../core/workers/types.ts';
import type { Expected } from '../features/assets/uploads/uploads.ts';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import { imagesIn, isSourceImage, type PlacedImage, withImages } from '../features/definitions/images_in.ts';
import { highestPrice, priceOf } from '../features/definitions/price.ts';
import type { AnyTool, CallContext, Charge } from '../features/definitions/tool.ts';
import type { Images } from '../features/images/types.ts';
import type { Services } from '../features/services.ts';
import { callerKey } from './authenticate.ts';
import { LongText } from './request_json.ts';
import type { Client, PipelineContext } from './types.ts';

interface Run {
  readonly client: Client;
  readonly wallet: string | undefined;
  readonly proof: Proof | undefined;
  /** Names the credits held for this call. */
  readonly hold: string | undefined;
  /** Aborts at the deadline or when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Aborts at the deadline. */
  readonly deadline: AbortSignal;
  readonly deadlineMs: number;
  /** Absent in a job. */
  readonly jobDeadlineMs?: number;
  readonly notes: RunNotes;
  /** Runs the calls this one is made of; each ends by the deadline itself. */
  readonly runSteps?: CallContext['runSteps'];
}

/** Output of a running tool besides its result. */
export interface RunNotes {
  readonly warnings: string[];
  /** The part of a file that was used, where it is less than all. */
  lookedAt?: string;
  /** Actual price, where it may be less than the listed one. */
  found?: Charge;
  /** Total price of the steps, which is charged instead. */
  sum?: Charge;
}

/**
 * Runs a tool until its deadline and validates its output against its schema. Pure computation is abandoned when the client has
 * disconnected. Work with side effects is awaited: otherwise a client could disconnect to avoid the charge.
 */
export async function runTool(
  services: Services,
  tool: AnyTool,
  input: Record<string, unknown>,
  run: Run,
): Promise<Record<string, unknown>> {
  const { client, wallet, proof, hold, signal, deadline, deadlineMs, jobDeadlineMs, notes, runSteps } = run;
  const weight = await services.prices.weightOf(wallet, proof?.key?.id);
  const running = withSourceName(fileNameIn(tool, input), () =>
    tool.run(input, services, {
      requestId: client.requestId,
      ...(wallet && { wallet }),
      ...(proof && { proof }),
      ...(client.bearer !== undefined && { bearer: client.bearer }),
      ...(hold !== undefined && { hold }),
      ...(client.isModel && { isModel: true }),
      callerKey: callerKey(client.address, wallet),
      weight,
      address: client.address,
      signal,
      deadline,
      deadlineMs,
      ...(jobDeadlineMs !== undefined && { jobDeadlineMs }),
      ...(runSteps && { runSteps }),
      onProgress: throttleProgress((fraction, message) => client.onProgress?.(fraction, message)),
      warn: (message) => notes.warnings.push(message),
      onIntake: (intake) => addIntake(notes, intake),
      waive: (why) => {
        notes.found = { credits: 0, why };
      },
      charge: (found) => {
        notes.found = found;
      },
    }),
  );
  const output = await untilAborted(endOf(tool, run), running, client.signal);
  const checked = strictSchema(tool.output).safeParse(output);
  if (checked.success) {
    waiveDegraded(tool, checked.data, notes);
    return checked.data;
  }
  throw new Error(`${tool.name} broke its own contract: ${checked.error.message}`);
}

/** The file name of the first image of the call. */
const fileNameIn = ({ input: { shape } }: AnyTool, input: Record<string, unknown>): string | undefined =>
  imagesIn(imageFieldsOf(shape), input)
    .map(({ image }) => image)
    .find(isSourceImage)?.fileName;

/** A degraded result of a paid tool is free; the reason says how to get a full result. */
function waiveDegraded({ price }: AnyTool, output: Record<string, unknown>, notes: RunNotes): void {
  if (output.degraded !== true || highestPrice(price) === 0 || notes.found?.credits === 0) return;
  notes.found = { credits: 0, why: String(output.degraded_reason ?? 'The result is degraded.') };
}

/** A tool may run several engines on one image, which all report the same warnings. */
function addIntake(notes: RunNotes, { lookedAt, warnings }: IntakeNotes): void {
  notes.warnings.push(...warnings.filter((warning) => !notes.warnings.includes(warning)));
  if (lookedAt) notes.lookedAt = lookedAt;
}

/** The signal that ends the run early. A tool with steps ends with them: completed steps are delivered. */
function endOf({ effects, steps }: AnyTool, { signal, deadline }: Run): AbortSignal {
  if (steps) return new AbortController().signal;
  return effects.readOnly ? signal : deadline;
}

/** Rejects when the signal fires even if the tool does not listen to it. */
export async function untilAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  callerSignal: AbortSignal,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(abortError(callerSignal));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } catch (error) {
    if (signal.aborted && !(error instanceof AtelierError)) throw abortError(callerSignal);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export function abortError(callerSignal: AbortSignal): AtelierError {
  return callerSignal.aborted
    ? new AtelierError(
        'timed_out',
        'The client closed the connection before the tool had finished. You were not charged.',
      )
    : timedOutError();
}

/** The error of a call whose tool was still running at the deadline. */
export const timedOutError = (): AtelierError =>
  new AtelierError(
    'timed_out',
    'The tool did not finish within the time limit and was stopped. You were not charged.',
  );

interface LoadOptions {
  readonly wallet: string | undefined;
  readonly signal: AbortSignal;
  readonly expected: Expected;
  /** The input is not read again: the text of each image is released as soon as its bytes are known. */
  readonly releasesText?: boolean;
  /** false leaves images of other servers as text. */
  readonly fromOtherServers?: boolean;
}

/** Opened at a time, so that one call does not fetch a hundred layers at once. */
const IMAGES_OPENED_AT_ONCE = 4;

/**
 * Replaces the text of every image, in fields and in layers, by the image it stands for, before anything is held or charged.
 * The same text is opened once. `expected` is about image fields.
 */
export async function loadImages(
  images: Images,
  tool: AnyTool,
  input: Record<string, unknown>,
  { signal, wallet, expected, fromOtherServers = true, releasesText = false }: LoadOptions,
): Promise<Record<string, unknown>> {
  const fields = imageFieldsOf(tool.input.shape);
  const placed = imagesIn(fields, input).filter(({ image }) => fromOtherServers || !isAddress(image));
  const byText = Map.groupBy(placed, ({ image }) => image);
  const groups = [...byText.entries()].values();
  const opened = new Map<string, SourceImage>();
  const openNext = async (): Promise<void> => {
    for (const [text, places] of groups) {
      const [{ name }] = places as [PlacedImage];
      const sender = { signal, ...(fields.includes(name) && { expected }), ...(wallet && { wallet }) };
      const image = await images.open(textIn(text), name, sender);
      if (releasesText && text instanceof LongText) text.release();
      for (const place of places) opened.set(place.name, image);
    }
  };
  await Promise.all(Array.from({ length: IMAGES_OPENED_AT_ONCE }, openNext));
  return withImages(input, opened);
}

/** Lets the next call use the memory of loaded images, which are empty from then on. */
export function releaseImages(loaded: Record<string, unknown>): void {
  for (const { image } of imagesIn([], loaded)) if (isSourceImage(image)) recycleIfPooled(image.bytes);
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^\s*https?:/i.test(value);

const textIn = (value: unknown): string | Buffer =>
  value instanceof LongText ? value.ascii : (value as string);

/** Megapixels of all images in a loaded input together, to two decimals; undefined without any. */
export function megapixelsIn(loaded: Record<string, unknown>): number | undefined {
  const pictures = imagesIn([], loaded)
    .map(({ image }) => image)
    .filter(isSourceImage);
  if (pictures.length === 0) return undefined;
  const pixels = pictures.reduce((sum, { width, height }) => sum + width * height, 0);
  return Math.max(0.01, Math.round(pixels / 10_000) / 100);
}

interface Timed {
  readonly input: Record<string, unknown>;
  readonly loaded: Record<string, unknown>;
  readonly deadline: AbortSignal;
}

/** Records the duration of a run, for metrics and dry-run estimates, including runs stopped at the deadline. */
export async function recordDuration<T>(
  context: PipelineContext,
  tool: AnyTool,
  { input, loaded, deadline }: Timed,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const record = (isStopped: boolean) => {
    const ms = performance.now() - started;
    const credit = priceOf(tool.price, input);
    context.durations.record({ tool: tool.name, credit, megapixels: megapixelsIn(loaded), ms, isStopped });
  };
  try {
    const output = await context.telemetry.timeCall(tool.name, work);
    record(false);
    return output;
  } catch (error) {
    if (deadline.aborted) record(true);
    throw error;
  }
}

/** Minimum progress between two messages with the same text. */
export const PROGRESS_STEP_PERCENT = 5;

/**
 * Filters progress reports: whole percents, never repeated or decreasing, and at least PROGRESS_STEP_PERCENT between two with the
 * same text (numbers aside).
 */
export function throttleProgress(
  report: (fraction: number, message: string) => void,
): (fraction: number, message: string) => void {
  let last = { percent: -1, words: '' };
  return (fraction, message) => {
    const percent = Math.floor(Math.min(Math.max(fraction, 0), 1) * 100 + 1e-9);
    const words = message.replace(/\d+/g, '#');
    const step = words === last.words && percent < 100 ? PROGRESS_STEP_PERCENT : 1;
    if (!(percent >= last.percent + step)) return;
    last = { percent, words };
    report(percent / 100, message);
  };
}

const strictOnes = new WeakMap<z.ZodObject, z.ZodObject>();

/** The strict schema without unknown fields, cached: zod compiles a schema at first use, 0.1 to 0.2 ms per call. */
export function strictSchema<T extends z.ZodObject>(schema: T): T {
  const known = strictOnes.get(schema) as T | undefined;
  if (known) return known;
  const strict = schema.strict() as unknown as T;
  strictOnes.set(schema, strict);
  return strict;
}

interface Waiting {
  readonly signal: AbortSignal;
  onProgress?(fraction: number, message: string): void;
}

/** At capacity a waiting call is refused with Retry-After; a job retries by itself. */
export async function retryWhileBusy<T>({ signal, onProgress }: Waiting, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof AtelierError && error.code === 'busy') || signal.aborted) throw error;
      onProgress?.(0, 'Waiting for a free worker');
      await sleep(BUSY_RETRY_SECONDS * 1000);
    }
  }
}
