import type { AtelierError } from '../errors/atelier_error.ts';
import { REFUSALS_PER_MINUTE } from '../limits.ts';
import type { Refusal } from '../services/audit/contract.ts';
import type { Policy } from '../services/limiter/contract.ts';
import { auditBound } from './audit_refusals.ts';
import type { CallKit } from './kit.ts';

const policyOf = ({ rates }: CallKit): Policy => ({
  name: 'refusals',
  calls: rates.refusals ?? REFUSALS_PER_MINUTE,
  perSeconds: 60,
});

/** Counts nothing. @throws AtelierError rate_limited where this address was refused too often in the last minute */
export const requireFewRefusals = (kit: CallKit, address: string): Promise<void> =>
  kit.limiter.look(policyOf(kit), `ip:${address}`);

/** Counts what was wrong with a request, for the metrics and against its address, and leaves a line where a bound has refused it. */
export async function recordMistake(
  kit: CallKit,
  error: AtelierError,
  at: Pick<Refusal, 'about' | 'requestId' | 'address'>,
): Promise<void> {
  const { code, status, details } = error;
  auditBound(kit.audit, error, at);
  if (!details.isRehearsed) kit.telemetry.count('atelier_refusals_total', { code });
  if (details.isRehearsed || status < 400 || status >= 500 || status === 429) return;
  // Being over the limit is no further mistake.
  await kit.limiter.take(policyOf(kit), `ip:${at.address}`).catch(() => {});
}
