/** Reads files from addresses that strangers name, and nothing but the public internet. */
export interface FetchOptions {
  /** Input field the address came in, for error messages. */
  readonly field: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly redirectsMax: number;
  readonly signal: AbortSignal;
  /** Beside the usual ones, on every hop: with a secret among them, `redirectsMax` has to be 0. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent with POST. Absent: GET. */
  readonly body?: string | Uint8Array | undefined;
}

export interface Fetched {
  readonly bytes: Uint8Array;
  /** As the other server claims; empty when it says nothing. */
  readonly contentType: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** Entity tag; empty when it says none. */
  readonly etag: string;
  /** 304 to an `if-none-match` that was sent: there are no bytes, and what was had before still holds. */
  readonly isUnchanged: boolean;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
