import { ERRORS, type Failure } from './codes.ts';

export { ERRORS };
export type ErrorCode = keyof typeof ERRORS;

/** One field that needs correcting. `field` is a dotted path into the request body. */
export interface FieldProblem {
  field: string;
  code: string;
  message: string;
  expected?: string;
  got?: unknown;
}

export interface ErrorDetails {
  errors?: FieldProblem[];
  /** The corrected request body, when one can be given. */
  try?: Record<string, unknown>;
  /** Further members of the problem object, such as `did_you_mean` or the credits of a 402. */
  members?: Record<string, unknown>;
  retryAfterSeconds?: number;
  /** The same was told this caller a moment ago; the audit log has the first. Never part of an answer. */
  isRepeat?: boolean;
  /** Asked for by whoever tries a client: nothing was refused, and no log need tell of it. Never part of an answer. */
  isRehearsed?: boolean;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A failure the caller is told about, in words meant for the caller. Anything else becomes `internal_error`. */
export class AtelierError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, detail?: string, details: ErrorDetails = {}) {
    super(detail ?? `${ERRORS[code].title}. ${ERRORS[code].fix}`, { cause: details.cause });
    this.name = 'AtelierError';
    this.code = code;
    const { retryAfterSeconds }: Failure = ERRORS[code];
    this.details = { ...(retryAfterSeconds !== undefined && { retryAfterSeconds }), ...details };
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Failures the operator has to know of, with their cause. */
export const isForOperator = (code: ErrorCode): boolean =>
  code === 'internal_error' || code === 'database_damaged';

/** True where sending the same call again later can succeed. */
export function isRetryable(code: ErrorCode): boolean {
  const { status, isPermanent }: Failure = ERRORS[code];
  if (isPermanent) return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A single wrong field, the commonest failure of all. */
export function invalidField(field: string, message: string, more: Partial<FieldProblem> = {}): AtelierError {
  return new AtelierError('invalid_input', message, {
    errors: [{ field, code: 'invalid', message, ...more }],
  });
}
