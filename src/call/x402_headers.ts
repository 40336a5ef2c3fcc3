/** The headers of the x402 HTTP transport, version 2 before version 1. Version 1 has its demand in the body. */
export const X402_HEADERS = {
  demand: 'PAYMENT-REQUIRED',
  payment: { 2: 'PAYMENT-SIGNATURE', 1: 'X-PAYMENT' },
  settlement: { 2: 'PAYMENT-RESPONSE', 1: 'X-PAYMENT-RESPONSE' },
} as const;

const { demand, payment, settlement } = X402_HEADERS;

/** Those that pages of other origins have to be able to read. */
export const X402_ANSWER_HEADERS: readonly string[] = [demand, settlement[2], settlement[1]];

/** The payment that came with a request; its text has not been looked at. */
export const x402PaymentIn = (headers: Headers): string | undefined =>
  headers.get(payment[2])?.trim() || headers.get(payment[1])?.trim() || undefined;

/** What settling answered, from the headers of our own answer. */
export function settlementIn(headers: Record<string, string>): unknown {
  const sent = headers[settlement[2]] ?? headers[settlement[1]];
  return sent && JSON.parse(Buffer.from(sent, 'base64').toString('utf8'));
}
