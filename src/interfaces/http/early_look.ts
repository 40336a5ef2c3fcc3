import { type AnyTool, type Limit, limitsOf } from '../../features/definitions/tool.ts';
import { precheckCpu } from '../../pipeline/admission.ts';
import { requireFewClientErrors } from '../../pipeline/observe.ts';
import { generalLimit, policyOf } from '../../pipeline/rate_limit.ts';
import type { PipelineContext } from '../../pipeline/types.ts';

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
  kit: PipelineContext,
  request: Request,
  address: string,
  { limits, isCountedInCpu = true }: { limits: readonly Limit[]; isCountedInCpu?: boolean },
): Promise<void> {
  await requireFewClientErrors(kit, address);
  const bringsCredentials = hasCredentials(request);
  if (isCountedInCpu) precheckCpu(kit, { bringsCredentials });
  if (bringsCredentials) return;
  for (const limit of limits) {
    await kit.limiter.look(policyOf(kit, limit), limit.by === 'everybody' ? 'everybody' : `ip:${address}`);
  }
}

/** Whether a request may be counted or paid by something else than its address. */
export const hasCredentials = ({ headers }: Request): boolean =>
  CREDENTIALS.some((name) => headers.has(name));

/** The limits that will count a call. */
export const limitsToLookAt = (kit: PipelineContext, tool: AnyTool | undefined): readonly Limit[] =>
  tool ? [generalLimit(kit, tool), ...limitsOf(tool.limit)] : [];
