/** Actor and reason. */
interface Attribution {
  readonly who: string;
  readonly why: string;
}

/** Jobs that failed because of the server, and abandoned webhook deliveries, until an operator retries or dismisses them. */
export interface DeadLetters {
  /** Newest first. */
  list(kind?: string): Promise<DeadLetterPage>;
  /**
   * Queues a job again, free of charge, or sends a notification again. Of concurrent requests, one succeeds.
   * @throws AtelierError not_found where the id is not a dead letter, or the input of the job was not stored
   */
  retry(by: Attribution, id: string): Promise<void>;
  /** Removes a dead letter from the list and deletes the stored input of a job. @throws AtelierError not_found */
  dismiss(by: Attribution, id: string): Promise<void>;
  /**
   * Retries the oldest dead letters of a kind, at most RETRIED_AT_ONCE_MAX.
   * @returns the number retried, and the number that can still be retried
   * @throws AtelierError not_found where none of the kind exists
   */
  retryAll(by: Attribution, kind: string): Promise<{ readonly count: number; readonly left: number }>;
  /** Dismisses all dead letters of a kind. @returns their number @throws AtelierError not_found */
  dismissAll(by: Attribution, kind: string): Promise<number>;
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
  /** Number of these that can be retried. */
  readonly retryable: number;
  readonly newestAt: Date;
}

export interface DeadJob {
  readonly id: string;
  readonly tool: string;
  readonly code: string;
  /** Error detail, as the client sees it. */
  readonly detail: string;
  readonly wallet: string | null;
  /** Number of runs. */
  readonly attempts: number;
  readonly acceptedAt: Date;
  readonly failedAt: Date;
  /** When the job and its input are deleted. */
  readonly expiresAt: Date;
  readonly canRetry: boolean;
}

export interface DeadDelivery {
  readonly id: string;
  readonly endpoint: string;
  readonly host: string;
  readonly isDisabled: boolean;
  /** Event type. */
  readonly type: string;
  /** Null: the endpoint was registered without a wallet. */
  readonly wallet: string | null;
  readonly attempts: number;
  /** HTTP status of the last attempt; null without a response. */
  readonly status: number | null;
  /** Reason for a missing response. */
  readonly error: string | null;
  readonly failedAt: Date;
}
