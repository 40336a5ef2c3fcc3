import type { IssuedReceipt } from '../../services/receipts/contract.ts';
import type { KeptAnswer } from '../../services/wallets/contract.ts';
import type { X402, X402Payment } from '../../services/x402/contract.ts';
import type { Caller } from '../caller.ts';

/** The money side of one call, from hold to settlement. */
export interface Payment {
  /** What the answer says about the payment; absent when the call is free. */
  readonly receipt?: Record<string, unknown>;
  /** Names what is held in the ledger while the tool runs; absent when the call is free. */
  readonly hold?: string;
  /**
   * Takes what was set aside; keeps the answer and the signed receipt in the same transaction. Until it returns the answer
   * is not given out.
   */
  settle(answer: KeptAnswer | undefined, receipt?: IssuedReceipt): Promise<void>;
  /** Gives back what was set aside. */
  release(): Promise<void>;
  /** The same payment taking so many credits of what is held, and giving back the rest. Absent where all is taken or nothing. */
  part?(credits: number): Payment;
}

/** What a caller can pay with. */
export interface Purse {
  readonly caller: Caller;
  /** The wallet the caller acts for. */
  readonly wallet: string | undefined;
  /** The x402 payment that came with the call, once it has been read. */
  readonly x402?: X402Call | undefined;
}

/** A payment by x402 that came with a call, and the service that takes it. */
export interface X402Call {
  readonly service: X402;
  readonly payment: X402Payment;
}
