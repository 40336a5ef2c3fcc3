import type { AnyTool } from '../../tools/tool.ts';
import { type CallPrice, chargeOf } from '../billing/charge_of.ts';
import type { Caller, Principal } from '../caller.ts';
import type { CallKit } from '../kit.ts';
import type { StepPrice } from './contract.ts';
import { priceSteps } from './price_steps.ts';

interface Priced {
  readonly tool: AnyTool;
  readonly input: Record<string, unknown>;
  readonly caller: Caller;
  readonly principal: Principal;
  /** It asks for the price only. */
  readonly isDryRun: boolean;
}

/** What a call costs and, where it is made of several, what each of them does. @throws AtelierError as the run would */
export async function priceCall(
  kit: CallKit,
  { tool, input, ...asking }: Priced,
): Promise<CallPrice & { readonly steps?: readonly StepPrice[] }> {
  if (!tool.steps) return chargeOf(kit, tool, input);
  const steps = await priceSteps(kit, tool, input, asking);
  const price = steps.reduce((sum, { credits }) => sum + credits, 0);
  return { listed: price, price, steps };
}
