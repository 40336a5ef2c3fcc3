import { ERRORS, type Failure } from './codes.ts';

export { ERRORS };
export type ErrorCode = keyof typeof ERRORS;

/** A field to correct. `field` is a dotted path into the request body. */
export interface FieldProblem {
  field: string;
  code: string;
  message: string;
  expected?: string;
  got?: unknown;
}

export interface ErrorDetails {
  errors?: FieldProblem[];
  /** The corrected request body, where one exists. */
  try?: Record<string, unknown>;
  /** Further members of the problem object, such as `did_you_mean` or the credits of a 402. */
  members?: Record<string, unknown>;
  retryAfterSeconds?: number;
  /** The client got the same error shortly before, and the audit log contains the first. Never part of the response. */
  isRepeat?: boolean;
  /** Set for test requests of client developers: the refusal is simulated and not logged. Never part of the response. */
  isRehearsed?: boolean;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that is reported to the client, with text written for the client. Any other error becomes `internal_error`. */
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

/** Errors that the operator must see, with their cause. */
export const isForOperator = (code: ErrorCode): boolean =>
  code === 'internal_error' || code === 'database_damaged';

/** True if sending the same call again later can succeed. */
export function isRetryable(code: ErrorCode): boolean {
  const { status, isPermanent }: Failure = ERRORS[code];
  if (isPermanent) return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A single invalid field, the most common error. */
export function invalidField(field: string, message: string, more: Partial<FieldProblem> = {}): AtelierError {
  return new AtelierError('invalid_input', message, {
    errors: [{ field, code: 'invalid', message, ...more }],
  });
}
