import { createHash, randomBytes } from 'node:crypto';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Scope } from '../../../core/principal.ts';
import { keyName } from '../ownership/keys.ts';
import { KEYS_PER_WALLET_MAX } from '../ownership/limits.ts';
import { newToken, sha256Of } from '../ownership/token.ts';
import { consentMessage, requireConsent } from './consent_message.ts';
import type { Parts } from './deps.ts';
import { CONSENT_LIFETIME_MS, KEY_REQUESTS_OPEN_MAX, KEY_REQUESTS_OPEN_OF_ALL_MAX } from './limits.ts';
import { consentNotFound, consentOver, tooManyRequests } from './refusals.ts';
import * as store from './store.ts';
import type { AskedKey, KeyDecision, KeyRequest, KeyWish, Redeemed, Signed } from './types.ts';

const CODE = /^keycode_[A-Za-z0-9_-]{43}$/;

export async function requestKey(
  { database, clock }: Parts,
  asked: KeyWish & { askedBy: string },
): Promise<AskedKey> {
  const at = clock();
  const [id, code] = [randomBytes(16).toString('hex'), `keycode_${randomBytes(32).toString('base64url')}`];
  const expiresAt = new Date(at.getTime() + CONSENT_LIFETIME_MS);
  const isKept = await store.insertKeyRequest(database, {
    ...asked,
    ...{ id, at, expiresAt, name: keyName(asked.name), codeSha256: sha256Of(code) },
    openMax: KEY_REQUESTS_OPEN_MAX,
    openOfAllMax: KEY_REQUESTS_OPEN_OF_ALL_MAX,
  });
  if (!isKept) throw tooManyRequests('requests for keys');
  return { id, code, check: checkOf(id), expiresAt };
}

export async function findKeyRequest(
  { database, clock }: Parts,
  id: string,
): Promise<KeyRequest | undefined> {
  const row = await store.selectKeyRequest(database, id);
  if (!row) return undefined;
  const { isGranted, redeemedAt, ...request } = row;
  const isOver = row.expiresAt <= clock();
  const state = redeemedAt
    ? 'used'
    : isGranted === false
      ? 'refused'
      : isOver
        ? 'expired'
        : isGranted
          ? 'granted'
          : 'waiting';
  return { ...request, state, check: checkOf(id) };
}

export async function keyMessage(parts: Parts, id: string, decision: KeyDecision): Promise<string> {
  return consentMessage(parts, await questionOf(parts, id, decision));
}

export async function decideKey(parts: Parts, id: string, decision: KeyDecision & Signed): Promise<void> {
  const { database, clock, record } = parts;
  await requireConsent(parts, await questionOf(parts, id, decision), decision.signature);
  const at = clock();
  const expiresAt = new Date(at.getTime() + CONSENT_LIFETIME_MS);
  if (
    !(await store.decideKeyRequest(database, { ...decision, id, at, expiresAt, scopes: scopesOf(decision) }))
  )
    throw consentOver();
  await record(decision.wallet, decision.isGranted ? 'key_granted' : 'key_denied', id);
}

export async function redeemKey({ database, clock, record }: Parts, code: string): Promise<Redeemed> {
  if (!CODE.test(code)) return { state: 'unknown' };
  const [keyId, token] = [`key_${randomBytes(8).toString('hex')}`, newToken('key')];
  const { outcome, wallet } = await store.redeemKeyRequest(database, {
    ...{ keyId, at: clock(), activeMax: KEYS_PER_WALLET_MAX },
    codeSha256: sha256Of(code),
    tokenSha256: sha256Of(token),
  });
  if (outcome !== 'redeemed') return { state: outcome as 'waiting' };
  await record(wallet!, 'key_created', keyId);
  return { state: 'redeemed', token, keyId, wallet: wallet! };
}

/** @throws AtelierError where there is nothing to decide any more */
async function questionOf({ database, clock }: Parts, id: string, decision: KeyDecision) {
  const row = await store.selectKeyRequest(database, id);
  if (!row) throw consentNotFound();
  const at = clock();
  if (row.isGranted !== null || row.expiresAt <= at) throw consentOver();
  if (decision.keyExpiresAt <= at) throw invalidField('expires_at', 'expires_at must lie ahead.');
  const { wallet, chainId } = decision;
  const { createdAt, expiresAt } = row;
  const statement = statementOf(row.name, decision, id);
  return { id, path: '/grant', wallet, chainId, statement, createdAt, expiresAt };
}

const scopesOf = ({ withFiles }: KeyDecision): Scope[] => [
  'spend',
  ...(withFiles ? (['assets:read', 'assets:write'] as const) : []),
];

function statementOf(
  name: string,
  { isGranted, tools, withFiles, maxTotal, maxDaily, keyExpiresAt }: KeyDecision,
  id: string,
) {
  const which = `the key ${JSON.stringify(name)} (${checkOf(id)})`;
  if (!isGranted) return `Refuse ${which} for an agent.`;
  const caps = [
    maxTotal === undefined
      ? 'any number of credits in all'
      : `${maxTotal / MILLICREDITS_PER_CREDIT} credits in all`,
    maxDaily === undefined ? 'any number a day' : `${maxDaily / MILLICREDITS_PER_CREDIT} a day`,
  ];
  const where = tools === undefined ? 'every tool' : tools.join(', ');
  const files = withFiles ? ', and read and change what the wallet keeps' : '';
  return `Give an agent ${which}, which may spend ${caps.join(', ')}, on ${where}, until ${keyExpiresAt.toISOString()}${files}. It moves nothing on any chain.`;
}

/** Letters and digits that are not mistaken for each other. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const checkOf = (id: string): string => {
  const bytes = createHash('sha256').update(`check ${id}`).digest();
  return [...bytes.subarray(0, 6)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
};
