import type { Audit } from '../core/audit/audit.ts';
import type { Leases } from '../core/cluster/leases/leases.ts';
import type { Maintenance } from '../core/cluster/maintenance/types.ts';
import type { CpuBudget } from '../core/cpu_budget/types.ts';
import type { ClaimedResponse, IdempotencyStore, StoredResponse } from '../core/idempotency/types.ts';
import type { Proof } from '../core/principal.ts';
import type { Limiter } from '../core/rate_limits/rate_limited.ts';
import type { RequestScopes } from '../core/request_scope/request_scope.ts';
import type { Disk } from '../core/storage/blobs/disk.ts';
import type { Telemetry } from '../core/telemetry/types.ts';
import type { Expected } from '../features/assets/uploads/uploads.ts';
import type { Mpp, MppPayment } from '../features/billing/mpp/mpp.ts';
import type { IssuedReceipt } from '../features/billing/receipts/types.ts';
import type { X402, X402Payment } from '../features/billing/x402/types.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import type { OperatorIdentity } from '../features/operator/types.ts';
import type { Services } from '../features/services.ts';
import type { SignedRequest, SignIns } from '../features/wallets/ownership/types.ts';
import type { Access } from '../features/workspaces/types.ts';
import type { Durations } from './durations.ts';

/** The client of a call, as an interface (REST, MCP, CLI, web) describes it. Nothing here is verified. */
export interface Client extends PageOrigin {
  readonly requestId: string;
  /** Network address, after trusted proxies. */
  readonly address: string;
  /** Text after `Bearer ` in the Authorization header. */
  readonly bearer?: string | undefined;
  /** The request, where it claims to be signed by a wallet. */
  readonly signed?: SignedRequest | undefined;
  /** X-Payment-Intent. */
  readonly paymentIntent?: string | undefined;
  /** X-Approval. */
  readonly approval?: string | undefined;
  /** PAYMENT-SIGNATURE or X-PAYMENT: base64 of an x402 payment, or over MCP the payment itself. */
  readonly x402Payment?: unknown;
  /** SIGN-IN-WITH-X: base64 of a challenge signed by a wallet, whose credits are to pay. */
  readonly signIn?: string | undefined;
  /** `Authorization: Payment`: base64url of a credential, or over MCP the credential itself. */
  readonly mppCredential?: unknown;
  /** Idempotency-Key. */
  readonly idempotencyKey?: string | undefined;
  /** Prefer: respond-async. The call becomes a job; the response is 202 at once. */
  readonly respondAsync?: boolean | undefined;
  /**
   * Which calls may become jobs: those expected to be long at once, or all of them at their deadline. Absent:
   * none.
   */
  readonly longCalls?: 'when_expected' | 'at_deadline' | undefined;
  /** A language model writes the call, so that unambiguous values in another form are coerced. */
  readonly isModel?: boolean;
  /**
   * The client shows links to a person and repeats the call: an approval given meanwhile counts without its
   * id.
   */
  readonly comesAgain?: boolean;
  /** A page of this server, which applies the limits to its visitors itself. */
  readonly isCounted?: true;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  onProgress?(fraction: number, message: string): void;
}

/** A successful response. `text` is set on a replay: the exact bytes of the first response. */
export interface CallResponse {
  /** 202 for a job that was accepted; absent: 200. */
  readonly status?: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly text?: string;
}

/** The page a request comes from, as far as it is restricted. Both absent: no browser, or an allowed page. */
export interface PageOrigin {
  /** Origin of a page that may only read here. */
  readonly foreignPage?: string;
  /** An element or script of another site's page sent the request; the visitor did not open the address. */
  readonly isPartOfPage?: true;
}

/** The authenticated client. Wallets in lower case. */
export interface Principal {
  /** Absent for an anonymous call, and for one that only names the address of a locked wallet. */
  readonly wallet?: string;
  /** Proof of ownership of the wallet; absent where its address was enough. */
  readonly proof?: Proof;
  /**
   * A locked wallet whose address was sent as bearer: calls that need the wallet are refused, all others run.
   */
  readonly lockedWallet?: string;
  /** An operator has no wallet. */
  readonly operator?: OperatorIdentity;
}

/** Dependencies of the pipeline: the services of the tools, and its own. */
export interface PipelineContext {
  readonly services: Services;
  readonly limiter: Limiter;
  readonly cpu: CpuBudget;
  readonly answers: IdempotencyStore;
  readonly audit: Audit;
  readonly requestScopes: RequestScopes;
  readonly disk: Disk;
  readonly maintenance: Maintenance;
  readonly durations: Durations;
  readonly telemetry: Telemetry;
  readonly turns: RunningCalls;
  /** Leases between servers; absent if there is only one server. */
  readonly leases?: Leases;
  /** Absent if payments by x402 are off. */
  readonly x402?: X402;
  /** Absent if payments by x402 are off, or the public address is not configured. */
  readonly signIns?: SignIns;
  /** Absent if payment tokens are not accepted. */
  readonly mpp?: Mpp;
  /** Configured calls per limit name; they override the defaults of a tool or operation. */
  readonly rates: Readonly<Record<string, number | undefined>> & {
    readonly 'free-tools': number;
    readonly 'paid-tools': number;
    readonly mcp: number;
  };
  /** The limit of one address, as a multiple of that of one client. */
  readonly addressFactor: number;
  readonly deadlineMs: number;
  /** The deadline of a job, which does not depend on a connection. */
  readonly jobDeadlineMs: number;
}

/** Running calls, by tool, wallet and request. In memory: `leases` coordinate servers. */
export type RunningCalls = Map<string, Promise<void>>;

/** Deadlines of a synchronous call, and of a job. */
export const deadlinesOf = ({ deadlineMs, jobDeadlineMs }: PipelineContext) => ({
  deadlineMs,
  jobDeadlineMs,
});

/** Payment of one call, from hold to settlement. */
export interface Payment {
  /** Payment details in the response. */
  readonly receipt: Record<string, unknown>;
  /** Id of the hold in the ledger while the tool runs. */
  readonly hold: string;
  /** Charges the hold; stores the response and the signed receipt in the same transaction. The response is sent only afterwards. */
  settle(response: StoredResponse | undefined, receipt?: IssuedReceipt): Promise<void>;
  /** Releases the hold. */
  release(): Promise<void>;
  /**
   * The same payment, but charging part of the hold and releasing the rest. Absent if only full charges are
   * possible.
   */
  part?(credits: number): Payment;
}

/** An x402 payment of a call, and the service that settles it. */
export interface X402Call {
  readonly service: X402;
  readonly payment: X402Payment;
}

/** Payment method of a call: a payment sent with it, or the credits of a wallet. */
export type PaymentMethod = 'x402' | 'mpp' | 'card' | 'credits';

/** Parsed payments of a call. */
export interface PresentedPayments {
  readonly x402: X402Call | undefined;
  /** A token of the Payment scheme. */
  readonly mpp: MppPayment | undefined;
}

/** A call as it was sent, before its input is validated. */
export interface ReceivedCall {
  readonly tool: AnyTool;
  readonly raw: unknown;
  /** Warnings about coerced fields. */
  readonly warnings: string[];
  readonly client: Client;
  /** Dry run: price only. */
  readonly isDryRun: boolean;
  /** Preview: runs on a reduced image and stores nothing. */
  readonly isPreview: boolean;
  /** Asynchronous: the client does not wait for the result. */
  readonly isJob: boolean;
  /** Calls of the tool are always free, including its steps. */
  readonly isFree: boolean;
  /** The tool has a price, even if this call is a dry run. */
  readonly isPriced: boolean;
  /** The tool has a price, and this call runs. */
  readonly mustPay: boolean;
}

/** A call that has been admitted. */
export interface ToolCall extends ReceivedCall, PresentedPayments {
  readonly principal: Principal;
  /** Chosen once; undefined for a free call, and without a payment. */
  readonly method: PaymentMethod | undefined;
  readonly controls: Controls;
  /** The input as sent, without control fields; `item:3` is resolved to the full handle. */
  readonly rest: unknown;
  readonly input: Record<string, unknown>;
  /** The workspace of the call. */
  readonly workspace?: Access | undefined;
}

/** Control fields of every tool: they concern the call itself. */
export interface Controls {
  /** Expected properties of the image. */
  readonly expected: Expected;
  /** Id of the owner's approval. */
  readonly approval?: string | undefined;
  /** Link or handle that opens the workspace of the call. */
  readonly workspace?: string | undefined;
}

/** A response to send; `text` where its exact characters matter, because a receipt contains their sha256. */
export interface ComposedResponse {
  /** 202: the call has become a job. */
  readonly status?: 202;
  readonly body: Record<string, unknown>;
  readonly text?: string;
  readonly receipt?: IssuedReceipt;
}

/** Stores the composed response and returns its record; undefined without an Idempotency-Key. */
export type StoreResponse = (response: ComposedResponse) => Promise<ClaimedResponse | undefined>;
