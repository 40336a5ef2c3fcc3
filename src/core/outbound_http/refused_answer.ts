/** A server has answered, and not with what was asked for. */
export class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer';
  readonly status: number;
  /** As it asks, in milliseconds; undefined where it says nothing. */
  readonly pauseMs: number | undefined;

  constructor(status: number, pauseMs: number | undefined) {
    super(`status ${status}`);
    this.status = status;
    this.pauseMs = pauseMs;
  }
}
