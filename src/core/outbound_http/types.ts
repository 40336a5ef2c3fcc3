/** Fetches files from URLs of clients, on the public internet only. */
export interface FetchOptions {
  /** Input field of the URL, for error messages. */
  readonly field: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly redirectsMax: number;
  readonly signal: AbortSignal;
  /** Additional headers, sent on every hop: with a secret among them, `redirectsMax` must be 0. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent with POST. Default: GET. */
  readonly body?: string | Uint8Array | undefined;
}

export interface Fetched {
  readonly bytes: Uint8Array;
  /** As the other server declares; empty without one. */
  readonly contentType: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** Entity tag; empty without one. */
  readonly etag: string;
  /** 304 to an `if-none-match`: there are no bytes, and the cached ones are still valid. */
  readonly isUnchanged: boolean;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
