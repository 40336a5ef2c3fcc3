import type { Body, Reply } from './transport.ts';

/** An error response of the service: `message` for people, `code` for programs. */
export class AtelierProblem extends Error {
  override readonly name = 'AtelierProblem';
  readonly code: string;
  readonly status: number;
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** The corrected input, if the service suggests one. */
  readonly try: Body | undefined;
  /** The problem object (RFC 9457): `errors` by field, `fix`, `next_steps`. */
  readonly body: Body;

  constructor({ status, body }: Reply) {
    super(String(body.detail ?? body.error ?? `The service answered ${status}.`));
    this.status = status;
    this.code = String(body.code ?? 'unknown');
    this.isRetryable = body.retryable === true;
    this.retryAfterSeconds = typeof body.retry_after_s === 'number' ? body.retry_after_s : undefined;
    this.try = body.try as Body | undefined;
    this.body = body;
  }
}
