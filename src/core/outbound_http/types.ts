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
  /** Declared by the other server; empty if missing. */
  readonly contentType: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** Entity tag; empty if missing. */
  readonly etag: string;
  /** 304 in response to `if-none-match`: there is no body, and the cached bytes are still valid. */
  readonly isUnchanged: boolean;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
