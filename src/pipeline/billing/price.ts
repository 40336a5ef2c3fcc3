import { AtelierError } from '../../core/errors/atelier_error.ts';
import { highestPrice, priceOf } from '../../features/definitions/price.ts';
import type { AnyTool, Limit } from '../../features/definitions/tool.ts';
import { limitRate } from '../rate_limit.ts';
import type { Client, PipelineContext } from '../types.ts';
import { validateInput } from '../validate_input.ts';

/** What one call costs, in credits. */
export interface CallPrice {
  readonly price: number;
  /** Listed price: the maximum. */
  readonly listed: number;
  /** A sentence, where the expected result was inspected. */
  readonly why?: string;
}

/** What this call costs, known before anything is held. @throws AtelierError as the run would */
export async function quotePrice(
  { services }: PipelineContext,
  tool: AnyTool,
  input: Record<string, unknown>,
): Promise<CallPrice> {
  const listed = priceOf(tool.price, input);
  const found = await tool.charge?.(input, services);
  return found
    ? { listed, price: Math.min(listed, found.credits), why: found.why }
    : { listed, price: listed };
}

/** Expected charge of a valid call; the maximum where it is not known yet. */
export function expectedPrice({ price, input }: AnyTool, raw: unknown): number {
  if (price.kind !== 'by') return highestPrice(price);
  const sent = (raw as Record<string, unknown> | null)?.[price.field];
  const field = input.shape[price.field]?.safeParse(sent);
  return price.credits[String(field?.data)] ?? highestPrice(price);
}

/** Exact prices cost a database query before any payment; beyond this limit the listed price is named. */
const COUNTED: Limit = {
  name: 'unpaid-quotes',
  calls: 60,
  perSeconds: 60,
  by: 'address',
  failuresCount: true,
};

/**
 * Credits a 402 asks for where no payment was sent. An x402 payment is for neither more nor less, so where it is taken a call that
 * costs less than its price says how much; a call that costs nothing names the price.
 */
export async function requestedPrice(
  context: PipelineContext,
  tool: AnyTool,
  raw: unknown,
  client: Client,
): Promise<number> {
  const likely = expectedPrice(tool, raw);
  if (!context.x402 || !tool.charge) return likely;
  try {
    const { input } = validateInput(tool.input, raw);
    const countCharge = async () => ({ ...(await quotePrice(context, tool, input)), headers: {} });
    const { price } = await limitRate(context, [COUNTED], { client, principal: {} }, countCharge);
    return price || likely;
  } catch (error) {
    if (error instanceof AtelierError) return likely;
    throw error;
  }
}
