import { AtelierError } from '../../../errors/atelier_error.ts';
import { STORE_RETRY_AFTER_SECONDS } from '../limits.ts';
import { parseXml, textOf } from './parse_xml.ts';
import type { S3Request } from './s3_request.ts';

/** What stores say where nothing more fits, beside 507. */
const FULL = /^(QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|InsufficientStorage)$/;
/** Statuses that pass. */
const PASSING = [408, 429, 500, 502, 503, 504];
/** So does this one, of two writes of one name at once. */
const PASSING_CODE = /^(OperationAborted|ConditionalRequestConflict)$/;

/** Why a store did not do what it was asked to; for the operator, not for callers. */
export class S3Failure extends Error {
  /** Absent where it did not answer. */
  readonly status: number | undefined;
  /** As it names the reason: NoSuchBucket, say. */
  readonly code: string;

  constructor(
    request: S3Request,
    { status, body, cause }: { status?: number; body?: string; cause?: unknown },
  ) {
    const told = body === undefined ? undefined : parseXml(body);
    const code = textOf(told, 'Code') ?? '';
    const why = textOf(told, 'Message') ?? '';
    const what =
      status === undefined
        ? `did not answer: ${wordsOf(cause)}`
        : `answered ${[status, code].join(' ').trim()}${why && `: ${why.slice(0, 200)}`}`;
    super(`${request.method} ${request.key ?? 'of the bucket'}: the store ${what}`, { cause });
    this.name = 'S3Failure';
    this.status = status;
    this.code = code;
  }

  get isPassing(): boolean {
    return this.status === undefined || PASSING.includes(this.status) || PASSING_CODE.test(this.code);
  }

  /** What callers are told. */
  get toldAs(): AtelierError {
    return this.status === 507 || FULL.test(this.code) ? storeFull(this) : storageUnavailable(this);
  }
}

export const storageUnavailable = (cause: unknown): AtelierError =>
  new AtelierError('storage_unavailable', undefined, {
    cause,
    retryAfterSeconds: STORE_RETRY_AFTER_SECONDS,
  });

const storeFull = (cause: unknown): AtelierError =>
  new AtelierError(
    'storage_full',
    'The storage of this server is full, so nothing was kept. Try again later.',
    { cause, retryAfterSeconds: 300 },
  );

/** fetch says "fetch failed" and has the reason as its cause. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? error.cause : error;
  return inner.message || (inner as NodeJS.ErrnoException).code || inner.name;
}
