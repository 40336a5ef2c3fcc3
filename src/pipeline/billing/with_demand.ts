import { AtelierError } from '../../errors/atelier_error.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';
import { unpaid } from './unpaid.ts';

/**
 * A 402 about a payment says what would be taken instead, like any other 402; every other failure stays as it is.
 * @param price of this call, in credits
 */
export function withDemand(kit: CallKit, tool: AnyTool, price: number, error: unknown): unknown {
  if (!(error instanceof AtelierError) || error.status !== 402) return error;
  const { code, message: detail, details } = error;
  return unpaid(kit, tool, { code, detail, price, details });
}
