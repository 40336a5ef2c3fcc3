import type { Facts } from '@atelier/imaging/analysis/write/facts.ts';
import type { Given } from '@atelier/imaging/analysis/write/given.ts';
import { APICallError, type LanguageModel, RetryError } from 'ai';
import type { BaseLogger } from 'pino';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../core/json/parse_bounded_json.ts';
import {
  askProvider,
  INSTRUCTIONS,
  messageAbout,
  PROMPT_VERSION,
  type ProviderAnswer,
} from './ask_provider.ts';
import type { Usage } from './types.ts';
import type { Spender, VisionBudget } from './vision_budget/types.ts';
import { type Words, wordsSchema } from './words_schema.ts';

/** The model declined to describe the image. */
class Declined extends Error {}
/** The response does not match the schema. */
class OutOfForm extends Error {}

const INSTEAD =
  'Nothing was charged. enrich_metadata with engine "built_in" describes a picture by measurement alone.';

/** `Retry-After` where the provider sends none, and the longest accepted one. */
const RETRY_SECONDS = 30;
const RETRY_SECONDS_MAX = 3600;

/**
 * Maps a failed request to an error of ours, because the provider's messages and bodies quote the request.
 * @param isLate our own deadline has passed
 * @param isLeft the client has disconnected
 */
function providerFailure(
  error: unknown,
  { isLate, isLeft }: { isLate: boolean; isLeft: boolean },
): AtelierError {
  if (error instanceof AtelierError) return error;
  if (isLeft) return new AtelierError('timed_out', 'The caller has gone or the time is up.');
  if (isLate) return new AtelierError('timed_out', `The vision model did not answer in time. ${INSTEAD}`);
  if (error instanceof Declined)
    return upstreamFailed(`The vision model declined to describe this picture. ${INSTEAD}`);
  if (error instanceof OutOfForm)
    return upstreamFailed(`The vision model did not answer in the form asked for. ${INSTEAD}`);
  const status = statusOf(error);
  if (status !== undefined && OVERLOADED.includes(status)) return overloaded(error);
  if (status !== undefined && (UNUSABLE.includes(status) || (status >= 300 && status < 400)))
    return new AtelierError(
      'model_unavailable',
      `The vision model cannot be used: the operator has to look after its settings. ${INSTEAD}`,
    );
  if (status !== undefined && status < 300)
    return upstreamFailed(
      `What came from the vision model was no answer of its provider, or too long. ${INSTEAD}`,
    );
  return upstreamFailed(`The vision model could not be reached or failed. ${INSTEAD}`);
}

const OVERLOADED: readonly number[] = [429, 503, 529];
/** Missing permission, missing credit, unknown model. */
const UNUSABLE: readonly number[] = [401, 402, 403, 404];

const upstreamFailed = (words: string): AtelierError => new AtelierError('upstream_failed', words);

function overloaded(error: unknown): AtelierError {
  const last = lastOf(error);
  const header = APICallError.isInstance(last) ? last.responseHeaders?.['retry-after'] : undefined;
  const told = header === undefined ? Number.NaN : secondsIn(header);
  const retryAfterSeconds =
    told >= 0 ? Math.min(Math.max(1, Math.ceil(told)), RETRY_SECONDS_MAX) : RETRY_SECONDS;
  return new AtelierError(
    // Not `busy`: a job would retry every two seconds and process the pixels each time.
    'upstream_failed',
    `The vision model has more requests than it takes just now. Come again in ${retryAfterSeconds} s. ${INSTEAD}`,
    { retryAfterSeconds },
  );
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
const secondsIn = (header: string): number =>
  /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;

/** Kind and status only. */
function reasonOf(error: unknown): string {
  const last = lastOf(error);
  const status = statusOf(error);
  const kind = last instanceof AtelierError ? last.code : last instanceof Error ? kindOf(last) : 'unknown';
  return `${kind}${status === undefined ? '' : ` ${status}`}`;
}

const kindOf = (error: Error): string => (error.name === 'Error' ? error.constructor.name : error.name);

/** True if the request cannot have used tokens: it was never sent, or the response was an error or an HTML page. */
function hasCostNothing(error: unknown): boolean {
  const last = lastOf(error);
  if (!APICallError.isInstance(last)) return last instanceof AtelierError;
  const { statusCode, responseHeaders, cause } = last;
  const { code } = (cause ?? {}) as { code?: unknown };
  if (statusCode === undefined) return UNSENT.includes(String(code));
  return statusCode >= 300 || responseHeaders?.['content-type']?.startsWith('text/html') === true;
}

/** No connection was made. */
const UNSENT: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

const lastOf = (error: unknown): unknown => (RetryError.isInstance(error) ? error.lastError : error);

function statusOf(error: unknown): number | undefined {
  const last = lastOf(error);
  return APICallError.isInstance(last) ? last.statusCode : undefined;
}

/** A shared run of this many words is not a coincidence. */
const RUN = 8;
/** More identical texts in one response suggest prompt injection. */
const SAME_TEXTS_MAX = 2;

/**
 * Filters out prompt injection: writing in an image may contain instructions that a model follows. Removes sentences with an address, or
 * with unquoted writing from the image. Undefined for a response that repeats the instructions, repeats itself everywhere, or has no
 * description left.
 */
export function ownWords(words: Words): Words | undefined {
  const texts = Object.values(words).flatMap((value) => (typeof value === 'number' ? [] : (value ?? [])));
  const repeatsRules = texts.some((text) => runsOf(text).some((run) => RULES.has(run)));
  if (repeatsRules || saysTheSame(words)) return undefined;
  const foreign = new Set(runsOf(words.text_read ?? ''));
  const isOwn = (sentence: string) => {
    const said = sentence.replace(QUOTED, ' ');
    return !ADDRESS.test(said) && !runsOf(said).some((run) => foreign.has(run));
  };
  const cleaned = Object.entries(words).map(([name, value]) => [
    name,
    name === 'text_read' ? value : ownPart(value, isOwn),
  ]);
  const own = Object.fromEntries(cleaned) as Words;
  return own.description && own.alt_text ? own : undefined;
}

function ownPart(value: Words[keyof Words], isOwn: (sentence: string) => boolean): typeof value {
  if (typeof value === 'string') return value.split(SENTENCE_END).filter(isOwn).join(' ');
  return Array.isArray(value) ? value.filter(isOwn) : value;
}

const SENTENCE_END = /(?<=[.!?])\s+/;
const QUOTED = /“[^”]*”|"[^"]*"|«[^»]*»|‘[^’]*’/g;
const ADDRESS = /\w+:\/\/|\bwww\.|[^\s@]+@[^\s@]+\.\w/i;

function saysTheSame({
  description,
  extended_description,
  composition,
  color,
  lighting,
  ...more
}: Words): boolean {
  const { emotional_journey, symbolism, artist_analysis } = more;
  const texts = [description, extended_description, composition, color, lighting];
  const said = [...texts, emotional_journey, symbolism, artist_analysis]
    .map((text) => text.trim())
    .filter(Boolean);
  return said.length - new Set(said).size >= SAME_TEXTS_MAX;
}

/** All runs of this many words, in lower case and without punctuation. */
function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((_, at) => (at + RUN <= words.length ? [words.slice(at, at + RUN).join(' ')] : []));
}

const RULES = new Set(runsOf(INSTRUCTIONS));

/** Longest response that is worth repairing. */
const CHARACTERS_MAX = 100_000;

/**
 * Parses a response that nearly matches the schema: a JSON object inside other text or a code fence, lists written as one string, missing
 * optional members. Undefined without the required texts.
 */
function mendWords(answer: string): Words | undefined {
  const parsed = objectIn(answer.slice(0, CHARACTERS_MAX));
  if (!parsed) return undefined;
  const members = Object.fromEntries(
    Object.entries(wordsSchema.shape).map(([name, schema]) => [
      name,
      mendMember(parsed[name], schema.safeParse([]).success, schema.safeParse(null).success),
    ]),
  );
  const isNumber = typeof parsed.confidence === 'number' && Number.isFinite(parsed.confidence);
  const mended = wordsSchema.safeParse({ ...members, confidence: isNumber ? parsed.confidence : UNSURE });
  return mended.success && mended.data.description !== '' && mended.data.alt_text !== ''
    ? mended.data
    : undefined;
}

/** Confidence if the model reports none. */
const UNSURE = 0.5;

function mendMember(value: unknown, isList: boolean, mayBeUnknown: boolean): unknown {
  if (isList)
    return Array.isArray(value)
      ? value.map(String)
      : typeof value === 'string'
        ? value.split(/\s*[,;]\s*/)
        : [];
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return mayBeUnknown ? null : '';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) return undefined;
  try {
    const value = parseBoundedJson(text.slice(from, to + 1));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A vision model. */
export interface VisionModel {
  readonly name: string;
  /** Version of the instructions. */
  readonly version: string;
  /**
   * @throws AtelierError model_unavailable, upstream_failed, timed_out, whose messages quote nothing of the request; vision_budget_spent
   */
  read(request: ReadRequest, signal: AbortSignal): Promise<Reading>;
  /** Why a request of this client would be refused now; undefined if it would not. */
  refusal(by: Spender): Promise<AtelierError | undefined>;
}

export interface ReadRequest {
  readonly jpeg: Uint8Array;
  readonly given: Given;
  readonly facts: Facts;
  readonly tier: 'standard' | 'premium';
  /** Whose share of the daily budget is used. */
  readonly by: Spender;
}

export interface Reading {
  readonly words: Words;
  readonly usage: Usage;
}

export interface VisionSettings {
  readonly model: LanguageModel;
  /** Name of the model in responses. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly outputTokensMax: number;
  /** US dollars per million tokens. */
  readonly inputPrice?: number | undefined;
  readonly outputPrice?: number | undefined;
  /** Absent: unlimited. */
  readonly budget?: VisionBudget | undefined;
  readonly logger: Pick<BaseLogger, 'info' | 'warn'>;
}

/** Responses that do not match the schema are requested once more. */
const ATTEMPTS = 2;
/** Tokens reserved for instructions, schema, the longest brief and an image of 1024 pixels, until the actual usage is known. */
const INPUT_TOKENS_MAX = 8000;
/** A reservation outlives its request by this. */
const SETTLING_MS = 15_000;

/** Calls a model through the provider library. Never logs key, prompt or image. */
export function createVisionModel(settings: VisionSettings): VisionModel {
  const { name, logger, budget } = settings;
  return {
    name,
    version: `prompt-${PROMPT_VERSION}`,
    refusal: async (by) => budget?.refusal(mostOfRequest(settings), by),
    async read(request, signal) {
      const deadline = AbortSignal.timeout(settings.timeoutMs);
      const spent: Spent = { input: 0, output: 0, untold: 0 };
      const tell = () => ({ model: name, ...usageOf(settings, spent), ...untoldOf(spent) });
      try {
        const words = await readPicture(settings, request, AbortSignal.any([signal, deadline]), spent);
        logger.info(tell(), 'a vision model has read a picture');
        return { words, usage: usageOf(settings, spent) };
      } catch (error) {
        logger.warn({ ...tell(), reason: reasonOf(error) }, 'a vision model failed');
        throw providerFailure(error, { isLate: deadline.aborted, isLeft: signal.aborted });
      }
    },
  };
}

interface Spent {
  input: number;
  output: number;
  /** Requests of unknown usage. */
  untold: number;
}

/**
 * The first response that matches the schema, repaired if necessary.
 * @throws the last failure
 */
async function readPicture(
  settings: VisionSettings,
  { jpeg, given, facts, tier, by }: ReadRequest,
  signal: AbortSignal,
  spent: Spent,
): Promise<Words> {
  const { model, outputTokensMax } = settings;
  const message = messageAbout(given, facts, tier);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const text = attempt > 1 ? `${message}${AGAIN}` : message;
    const asked = () => askProvider(model, { text, jpeg, outputTokensMax, signal });
    const answer = await withinBudget(settings, by, spent, asked);
    if (answer.isDeclined) throw new Declined();
    const words = mendWords(answer.text);
    const own = words && ownWords(words);
    if (own) return own;
  }
  throw new OutOfForm();
}

const AGAIN =
  '\n\nYour last answer was not one whole JSON object of the form asked for. Answer again, shorter, with that object only.';

/**
 * Records the usage of a request. A request that ended without reporting usage counts with its full reservation, because the provider may
 * have processed it: otherwise a client that disconnects in time would pay nothing.
 */
async function withinBudget(
  settings: VisionSettings,
  by: Spender,
  spent: Spent,
  ask: () => Promise<ProviderAnswer>,
): Promise<ProviderAnswer> {
  const most = mostOfRequest(settings);
  const reservation = await settings.budget?.reserve(most, by, settings.timeoutMs + SETTLING_MS);
  let counted = most;
  try {
    const answer = await ask();
    const { used } = answer;
    spent.input += used?.input ?? 0;
    spent.output += used?.output ?? 0;
    if (used) counted = amountOf(settings, used);
    else spent.untold += 1;
    return answer;
  } catch (error) {
    if (hasCostNothing(error)) counted = { tokens: 0, usd: 0 };
    else spent.untold += 1;
    throw error;
  } finally {
    await reservation?.settle(counted);
  }
}

type Tokens = Pick<Spent, 'input' | 'output'>;
type Prices = Pick<VisionSettings, 'inputPrice' | 'outputPrice'>;

/** Upper bound of one request, as far as it is known in advance. */
export const mostOfRequest = (settings: Prices & Pick<VisionSettings, 'outputTokensMax'>) =>
  amountOf(settings, { input: INPUT_TOKENS_MAX, output: settings.outputTokensMax });

const amountOf = (prices: Prices, tokens: Tokens) => ({
  tokens: tokens.input + tokens.output,
  usd: costOf(prices, tokens) ?? 0,
});

function costOf({ inputPrice, outputPrice }: Prices, { input, output }: Tokens): number | undefined {
  if (inputPrice === undefined || outputPrice === undefined) return undefined;
  return (input * inputPrice + output * outputPrice) / 1e6;
}

function usageOf(prices: Prices, spent: Tokens): Usage {
  const cost = costOf(prices, spent);
  return {
    input_tokens: spent.input,
    output_tokens: spent.output,
    ...(cost !== undefined && { cost_usd: Number(cost.toFixed(6)) }),
  };
}

const untoldOf = ({ untold }: Spent) => (untold > 0 ? { requests_untold: untold } : {});
