/** A museum that does not give what it was asked for, for now. */
export class MuseumAway extends Error {
  override readonly name = 'MuseumAway';
  /** What it does, after its name: "did not answer in time". Nothing of the way there. */
  readonly what: string;
  readonly retryAfterSeconds: number;

  constructor(
    what: string,
    { retryAfterMs = 60_000, cause }: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(what, { cause });
    this.what = what;
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  }
}
