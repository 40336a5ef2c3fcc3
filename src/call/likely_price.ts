import { highestPrice } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';

/** Credits this call will cost if its input is right; the most it can cost where that cannot be seen yet. */
export function likelyPrice({ price, input }: AnyTool, raw: unknown): number {
  if (price.kind !== 'by') return highestPrice(price);
  const sent = (raw as Record<string, unknown> | null)?.[price.field];
  const field = input.shape[price.field]?.safeParse(sent);
  return price.credits[String(field?.data)] ?? highestPrice(price);
}
