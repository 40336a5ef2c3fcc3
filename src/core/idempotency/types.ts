/** Responses stored under an Idempotency-Key for 24 hours, so that a retry gets the same bytes and is charged once. */
export interface IdempotencyStore {
  /**
   * Claims the key for this call, or returns the state of the first one. `reused`: the key came with another body. `running`: the
   * first call has not finished.
   */
  claim(
    claim: IdempotencyClaim,
  ): Promise<
    | { state: 'claimed' }
    | { state: 'reused' }
    | { state: 'running' }
    | { state: 'kept'; text: string; status: number }
  >;
  /** Stores the bytes of the response and returns their sha256, before the charge. */
  write(text: string): Promise<string>;
  /**
   * Marks the response of a free call as stored; `Wallets.settle` marks a paid one.
   * @throws AtelierError idempotency_in_progress if this call no longer holds the key
   */
  keep(kept: ClaimedResponse): Promise<void>;
  /** Frees the key after a failed call, unless another call has claimed it. */
  abandon(claim: Pick<IdempotencyClaim, 'principal' | 'route' | 'key' | 'runningUntil'>): Promise<void>;
  /** Ids of running calls with this prefix. */
  openCalls(prefix: string): Promise<string[]>;
  /** Frees the keys of calls with this id or prefix, which would otherwise stay claimed; returns their number. */
  releaseCalls(calls: string): Promise<number>;
  sweep(now: Date): Promise<number>;
}

export interface IdempotencyClaim {
  /** Principal: the wallet, otherwise the address. Two principals never share a key. */
  readonly principal: string;
  /** `POST /api/tools/resize_image` */
  readonly route: string;
  readonly key: string;
  readonly bodySha256: string;
  /** When the claim of a dead call lapses. */
  readonly runningUntil: Date;
  /** Id of the call. */
  readonly calls: string;
}

/** A response stored for replay, in the same transaction as the charge. */
export interface StoredResponse {
  readonly principal: string;
  readonly route: string;
  readonly key: string;
  /** sha256 of the blob with the exact bytes of the response. */
  readonly answerSha256: string;
}

export interface ClaimedResponse extends StoredResponse {
  /** Id of the call that claimed the key. */
  readonly calls: string;
}
