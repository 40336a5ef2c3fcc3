import type { Facts } from '@atelier/imaging/analysis/write/facts.ts';
import type { Given } from '@atelier/imaging/analysis/write/given.ts';
import type { LanguageModel } from 'ai';
import type { BaseLogger } from 'pino';
import type { AtelierError } from '../../core/errors/atelier_error.ts';
import { askProvider, type ProviderAnswer } from './ask_provider.ts';
import { mendWords } from './mend_words.ts';
import { ownWords } from './own_words.ts';
import { messageAbout, PROMPT_VERSION } from './prompt.ts';
import { Declined, hasCostNothing, OutOfForm, providerFailure, reasonOf } from './provider_failure.ts';
import type { Usage } from './types.ts';
import type { Spender, VisionBudget } from './vision_budget/types.ts';
import type { Words } from './words_schema.ts';

/** A model that looks at pictures. */
export interface VisionModel {
  readonly name: string;
  /** The version of the instructions the model works by. */
  readonly version: string;
  /**
   * @throws AtelierError model_unavailable, upstream_failed, timed_out: nothing of the request is in their words;
   * vision_budget_spent
   */
  read(request: ReadRequest, signal: AbortSignal): Promise<Reading>;
  /** Why it would not be asked for this caller just now; undefined where it would. */
  refusal(by: Spender): Promise<AtelierError | undefined>;
}

export interface ReadRequest {
  readonly jpeg: Uint8Array;
  readonly given: Given;
  readonly facts: Facts;
  readonly tier: 'standard' | 'premium';
  /** Whose share of the day's budget it is. */
  readonly by: Spender;
}

export interface Reading {
  readonly words: Words;
  readonly usage: Usage;
}

export interface VisionSettings {
  readonly model: LanguageModel;
  /** As it is named in answers. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly outputTokensMax: number;
  /** US dollars for a million tokens. */
  readonly inputPrice?: number | undefined;
  readonly outputPrice?: number | undefined;
  /** Absent: without bound. */
  readonly budget?: VisionBudget | undefined;
  readonly logger: Pick<BaseLogger, 'info' | 'warn'>;
}

/** Answers out of form are asked for once more. */
const ATTEMPTS = 2;
/** Instructions, form, the longest brief and a picture of 1024 pixels: set aside before a request is counted as it was. */
const INPUT_TOKENS_MAX = 8000;
/** What is set aside outlives its request by this. */
const SETTLING_MS = 15_000;

/** Asks a model through the provider library. Neither key, prompt nor picture is ever written to the log. */
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
  /** Requests of which it is not known what they used. */
  untold: number;
}

/** The words of the first answer that fits, mended if need be. @throws the last failure */
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
 * Counts what a request used. One that ended without telling may have been worked on all the same, and counts with all that was
 * set aside for it: else whoever hangs up in time would ask for nothing.
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

/** What one request may use, as far as that can be known before. */
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
