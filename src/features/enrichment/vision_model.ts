import type { LanguageModel } from 'ai';
import type { BaseLogger } from 'pino';
import type { AtelierError } from '../../core/errors/atelier_error.ts';
import { objectInText } from '../../core/json/object_in_text.ts';
import {
  Declined,
  hasCostNothing,
  type ProviderWording,
  providerFailure,
  reasonOf,
  UnexpectedFormat,
} from '../../core/providers/provider_failure.ts';
import {
  askProvider,
  type ImageContext,
  INSTRUCTIONS,
  messageAbout,
  PROMPT_VERSION,
  type ProviderAnswer,
} from './ask_provider.ts';
import { cleanObservations, SENTENCE_END } from './observations/clean.ts';
import { fitObservations, type Observations } from './observations/observation_fields.ts';
import type { Usage } from './types.ts';
import type { Spender, VisionBudget } from './vision_budget/vision_budget.ts';

const VISION: ProviderWording = {
  name: 'The vision model',
  request: 'describe this image',
  instead: 'You were not charged. Look at the image yourself and send enrich_metadata with `observations`.',
};

/** A shared run of this many words is not a coincidence. */
const RUN = 8;
/** More identical texts in one response suggest prompt injection. */
const SAME_TEXTS_MAX = 2;

/**
 * Guards against prompt injection: text in an image may contain instructions that a model follows. Removes
 * sentences that repeat text of the image without quoting it. Undefined for a response that repeats the
 * instructions, repeats itself, or has no subject left.
 */
export function ownObservations(seen: Observations): Observations | undefined {
  const { visible_text: read = [], named: _, ...said } = seen;
  const texts = Object.values(said).flatMap((value) => (typeof value === 'number' ? [] : value));
  if (texts.some((text) => runsOf(text).some((run) => RULES.has(run))) || saysTheSame(said)) return undefined;
  const foreign = new Set(runsOf(read.join(' ')));
  const isOwn = (sentence: string) => !runsOf(sentence.replace(QUOTED, ' ')).some((run) => foreign.has(run));
  const own = Object.fromEntries(
    Object.entries(seen).map(([name, value]) => [
      name,
      name === 'visible_text' || name === 'named'
        ? value
        : ownPart(value as string | number | string[], isOwn),
    ]),
  ) as Observations;
  // A response must still have a subject after cleaning.
  const { observations } = cleanObservations(own, { language: 'en', known: [] });
  return observations.subject ? own : undefined;
}

function ownPart<Value extends string | number | string[]>(
  value: Value,
  isOwn: (sentence: string) => boolean,
): Value {
  if (typeof value === 'string') return value.split(SENTENCE_END).filter(isOwn).join(' ') as Value;
  return Array.isArray(value) ? (value.filter(isOwn) as Value) : value;
}

const QUOTED = /“[^”]*”|"[^"]*"|«[^»]*»|‘[^’]*’|„[^“]*“|「[^」]*」/gu;

function saysTheSame(said: Partial<Observations>): boolean {
  const texts = Object.values(said).flatMap((value) =>
    typeof value === 'string' && value.trim() ? [value.trim()] : [],
  );
  return texts.length - new Set(texts).size >= SAME_TEXTS_MAX;
}

/** All runs of this many words, in lower case and without punctuation. */
function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((_, at) => (at + RUN <= words.length ? [words.slice(at, at + RUN).join(' ')] : []));
}

const RULES = new Set(runsOf(INSTRUCTIONS));

/** A vision model. */
export interface VisionModel {
  readonly name: string;
  /** Version of the instructions. */
  readonly version: string;
  /**
   * Reads an image.
   * @throws AtelierError model_unavailable, upstream_failed, timed_out, whose messages never quote the
   * request; vision_budget_spent
   */
  read(request: ReadRequest, signal: AbortSignal): Promise<Reading>;
  /** Why a request of this client would be refused now; undefined if it would not. */
  refusal(by: Spender): Promise<AtelierError | undefined>;
}

export interface ReadRequest extends ImageContext {
  readonly jpeg: Uint8Array;
  /** Whose share of the daily budget is used. */
  readonly by: Spender;
}

export interface Reading {
  readonly observations: Observations;
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
/** Margin by which a reservation outlives its request. */
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
        const observations = await readPicture(settings, request, AbortSignal.any([signal, deadline]), spent);
        logger.info(tell(), 'vision model request completed');
        return { observations, usage: usageOf(settings, spent) };
      } catch (error) {
        logger.warn({ ...tell(), reason: reasonOf(error) }, 'vision model request failed');
        throw providerFailure(error, VISION, { isLate: deadline.aborted, isLeft: signal.aborted });
      }
    },
  };
}

interface Spent {
  input: number;
  output: number;
  /** Requests whose usage is unknown. */
  untold: number;
}

/**
 * The first response that matches the schema, repaired if necessary.
 * @throws the last failure
 */
async function readPicture(
  settings: VisionSettings,
  { jpeg, by, ...context }: ReadRequest,
  signal: AbortSignal,
  spent: Spent,
): Promise<Observations> {
  const { model, outputTokensMax } = settings;
  const message = messageAbout(context);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const text = attempt > 1 ? `${message}${AGAIN}` : message;
    const asked = () => askProvider(model, { text, jpeg, outputTokensMax, signal });
    const answer = await withinBudget(settings, by, spent, asked);
    if (answer.isDeclined) throw new Declined();
    const seen = fitObservations(objectInText(answer.text));
    const own = seen && ownObservations(seen);
    if (own) return own;
  }
  throw new UnexpectedFormat();
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
