/** Addresses that want to be told about events, and what they are told. See docs/concepts/webhooks.md. */
export interface Webhooks {
  /**
   * Keeps an endpoint. The same URL from the same caller keeps its id, is active again, takes the new events and gets a new secret; the
   * one before signs as well for a day.
   * @throws AtelierError invalid_input for an address that may not be told, or where there are as many endpoints as allowed
   */
  register(endpoint: NewEndpoint): Promise<Endpoint & { readonly secret: string }>;
  /** Endpoints this caller may see, the oldest first. */
  list(by: Asker): Promise<Endpoint[]>;
  /** @throws AtelierError webhook_not_found, the same for one of somebody else as for none */
  find(id: string, by: Asker): Promise<Endpoint>;
  /** A new secret; the one before signs as well for a day. */
  rotateSecret(id: string): Promise<{ readonly secret: string; readonly earlierUntil: Date }>;
  /**
   * Sends to it again after it was disabled.
   * @param isProved whoever asks has proved to own the wallet
   * @throws AtelierError wallet_locked where its wallet was locked, and neither it nor this call is proved
   */
  enable(id: string, isProved: boolean): Promise<void>;
  /** Sends a `webhook.test` to this endpoint alone, also to one that is disabled; answers the id of the notice. */
  test(id: string): Promise<string>;
  /** Newest first. */
  deliveries(id: string, page: DeliveryPage): Promise<Delivery[]>;
  /** Sends the notice of a delivery once more, as a delivery of its own. @throws AtelierError webhook_not_found */
  replay(id: string, deliveryId: string): Promise<Delivery>;
  /** Forgets an endpoint and its deliveries. False where there is none of that id. */
  end(id: string): Promise<boolean>;
  /** Writes down what happened in a wallet and stands in no table of its own; failures are reported, never thrown. */
  tell(happening: Happening): Promise<void>;
  /** What waits to be delivered, of all servers. */
  backlog(): Promise<Backlog>;
  /** From now on this server delivers. */
  work(): void;
  /** Forgets what keys that have ended had registered, what was disabled long ago, and old deliveries; returns how many. */
  sweep(now: Date): Promise<number>;
  /** Stops delivering; what was under way is left to others or to the next start. */
  close(): Promise<void>;
}

export interface Backlog {
  /** Deliveries that have not arrived and were not given up. */
  readonly pending: number;
  /** For how long the first of them has been due; 0 where none is. */
  readonly overdueSeconds: number;
  /** Endpoints: those that get what they asked for, those nothing arrives at, and those that get nothing any more. */
  readonly active: number;
  readonly failing: number;
  readonly disabled: number;
}

export interface NewEndpoint {
  /** The registered wallet, else the address, that registers it. */
  readonly caller: string;
  /** A wallet that was named and is not registered yet. */
  readonly awaited?: string | undefined;
  /** Proved by a session, a key or a signed request. */
  readonly isProved?: boolean;
  /** The key it was registered with, and ends with. */
  readonly keyId?: string | undefined;
  readonly url: string;
  /** Event names and patterns it asks for. */
  readonly events: readonly string[];
  /** Names that mean nothing here, kept as they came. */
  readonly unknownEvents: readonly string[];
}

export interface Endpoint {
  /** `whe_` and 24 hex digits. */
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly unknownEvents: readonly string[];
  readonly state: 'active' | 'disabled';
  /** In words, for its owner. */
  readonly disabledBecause: string | null;
  readonly disabledAt: Date | null;
  /** Since when nothing has arrived; null while everything does. */
  readonly failingSince: Date | null;
  /** The last time something arrived, to the minute. */
  readonly deliveredAt: Date | null;
  /** Deliveries that were not made because too many were waiting. */
  readonly dropped: number;
  readonly droppedAt: Date | null;
  readonly createdAt: Date;
}

/** Who wants to see an endpoint: its wallet, of keys the one that registered it, or whoever has its secret. */
export interface Asker {
  readonly wallet?: string | undefined;
  readonly keyId?: string | undefined;
  /** What came as bearer. */
  readonly secret?: string | undefined;
}

export interface DeliveryPage {
  readonly limit: number;
  /** Older than this position. */
  readonly before?: number | undefined;
}

/** One notice for one endpoint. */
export interface Delivery {
  /** `dlv_` and 32 hex digits. */
  readonly id: string;
  readonly position: number;
  /** `webhook-id` of the notice. */
  readonly eventId: string;
  readonly type: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: readonly LoggedAttempt[];
  readonly createdAt: Date;
  /** When it is tried next; null once it has ended. */
  readonly dueAt: Date | null;
  readonly endedAt: Date | null;
}

export interface LoggedAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Why no answer came, in words; null where one did. */
  readonly error: string | null;
  /** Milliseconds until the answer; null where none came. */
  readonly ms: number | null;
}

export interface Happening {
  /** Lower case. */
  readonly wallet: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
