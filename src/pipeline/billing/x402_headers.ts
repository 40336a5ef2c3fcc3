import { X402_HEADERS } from '../../catalogue/x402_names.ts';

const { demand, payment, settlement } = X402_HEADERS;

/** Headers that pages of other origins have to be able to read. */
export const X402_ANSWER_HEADERS: readonly string[] = [demand, settlement[2], settlement[1]];

/** The payment that came with a request; its text has not been looked at. */
export const x402PaymentIn = (headers: Headers): string | undefined =>
  headers.get(payment[2])?.trim() || headers.get(payment[1])?.trim() || undefined;

/** What settling answered, from the headers of our own answer. */
export function settlementIn(headers: Record<string, string>): unknown {
  const sent = headers[settlement[2]] ?? headers[settlement[1]];
  return sent === undefined ? undefined : JSON.parse(Buffer.from(sent, 'base64').toString('utf8'));
}
