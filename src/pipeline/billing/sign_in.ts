import type { Proof } from '../../core/principal.ts';
import { limitProofs } from '../authenticate.ts';
import type { PipelineContext, ReceivedCall } from '../types.ts';
import { resourceOf, withPaymentRequirements } from './payment_required.ts';
import { expectedPrice } from './price.ts';

/**
 * The wallet that signed the challenge of a 402 for this call. Undefined if none did, sign-ins are off, or
 * the request itself is signed.
 * @throws AtelierError sign_in_refused, with a fresh challenge and every payment method; rate_limited
 */
export async function readSignIn(
  context: PipelineContext,
  { tool, raw, client }: ReceivedCall,
): Promise<Proof | undefined> {
  const { signIns, services } = context;
  const { signIn, signed } = client;
  if (!signIns || signIn === undefined || signed) return undefined;
  const target = { tool: tool.name, resource: resourceOf(services, tool) };
  try {
    return await limitProofs(context, client, () => signIns.proofOf(signIn, target));
  } catch (error) {
    throw withPaymentRequirements(context, tool, expectedPrice(tool, raw), error);
  }
}
