/** Logs every refused payment and proof, without anything that would let a reader of the log pay. */
export interface Audit {
  recordRefusal(refusal: Refusal): void;
}

/** An audit that keeps its recent lines. */
export interface RememberingAudit extends Audit {
  /** Of this process, newest first. */
  recent(): readonly RecentRefusal[];
}

export interface RecentRefusal extends Pick<Refusal, 'code' | 'status' | 'about' | 'address'> {
  readonly at: Date;
  readonly requestId: string;
}

export interface Refusal {
  /** Error code. */
  readonly code: string;
  readonly status: number;
  /** Tool or operation. */
  readonly about: string;
  readonly requestId: string;
  /** Network address of the client. */
  readonly address: string;
  /** As sent; only a name derived from it is logged. */
  readonly bearer?: string | undefined;
  readonly paymentIntent?: string | undefined;
  /** Text of a header, or any JSON over MCP. */
  readonly x402Payment?: unknown;
  readonly mppCredential?: unknown;
  /** Wallet named in the input. */
  readonly wallet?: unknown;
  /** The detail sent to the client; absent where it may repeat input. */
  readonly detail?: string | undefined;
  /** Names of the refused fields. */
  readonly fields?: readonly string[];
}
