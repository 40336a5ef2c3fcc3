/** A server responded with an unexpected status. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus';
  readonly status: number;
  /** Retry-After in milliseconds; undefined without one. */
  readonly pauseMs: number | undefined;

  constructor(status: number, pauseMs: number | undefined) {
    super(`status ${status}`);
    this.status = status;
    this.pauseMs = pauseMs;
  }
}
