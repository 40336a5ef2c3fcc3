import { CREDIT_CENTS } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { highestPrice, priceOf } from '../../features/definitions/price.ts';
import type { AnyTool, Limit } from '../../features/definitions/tool.ts';
import { reduced } from '../../features/operator/prices/prices.ts';
import { limitRate } from '../rate_limit.ts';
import { validateInput } from '../receive.ts';
import type { Client, PipelineContext, X402Call } from '../types.ts';

/** What one call costs, in credits. */
export interface CallPrice {
  readonly price: number;
  /** Listed price: the maximum. */
  readonly listed: number;
  /** Price without price rules. */
  readonly full?: number;
  /** A sentence, where the expected result was inspected. */
  readonly why?: string;
}

/** The payer for whom a price is quoted. */
export interface Payer {
  readonly wallet?: string | undefined;
  /** A payment of exactly a price that was quoted earlier. */
  readonly x402?: X402Call | undefined;
  /** Maximum age of the quote; default: some minutes. */
  readonly quotedMs?: number;
}

/** Price of this call, before anything is held. @throws AtelierError as the run would */
export async function quotePrice(
  { services }: PipelineContext,
  tool: AnyTool,
  input: Record<string, unknown>,
  { wallet, x402, quotedMs }: Payer,
): Promise<CallPrice> {
  const listed = priceOf(tool.listPrice ?? tool.price, input);
  const found = await tool.charge?.(input, services);
  const full = found ? Math.min(listed, found.credits) : listed;
  if (full === 0) return { listed, price: 0, ...(found && { why: found.why }) };
  const reductions = await services.prices.reductions(tool.name, { wallet, quotedMs });
  const paid = x402 && creditsOf(x402);
  const held = reductions.find((one) => reduced(full, one.percent) === paid);
  const { percent, rule } = held ?? reductions[0]!;
  const price = reduced(full, percent);
  const why = [...(found ? [found.why] : []), ...(price < full ? [ruleText(rule!, percent)] : [])];
  return {
    listed: reduced(listed, percent),
    price,
    full,
    ...(why.length > 0 && { why: why.join(' ') }),
  };
}

/** Applies the price rules to the price of a call whose input is not known yet. */
export async function reducePrice(
  { services }: PipelineContext,
  { name }: AnyTool,
  credits: number,
  { wallet, quotedMs }: Payer,
): Promise<number> {
  if (credits === 0) return 0;
  const [{ percent }] = await services.prices.reductions(name, { wallet, quotedMs });
  return reduced(credits, percent);
}

const ruleText = (rule: string, percent: number): string =>
  `Price rule "${rule}": ${percent} % of the list price.`;

/** Price that an x402 payment covers, in credits. */
const creditsOf = ({ payment: { authorization, token } }: X402Call): number =>
  (Number(authorization.value) * 100) / 10 ** token.decimals / CREDIT_CENTS;

/** Expected charge of a valid call; the maximum where it is not known yet. */
export function expectedPrice({ price, input }: AnyTool, raw: unknown): number {
  if (price.kind !== 'by') return highestPrice(price);
  const sent = (raw as Record<string, unknown> | null)?.[price.field];
  const field = input.shape[price.field]?.safeParse(sent);
  return price.credits[String(field?.data)] ?? highestPrice(price);
}

/** Exact prices cost a database query before any payment; beyond this limit the listed price is quoted. */
const COUNTED: Limit = {
  name: 'unpaid-quotes',
  calls: 60,
  perSeconds: 60,
  by: 'address',
  failuresCount: true,
};

/**
 * Credits that a 402 requests if no payment was sent. An x402 payment must match the price exactly, so where
 * x402 is accepted a discounted call states its exact price; a call that costs nothing states the listed
 * price.
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
    const countCharge = async () => ({ ...(await quotePrice(context, tool, input, {})), headers: {} });
    const { price } = await limitRate(context, [COUNTED], { client, principal: {} }, countCharge);
    return price || likely;
  } catch (error) {
    if (error instanceof AtelierError) return likely;
    throw error;
  }
}
