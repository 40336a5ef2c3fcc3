import { type AnyTool, type Limit, limitsOf } from '../tools/tool.ts';
import type { CallKit } from '../pipeline/types.ts';
import { generalLimit, policyOf } from '../pipeline/rate_limit.ts';
import { requireFewRefusals } from '../pipeline/observe.ts';
import { requireCpuEarly } from '../pipeline/admission.ts';

/** What a caller is counted or paid by instead of its address. */
const CREDENTIALS = [
  'authorization',
  'signature-input',
  'payment-signature',
  'x-payment',
  'x-payment-intent',
];

/**
 * Whether a request is worth reading its body: not of an address that was refused too often or has no CPU time left, nor, where
 * nothing but the address can count it, beyond a limit. Counts nothing. @throws AtelierError rate_limited
 */
export async function lookEarly(
  kit: CallKit,
  request: Request,
  address: string,
  { limits, isCountedInCpu = true }: { limits: readonly Limit[]; isCountedInCpu?: boolean },
): Promise<void> {
  await requireFewRefusals(kit, address);
  const bringsCredentials = hasCredentials(request);
  if (isCountedInCpu) requireCpuEarly(kit, { bringsCredentials });
  if (bringsCredentials) return;
  for (const limit of limits) {
    await kit.limiter.look(policyOf(kit, limit), limit.by === 'everybody' ? 'everybody' : `ip:${address}`);
  }
}

/** Whether a request may be counted or paid by something else than its address. */
export const hasCredentials = ({ headers }: Request): boolean =>
  CREDENTIALS.some((name) => headers.has(name));

/** The limits that will count a call. */
export const limitsToLookAt = (kit: CallKit, tool: AnyTool | undefined): readonly Limit[] =>
  tool ? [generalLimit(kit, tool), ...limitsOf(tool.limit)] : [];
