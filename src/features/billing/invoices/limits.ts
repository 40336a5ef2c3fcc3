/** Characters of a name or an address, of buyer and seller. */
export const BUYER_CHARACTERS_MAX = 300;
export const TAX_ID_CHARACTERS_MAX = 60;
export const INVOICES_LISTED_MAX = 100;
/** Digits of the number within a year; larger numbers have more. */
export const NUMBER_DIGITS = 6;
/** Invoices issued per transaction, at 0.2 ms each: other transactions wait meanwhile. */
export const ISSUED_AT_ONCE = 2_000;
