import type { SignedRequest } from '../../features/wallets/ownership/types.ts';

/** Who sent a request to this endpoint, as http/ found it. */
export interface Peer {
  /** Network address, after trusted proxies. */
  readonly address: string;
  readonly requestId: string;
  /** Where the request claims to be signed by a wallet. */
  readonly signed?: SignedRequest;
  /** @throws AtelierError payload_too_large, body_too_slow, busy */
  readBody(): Promise<Buffer>;
  /** Counts messages that came in one request beside its first. @throws AtelierError rate_limited */
  countMore(messages: number): Promise<void>;
}

/** One HTTP request to the endpoint, as the message handlers need it. */
export interface Exchange {
  readonly peer: Peer;
  readonly url: URL;
  readonly headers: Headers;
  /** Without this the answer is one JSON body, so nothing can be said before it. */
  readonly acceptsEvents: boolean;
}

export interface ServerOptions {
  readonly version: string;
  readonly publicUrl: string;
  /** Told about failures that are ours, which the caller hears of only as internal_error. */
  report?(error: unknown, context: { requestId: string; path: string }): void;
}
