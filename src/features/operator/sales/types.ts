export interface Sales {
  /** The purchases of a calendar month (UTC) as CSV (RFC 4180), oldest first. @param month such as 2026-11 */
  csvOf(month: string): AsyncGenerator<string>;
}

export interface Purchase {
  readonly position: number;
  readonly at: Date;
  /** Of the transfer that booked the money. */
  readonly id: string;
  readonly wallet: string | null;
  /** Name of a pack, or of the tool that was paid for. */
  readonly item: string;
  /** Millicredits. */
  readonly credits: number;
  /** Millicredits taken back since, because the money was. */
  readonly reversed: number;
  /** Ten-thousandths of the currency, tax included. */
  readonly amount: number;
  readonly currency: string;
  /** `card`, `card_test`, `simulated` or `x402`. */
  readonly means: string;
  /** Name of the payment at the processor, or of the transaction on the chain. */
  readonly payment: string | null;
  /** Number of its invoice, where one was issued. */
  readonly invoice: string | null;
}
