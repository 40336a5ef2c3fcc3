import type { PixelControl, Pixels } from '../../../core/workers/types.ts';

/** The seller, as invoices and the export of purchases name it. */
export interface Seller {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly taxId?: string | undefined;
  /** Percent of the net price; prices include it. Absent: no tax is stated. */
  readonly taxPercent?: number | undefined;
}

/** What a buyer wants to read on invoices; an empty text is not printed. */
export interface Buyer {
  readonly name: string;
  readonly address: string;
  readonly taxId: string;
}

/** An issued invoice, as it is printed. */
export interface Invoice {
  /** In the order of issue. */
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
  /** Of an x402 payment (CAIP-2). */
  readonly network: string | null;
}

/** What draws an invoice, and for whom. */
export interface Drawing extends Pick<PixelControl, 'signal' | 'address' | 'callerKey'> {
  readonly pixels: Pick<Pixels, 'run'>;
}

/** Who asks for an invoice. */
export type Asking = 'operator' | { readonly wallet: string; readonly isProved: boolean };

/** Invoices of purchases. A number is given once, and what is printed never changes. See docs/decisions/0090-invoices.md. */
export interface Invoices {
  /** Numbers the purchases that have no invoice yet, and returns how many. None where SELLER_NAME is not set. */
  issue(): Promise<number>;
  /**
   * The invoice of a purchase as one page PDF, by the id of its transfer or by its own number. What the buyer wants to read on it is fixed when
   * its owner or the operator asks for the first time.
   * @throws AtelierError invoice_not_found, also for one of another wallet; seller_not_set; proof_required where it names a buyer; busy, timed_out
   */
  pdf(
    id: string,
    asking: Asking,
    drawing: Drawing,
  ): Promise<{ readonly number: string; readonly bytes: Uint8Array }>;
  /** Newest first. @param before position of the last one of the page before @throws AtelierError seller_not_set where there are none */
  list(wallet: string, page: { limit: number; before?: number | undefined }): Promise<Invoice[]>;
  /** Holds for invoices that were not fetched yet. Fields that are absent stay as they are. */
  setBuyer(wallet: string, buyer: Partial<Buyer>): Promise<Buyer>;
}
