import type { SignedRequest } from '../../features/wallets/ownership/types.ts';

/** The sender of a request to this endpoint, as determined by http/. */
export interface Peer {
  /** Network address, after trusted proxies. */
  readonly address: string;
  readonly requestId: string;
  /** The request, if it claims to be signed by a wallet. */
  readonly signed?: SignedRequest;
  /** @throws AtelierError payload_too_large, body_too_slow, busy */
  readBody(): Promise<Buffer>;
  /** Counts the messages of one request beyond the first. @throws AtelierError rate_limited */
  countMore(messages: number): Promise<void>;
}

/** One HTTP request to the endpoint, as the message handlers need it. */
export interface Exchange {
  readonly peer: Peer;
  readonly url: URL;
  readonly headers: Headers;
  /** Without this the response is one JSON body, so nothing can be sent before it. */
  readonly acceptsEvents: boolean;
}

export interface ServerOptions {
  readonly version: string;
  readonly publicUrl: string;
  /** Receives server errors, which the client sees only as internal_error. */
  report?(error: unknown, context: { requestId: string; path: string }): void;
}
