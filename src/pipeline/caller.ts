import type { OperatorIdentity } from '../services/operator/contract.ts';
import type { Proof, SignedRequest } from '../services/ownership/contract.ts';

/** Who calls, as a way in (REST, MCP, command line, web) found it. Nothing here has been checked yet. */
export interface Caller extends FromPage {
  readonly requestId: string;
  /** Network address, after trusted proxies. */
  readonly address: string;
  /** Text after `Bearer ` in the Authorization header. */
  readonly bearer?: string | undefined;
  /** The request itself, where it claims to be signed by a wallet. */
  readonly signed?: SignedRequest | undefined;
  /** X-Payment-Intent. */
  readonly paymentIntent?: string | undefined;
  /** X-Approval. */
  readonly approval?: string | undefined;
  /** PAYMENT-SIGNATURE or X-PAYMENT: base64 of an x402 payment, or over MCP the payment itself. */
  readonly x402Payment?: unknown;
  /** `Authorization: Payment`: base64url of a credential, or over MCP the credential itself. */
  readonly mppCredential?: unknown;
  /** Idempotency-Key. */
  readonly idempotencyKey?: string | undefined;
  /** Prefer: respond-async. The call becomes a job, answered 202 at once. */
  readonly respondAsync?: boolean | undefined;
  /** It writes every call anew and nobody can mend its program: what it can only have meant one way is read so. */
  readonly isModel?: boolean;
  /** Its client leads people to links and sends the same call again: what was approved meanwhile counts without being named. */
  readonly comesAgain?: boolean;
  /** A page of ours asks, which counts its visitors itself: the limits of the tool are for programs. */
  readonly isCounted?: true;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  onProgress?(fraction: number, message: string): void;
}

/** A successful answer. `text` is set on a replay: the very bytes of the first answer. */
export interface Answer {
  /** 202 for a job that was accepted; absent: 200. */
  readonly status?: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly text?: string;
}

/** What a browser said of the page a request comes from, judged. Both absent: no browser, or nothing to object to. */
export interface FromPage {
  /** Origin of a page that may only read here. */
  readonly foreignPage?: string;
  /** An element or script of a page of another site asked, and nobody opened the address. */
  readonly isPartOfPage?: true;
}

/** For whom a call may act. Wallets in lower case. */
export interface Principal {
  /** Absent for an anonymous call, and for one that only names the address of a locked wallet. */
  readonly wallet?: string;
  /** How the wallet was proved; absent where its address was enough. */
  readonly proof?: Proof;
  /** A locked wallet whose address came as bearer: whatever needs that wallet is refused, everything else is free to run. */
  readonly lockedWallet?: string;
  /** Whoever acts as an operator acts for no wallet. */
  readonly operator?: OperatorIdentity;
}
