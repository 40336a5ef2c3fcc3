/** Answers kept under an Idempotency-Key for 24 hours, so that a retry gets the same bytes and is charged once. */
export interface Answers {
  /**
   * Claims the key for this call, or says what became of the first one.
   * `reused`: the key came with another body. `running`: the first call has not finished.
   */
  claim(
    claim: AnswerClaim,
  ): Promise<
    | { state: 'claimed' }
    | { state: 'reused' }
    | { state: 'running' }
    | { state: 'kept'; text: string; status: number }
  >;
  /** Writes the answer's bytes and returns their sha256, before anything is charged. */
  write(text: string): Promise<string>;
  /** Marks a free call's answer as kept; a paid one is marked by `Wallets.settle`. */
  keep(kept: { principal: string; route: string; key: string; answerSha256: string }): Promise<void>;
  /** Frees the key after a failed call, unless another has taken it over. */
  abandon(claim: Pick<AnswerClaim, 'principal' | 'route' | 'key' | 'runningUntil'>): Promise<void>;
  /** Frees the keys of calls whose ids begin so, because their server has died; returns how many. */
  releaseCalls(calls: string): Promise<number>;
  sweep(now: Date): Promise<number>;
}

export interface AnswerClaim {
  /** Who: the wallet, else the address. Two callers never share a key. */
  readonly principal: string;
  /** `POST /api/tools/resize_image` */
  readonly route: string;
  readonly key: string;
  readonly bodySha256: string;
  /** When a claim whose call died may be taken over. */
  readonly runningUntil: Date;
  /** What the ids of calls of its server begin with; absent: this one. */
  readonly calls?: string;
}

/** An answer kept for replay, written in the same transaction as the charge. */
export interface KeptAnswer {
  readonly principal: string;
  readonly route: string;
  readonly key: string;
  /** sha256 of the blob that holds the answer's exact bytes. */
  readonly answerSha256: string;
}
