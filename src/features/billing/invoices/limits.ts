/** Of a name or an address; those of the seller have as many. */
export const BUYER_CHARACTERS_MAX = 300;
export const TAX_ID_CHARACTERS_MAX = 60;
export const INVOICES_LISTED_MAX = 100;
/** Digits of the number within a year; larger numbers have more. */
export const NUMBER_DIGITS = 6;
/** A server that sold for years before it issues its first: 0.2 ms each, and others wait meanwhile. */
export const ISSUED_AT_ONCE = 2_000;
