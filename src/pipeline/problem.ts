import { AtelierError, ERRORS, isRetryable } from '../errors/atelier_error.ts';
import { diskFull, isDiskFull } from '../services/blobs/disk.ts';

interface ProblemContext {
  readonly requestId: string;
  /** Path that was called. */
  readonly instance: string;
  readonly publicUrl: string;
}

/**
 * The one shape of every failure: RFC 9457 members, then ours. Anything that is not an AtelierError becomes
 * `internal_error` without inner detail; the way in logs the original.
 */
export function problemOf(
  error: unknown,
  { requestId, instance, publicUrl }: ProblemContext,
): Record<string, unknown> {
  const { code, message, details } = asAtelierError(error);
  const { status, title, fix } = ERRORS[code];
  return {
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    detail: message,
    instance,
    code,
    error: message,
    request_id: requestId,
    retryable: isRetryable(code),
    fix,
    ...(details.retryAfterSeconds !== undefined && { retry_after_s: details.retryAfterSeconds }),
    ...(details.errors && { errors: details.errors }),
    ...(details.try && { try: details.try }),
    next_steps: [],
    ...details.members,
  };
}

/** data_corrupted, index_corrupted, undefined_file: an invalid page or index, or a missing file. PostgreSQL, appendix A */
const isDatabaseDamage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(XX001|XX002|58P01)$/.test(String(error.code));

export function asAtelierError(error: unknown): AtelierError {
  if (error instanceof AtelierError) return error;
  if (isDiskFull(error)) return diskFull(error);
  if (isDatabaseDamage(error)) return new AtelierError('database_damaged', undefined, { cause: error });
  return new AtelierError('internal_error', undefined, { cause: error });
}
