/** Addresses that want to be told about events. Kept; nothing is delivered yet. */
export interface Webhooks {
  /**
   * Keeps an endpoint. The same URL from the same caller keeps its id, takes the new events and gets a new secret.
   * @throws AtelierError invalid_input when the caller already has as many endpoints as allowed
   */
  register(endpoint: NewEndpoint): Promise<Endpoint>;
  /** Forgets an endpoint. False where there is none of that id. */
  end(id: string): Promise<boolean>;
  /** Forgets what keys that have ended had registered; returns how many. */
  sweep(now: Date): Promise<number>;
}

export interface NewEndpoint {
  /** The registered wallet, else the address, that registers it. */
  readonly caller: string;
  /** The key it was registered with, and ends with. */
  readonly keyId?: string | undefined;
  readonly url: string;
  /** Event names and patterns it asks for. */
  readonly events: readonly string[];
  /** Names that mean nothing here, kept as they came. */
  readonly unknownEvents: readonly string[];
}

export interface Endpoint extends NewEndpoint {
  /** `whe_` and 24 hex digits. */
  readonly id: string;
  /** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks 1.0.0 writes it. */
  readonly secret: string;
  readonly createdAt: Date;
}
