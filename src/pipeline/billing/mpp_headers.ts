import { MPP_HEADERS } from '../../catalogue/mpp_names.ts';
import { bearerOf } from '../bearer.ts';

const PAYMENT = /^payment\s+/i;

/** What an Authorization header names: who calls, and a payment of the Payment scheme, alone or one beside the other. */
export function authorizationIn(headers: Headers): {
  bearer?: string | undefined;
  mppCredential?: string | undefined;
} {
  const sent = headers.get(MPP_HEADERS.credential);
  const parts = sent?.split(',').map((part) => part.trim()) ?? [];
  const payment = parts.find((part) => PAYMENT.test(part));
  if (payment === undefined) return { bearer: bearerOf(sent) };
  const others = parts.filter((part) => part !== payment).join(', ');
  return { bearer: bearerOf(others), mppCredential: payment.replace(PAYMENT, '').trim() };
}

/** The receipt of a payment, from the headers of our own answer. */
export function mppReceiptIn(headers: Record<string, string>): unknown {
  const sent = headers[MPP_HEADERS.receipt];
  return sent === undefined ? undefined : JSON.parse(Buffer.from(sent, 'base64url').toString('utf8'));
}
