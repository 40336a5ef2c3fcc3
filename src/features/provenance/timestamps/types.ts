import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';

/** Time stamps of the authorities of TSA_URL (RFC 3161). */
export interface TimeStamps {
  /** Certificates of TSA_TRUST, as DER; empty where none are configured. */
  readonly trust: readonly Uint8Array[];
  /** Whether TSA_URL names an authority. */
  readonly isConfigured: boolean;
  /**
   * Asks the authorities in turn for a stamp of the message, of which they see only the hash, and checks it. Takes at most
   * `TIME_STAMP_TOTAL_MS`. Never throws for what an authority does: the result says why there is no stamp.
   */
  stamp(message: Uint8Array, signal?: AbortSignal): Promise<StampedMessage>;
  /** Checks a token that was kept. */
  check(token: Uint8Array, message: Uint8Array): TimeStampResult;
}

export interface StampedMessage {
  readonly result: TimeStampResult;
  /** DER of the time-stamp token; absent where no authority gave one that is sound. */
  readonly token?: Uint8Array;
}
