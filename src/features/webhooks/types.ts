/** Webhook endpoints and their deliveries. See docs/concepts/webhooks.md. */
export interface Webhooks {
  /**
   * Registers an endpoint. Registering the same URL again keeps its id, enables it, replaces its events and creates a new secret;
   * the previous secret also signs for a day.
   * @throws AtelierError invalid_input for a forbidden address, or at the maximum number of endpoints
   */
  register(endpoint: NewEndpoint): Promise<Endpoint & { readonly secret: string }>;
  /** Endpoints that the requester may see, oldest first. */
  list(by: Asker): Promise<Endpoint[]>;
  /** Reads an endpoint. @throws AtelierError webhook_not_found, also for an endpoint of another owner */
  find(id: string, by: Asker): Promise<Endpoint>;
  /** Creates a new secret; the previous one also signs for a day. */
  rotateSecret(id: string): Promise<{ readonly secret: string; readonly earlierUntil: Date }>;
  /**
   * Resumes deliveries to a disabled endpoint.
   * @param isProved the requester has proved to own the wallet
   * @throws AtelierError wallet_locked where its wallet is locked, and neither the endpoint nor this call is proved
   */
  enable(id: string, isProved: boolean): Promise<void>;
  /** Sends `webhook.test` to this endpoint only, even if it is disabled; returns the id of the event. */
  test(id: string): Promise<string>;
  /** Newest first. */
  deliveries(id: string, page: DeliveryPage): Promise<Delivery[]>;
  /** Sends the event of a delivery again, as a new delivery. @throws AtelierError webhook_not_found */
  replay(id: string, deliveryId: string): Promise<Delivery>;
  /** Deletes an endpoint and its deliveries. False where the id is unknown. */
  end(id: string): Promise<boolean>;
  /** Adds an event that no other table records. Reports failures and never throws. */
  tell(happening: DomainEvent): Promise<void>;
  /** Pending deliveries, of all servers. */
  backlog(): Promise<Backlog>;
  /** Starts delivering. */
  work(): void;
  /** Deletes endpoints of ended keys, endpoints disabled long ago, and old deliveries; returns their number. */
  sweep(now: Date): Promise<number>;
  /** Stops delivering; deliveries in flight are requeued. */
  close(): Promise<void>;
}

export interface Backlog {
  /** Deliveries neither delivered nor abandoned. */
  readonly pending: number;
  /** Age of the oldest due delivery; 0 where none is due. */
  readonly overdueSeconds: number;
  /** Endpoints: active, failing and disabled. */
  readonly active: number;
  readonly failing: number;
  readonly disabled: number;
}

export interface NewEndpoint {
  /** The registering wallet, else the network address. */
  readonly caller: string;
  /** A named wallet that is not registered yet. */
  readonly awaited?: string | undefined;
  /** Proved by a session, a key or a signed request. */
  readonly isProved?: boolean;
  /** The key that registered the endpoint; the endpoint ends with it. */
  readonly keyId?: string | undefined;
  readonly url: string;
  /** Subscribed event names and patterns. */
  readonly events: readonly string[];
  /** Unknown event names, stored as sent. */
  readonly unknownEvents: readonly string[];
}

export interface Endpoint {
  /** `whe_` and 24 hex digits. */
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly unknownEvents: readonly string[];
  readonly state: 'active' | 'disabled';
  /** Reason for its owner. */
  readonly disabledBecause: string | null;
  readonly disabledAt: Date | null;
  /** Start of the current series of failures; null where the last attempt succeeded. */
  readonly failingSince: Date | null;
  /** Last successful delivery, to the minute. */
  readonly deliveredAt: Date | null;
  /** Deliveries dropped because too many were pending. */
  readonly dropped: number;
  readonly droppedAt: Date | null;
  readonly createdAt: Date;
}

/** The requester of an endpoint: its wallet, the key that registered it, or a holder of its secret. */
export interface Asker {
  readonly wallet?: string | undefined;
  readonly keyId?: string | undefined;
  /** Bearer token of the request. */
  readonly secret?: string | undefined;
}

export interface DeliveryPage {
  readonly limit: number;
  /** Only deliveries before this position. */
  readonly before?: number | undefined;
}

/** One event for one endpoint. */
export interface Delivery {
  /** `dlv_` and 32 hex digits. */
  readonly id: string;
  readonly position: number;
  /** `webhook-id` of the event. */
  readonly eventId: string;
  readonly type: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: readonly LoggedAttempt[];
  readonly createdAt: Date;
  /** Next attempt; null once finished. */
  readonly dueAt: Date | null;
  readonly endedAt: Date | null;
}

export interface LoggedAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** Null without a response. */
  readonly status: number | null;
  /** Reason for a missing response; null with one. */
  readonly error: string | null;
  /** Milliseconds until the response; null without one. */
  readonly ms: number | null;
}

export interface DomainEvent {
  /** Lower case. */
  readonly wallet: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
