import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Reading } from '../../../core/telemetry/types.ts';
import type { OperationCall } from '../../definitions/operation.ts';

/**
 * Lets through whom the door of the metrics is open for, and operators who may look.
 * @throws AtelierError operator_only; operator_denied, rate_limited and upstream_failed for a token of an operator that does not help
 */
export async function requireReader(mayRead: Reading['mayRead'], call: OperationCall): Promise<void> {
  if (!mayRead(call) && !(await call.isOperator('read'))) throw new AtelierError('operator_only');
}

/** Statuses of what it throws. */
export const READER_FAILURES = [403, 429, 502] as const;
