/** Actor and reason. */
interface By {
  readonly who: string;
  readonly why: string;
}

/** Jobs that failed for a reason of the server, and webhook deliveries that were given up, until an operator settles them. */
export interface DeadLetters {
  /** Newest first. */
  list(kind?: string): Promise<DeadLetterPage>;
  /**
   * Queues a job again, at no charge, or sends a notice again. Of several operators at once, one succeeds.
   * @throws AtelierError not_found where it is no dead letter any more, or the input of a job is not kept
   */
  retry(by: By, id: string): Promise<void>;
  /** Takes it off the list and deletes what is kept of a job. @throws AtelierError not_found */
  dismiss(by: By, id: string): Promise<void>;
  /**
   * The oldest of a kind, at most RETRIED_AT_ONCE_MAX.
   * @returns how many were retried, and how many that can be are left
   * @throws AtelierError not_found where there is no such kind
   */
  retryAll(by: By, kind: string): Promise<{ readonly count: number; readonly left: number }>;
  /** @returns their number @throws AtelierError not_found */
  dismissAll(by: By, kind: string): Promise<number>;
}

export interface DeadLetterPage {
  readonly kinds: readonly DeadKind[];
  readonly jobs: readonly DeadJob[];
  readonly deliveries: readonly DeadDelivery[];
}

export interface DeadKind {
  /** `<tool>:<error code>` of jobs, or the id of a webhook endpoint. */
  readonly kind: string;
  readonly count: number;
  /** Of these, how many can be retried. */
  readonly retryable: number;
  readonly newestAt: Date;
}

export interface DeadJob {
  readonly id: string;
  readonly tool: string;
  readonly code: string;
  /** As its caller reads it. */
  readonly detail: string;
  readonly wallet: string | null;
  /** Runs. */
  readonly attempts: number;
  readonly acceptedAt: Date;
  readonly failedAt: Date;
  /** When it and its input are forgotten. */
  readonly expiresAt: Date;
  readonly canRetry: boolean;
}

export interface DeadDelivery {
  readonly id: string;
  readonly endpoint: string;
  readonly host: string;
  readonly isDisabled: boolean;
  /** Type of the event. */
  readonly type: string;
  /** Null: the endpoint was registered without a wallet. */
  readonly wallet: string | null;
  readonly attempts: number;
  /** Of the last attempt; null without a response. */
  readonly status: number | null;
  /** Why no response came. */
  readonly error: string | null;
  readonly failedAt: Date;
}
