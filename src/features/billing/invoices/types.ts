import type { PixelControl, Pixels } from '../../../core/workers/types.ts';

/** The seller on invoices and in the export of purchases. */
export interface Seller {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly taxId?: string | undefined;
  /** Percent of the net price; prices include it. Absent: no tax is stated. */
  readonly taxPercent?: number | undefined;
}

/** The buyer on invoices; empty texts are not printed. */
export interface Buyer {
  readonly name: string;
  readonly address: string;
  readonly taxId: string;
}

/** An issued invoice. */
export interface Invoice {
  /** Position in the order of issue. */
  readonly position: number;
  /** `2026-000042`; `TEST-2026-000042` where no money moved. Never changes. */
  readonly number: string;
  /** Id of the transfer that booked the money. */
  readonly purchase: string;
  /** When it was booked. */
  readonly at: Date;
  readonly seller: Seller;
  readonly wallet: string | null;
  readonly buyer: Buyer;
  /** Name of the credit pack or the paid tool. */
  readonly item: string;
  /** Millicredits. */
  readonly credits: number;
  /** Ten-thousandths of the currency, tax included. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  /** `card`, `card_test`, `simulated` or `x402`. */
  readonly means: string;
  /** Id of the payment at the processor, or hash of the on-chain transaction. */
  readonly payment: string | null;
  /** Network of an x402 payment (CAIP-2). */
  readonly network: string | null;
}

/** Dependencies and client of a drawing. */
export interface Drawing extends Pick<PixelControl, 'signal' | 'address' | 'callerKey'> {
  readonly pixels: Pick<Pixels, 'run'>;
}

/** The requester of an invoice. */
export type Asking = 'operator' | { readonly wallet: string; readonly isProved: boolean };

/** Invoices of purchases. Numbers are unique, and printed content never changes. See docs/decisions/0090-invoices.md. */
export interface Invoices {
  /** Issues invoices for purchases without one; returns their number. Issues none where SELLER_NAME is not set. */
  issue(): Promise<number>;
  /**
   * The invoice of a purchase as a PDF page, by the id of its transfer or by its number. The first access by its owner or the operator
   * makes the buyer final.
   * @throws AtelierError invoice_not_found, also for one of another wallet; seller_not_set; proof_required where it names a buyer; busy, timed_out
   */
  pdf(
    id: string,
    asking: Asking,
    drawing: Drawing,
  ): Promise<{ readonly number: string; readonly bytes: Uint8Array }>;
  /** Invoices, newest first. @param page `before`: position of the last one on the previous page @throws AtelierError seller_not_set */
  list(wallet: string, page: { limit: number; before?: number | undefined }): Promise<Invoice[]>;
  /** Sets the buyer of invoices that were not fetched yet. Absent fields stay unchanged. */
  setBuyer(wallet: string, buyer: Partial<Buyer>): Promise<Buyer>;
}
