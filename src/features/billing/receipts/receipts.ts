import { type KeyObject, randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../../../core/database/types.ts';
import { createSigner, didWebOf } from '../../../core/keys/signer.ts';
import * as store from './store.ts';
import { insertRevocation } from './store.ts';
import type {
  IssuedReceipt,
  PaidCall,
  PaymentRecord,
  Receipts,
  RevocationReason,
  SignedReceipt,
} from './types.ts';

interface Options {
  readonly database: Database;
  /** Ed25519. */
  readonly key: KeyObject;
  /** Public base URL of this server; its keys are below it. */
  readonly publicUrl: string;
  readonly clock?: () => Date;
}

/**
 * Creates the receipts, signed with `key`, and publishes its public key together with all earlier keys.
 * @throws Error naming the setting to change, where the key is revoked
 */
export async function createReceipts({
  database,
  key,
  publicUrl,
  clock = () => new Date(),
}: Options): Promise<Receipts> {
  const signer = createSigner(key);
  await store.insertKey(database, { ...signer.publicKey, at: clock() });
  const { kid } = signer.publicKey;
  const own = (await store.selectKeys(database)).find((key) => key.kid === kid);
  if (own?.revoked) {
    throw new Error(
      `The key ${kid} that signs receipts was revoked on ${own.revoked.at.toISOString()}. Set another RECEIPT_KEY, or move receipt_key.pem out of DATA_DIR, and restart.`,
    );
  }
  return {
    did: didWebOf(publicUrl),
    idOf,
    sign: (call) => ({
      id: call.id,
      jws: signer.sign('receipt+jwt', claimsOf(call, { publicUrl, at: clock() })),
      completed: completedBy(call),
    }),
    find: (wallet, id): Promise<SignedReceipt | undefined> => store.select(database, wallet, id),
    keys: () => store.selectKeys(database),
  };
}

/** A call has one receipt, so the id is derived from the call, if the payment has one. */
const idOf = ({ transaction_id: id }: PaymentRecord): string =>
  `rcpt_${typeof id === 'string' ? id.replace(/^(call|job)_/, '') : randomUUID()}`;

function completedBy({ id, tool, cost, payment: { transaction_id } }: PaidCall): IssuedReceipt['completed'] {
  const isJob = typeof transaction_id === 'string' && /^job_[0-9a-f]{32}$/.test(transaction_id);
  return { tool, credits: cost.credit, receipt_id: id, job_id: isJob ? transaction_id : null };
}

/** Registered JWT claims (RFC 7519) where they exist, and private claims. A receipt does not expire. */
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

/**
 * Revokes a key permanently and records it in the log. The key and its receipts stay published, marked as revoked.
 * @returns false where the key is unknown or revoked already
 */
export const revokeKey = (
  { database, clock = () => new Date() }: { database: Queryable; clock?: () => Date },
  kid: string,
  reason: RevocationReason,
): Promise<boolean> => insertRevocation(database, { kid, reason, at: clock() });
