import { priceOf } from '../../tools/price.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';

/** What one call costs, in credits. */
export interface CallPrice {
  readonly price: number;
  /** By the table of prices; never less. */
  readonly listed: number;
  /** A sentence, where what the call will find has been looked at. */
  readonly why?: string;
}

/** What this call costs, known before anything is held. @throws AtelierError as the run would */
export async function chargeOf(
  { services }: CallKit,
  tool: AnyTool,
  input: Record<string, unknown>,
): Promise<CallPrice> {
  const listed = priceOf(tool.price, input);
  const found = await tool.charge?.(input, services);
  return found
    ? { listed, price: Math.min(listed, found.credits), why: found.why }
    : { listed, price: listed };
}
