/** Reads files from addresses that strangers name, and nothing but the public internet. */
export interface FetchOptions {
  /** Input field the address came in, for error messages. */
  readonly field: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly redirectsMax: number;
  readonly signal: AbortSignal;
}

export interface Fetched {
  readonly bytes: Uint8Array;
  /** As the other server claims; empty when it says nothing. */
  readonly contentType: string;
  /** After redirects. */
  readonly finalUrl: string;
}
