import type { Proof } from '../../../core/principal.ts';
import type { Parts } from './deps.ts';
import { invalidToken } from './refusals.ts';
import * as store from './store.ts';
import { kindOfToken, sha256Of } from './token.ts';
import type { Ownership } from './types.ts';

/** What a bearer token proves. One statement. */
export async function proofOf(parts: Parts, token: string, record: Ownership['record']): Promise<Proof> {
  const kind = kindOfToken(token);
  if (kind === 'sess') return proofOfSession(parts, token);
  if (kind === 'key') return proofOfKey(parts, token, record);
  throw invalidToken('It has the wrong form. Send it whole, as it was shown.');
}

async function proofOfSession({ database, clock }: Parts, token: string): Promise<Proof> {
  const session = await store.selectSession(database, sha256Of(token));
  if (!session) throw invalidToken('The session is unknown or has ended.');
  if (session.expiresAt <= clock()) throw invalidToken('The session has ended.');
  return { wallet: session.wallet, by: 'session' };
}

async function proofOfKey(
  { database, clock }: Parts,
  token: string,
  record: Ownership['record'],
): Promise<Proof> {
  const at = clock();
  const key = await store.selectKeyByToken(database, sha256Of(token), at);
  if (!key) throw invalidToken('The key is unknown.');
  const { wallet, id, name, scopes, tools, revokedAt, expiresAt } = key;
  const ended = revokedAt
    ? 'The key was revoked.'
    : expiresAt && expiresAt <= at
      ? 'The key has expired.'
      : undefined;
  if (ended) {
    await record(wallet, 'refused_key', id);
    throw invalidToken(ended);
  }
  return { wallet, by: 'key', key: { id, name, scopes, ...(tools && { tools }) } };
}
