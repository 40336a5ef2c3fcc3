import { createHash, createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { Database } from '../../database/index.ts';
import type { PaidCall, PaymentRecord, PublicKey, Receipts, SignedReceipt } from './index.ts';
import * as store from './store.ts';

interface Options {
  readonly database: Database;
  /** Ed25519. */
  readonly key: KeyObject;
  /** Where callers reach this server; its keys are below it. */
  readonly publicUrl: string;
  readonly clock?: () => Date;
}

/** Publishes the public half of `key` beside all that came before it, and signs with it from now on. */
export async function createReceipts({
  database,
  key,
  publicUrl,
  clock = () => new Date(),
}: Options): Promise<Receipts> {
  const publicKey = publicHalf(key);
  await store.insertKey(database, { ...publicKey, at: clock() });
  const header = encoded({ alg: 'EdDSA', typ: 'receipt+jwt', kid: publicKey.kid });
  return {
    idOf,
    sign(call) {
      const signed = `${header}.${encoded(claimsOf(call, { publicUrl, at: clock() }))}`;
      return { id: call.id, jws: `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}` };
    },
    find: (wallet, id): Promise<SignedReceipt | undefined> => store.select(database, wallet, id),
    keys: () => store.selectKeys(database),
  };
}

/** A call has one receipt, so its name follows from that of the call where the payment names one. */
const idOf = ({ transaction_id: id }: PaymentRecord): string =>
  `rcpt_${typeof id === 'string' ? id.replace(/^call_/, '') : randomUUID()}`;

/** Claims registered for JWTs (RFC 7519) where there are any, ours beside them. A receipt never ends. */
const claimsOf = (
  { id, tool, cost, payment, answerSha256 }: PaidCall,
  { publicUrl, at }: { publicUrl: string; at: Date },
) => ({
  iss: publicUrl,
  iat: Math.floor(at.getTime() / 1000),
  jti: id,
  ...(typeof payment.wallet === 'string' && { sub: payment.wallet }),
  tool,
  cost,
  payment,
  answer_sha256: answerSha256,
});

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function publicHalf(key: KeyObject): PublicKey {
  const { x } = createPublicKey(key).export({ format: 'jwk' }) as { x: string };
  // RFC 7638: the required members in the order of their names, without white space.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }));
  return { kid: thumbprint.digest('base64url'), x };
}
