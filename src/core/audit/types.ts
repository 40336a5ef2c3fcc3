/** One line in the log for every payment and every proof that was refused, without anything that would let a reader pay. */
export interface Audit {
  recordRefusal(refusal: Refusal): void;
}

/** An audit that remembers its last lines. */
export interface RememberingAudit extends Audit {
  /** Of this process, newest first. */
  recent(): readonly RecentRefusal[];
}

export interface RecentRefusal extends Pick<Refusal, 'code' | 'status' | 'about' | 'address'> {
  readonly at: Date;
  readonly requestId: string;
}

export interface Refusal {
  /** From the table of errors. */
  readonly code: string;
  readonly status: number;
  /** Tool or operation. */
  readonly about: string;
  readonly requestId: string;
  /** Network address of the caller. */
  readonly address: string;
  /** As it was sent, for the audit to take a name from; never written as it is. */
  readonly bearer?: string | undefined;
  readonly paymentIntent?: string | undefined;
  /** Text of a header, or over MCP any JSON. */
  readonly x402Payment?: unknown;
  readonly mppCredential?: unknown;
  /** The wallet the input names. */
  readonly wallet?: unknown;
  /** In words, as the caller was told; absent where they may repeat what was sent. */
  readonly detail?: string | undefined;
  /** Names of the fields that were refused. */
  readonly fields?: readonly string[];
}
