import { createHash, randomBytes } from 'node:crypto';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import type { ContractWallets } from '../../../core/chain/chain.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Scope } from '../../../core/principal.ts';
import { keyName, newToken, notSignedBy, sha256Of } from '../ownership/keys.ts';
import { KEYS_PER_WALLET_MAX } from '../ownership/limits.ts';
import { checksumAddress } from '../ownership/recover_address.ts';
import { writeSiwe } from '../ownership/siwe.ts';
import type { Ownership } from '../ownership/types.ts';
import { CONSENT_LIFETIME_MS, KEY_REQUESTS_OPEN_MAX, KEY_REQUESTS_OPEN_OF_ALL_MAX } from './limits.ts';
import * as store from './store.ts';
import type { AskedKey, KeyDecision, KeyRequest, KeyWish, Redeemed, Signed } from './types.ts';

interface Question {
  /** 32 hex digits; also the nonce of the message. A request is decided once, so a message counts once. */
  readonly id: string;
  readonly path: string;
  readonly wallet: string;
  readonly chainId: number;
  /** The granted permission, in one line. */
  readonly statement: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The message that approves or refuses a request. Derived from the stored request, so it need not be stored. */
export const consentMessage = ({ publicUrl }: Pick<ConsentsDeps, 'publicUrl'>, question: Question): string =>
  writeSiwe({
    domain: new URL(publicUrl).host,
    address: checksumAddress(question.wallet),
    statement: printable(question.statement),
    uri: `${publicUrl}${question.path}/${question.id}`,
    chainId: question.chainId,
    nonce: question.id,
    issuedAt: question.createdAt,
    expiresAt: question.expiresAt,
  });

/** Verifies the signature of the owner over a decision. @throws AtelierError invalid_signature, chain_unavailable */
export async function requireConsent(
  parts: ConsentsDeps,
  question: Question,
  signature: string,
): Promise<void> {
  const { wallet, chainId } = question;
  const message = Buffer.from(consentMessage(parts, question), 'utf8');
  const why = await notSignedBy(parts, { wallet, chainId, message, signature });
  if (why === undefined) return;
  await parts.record(wallet, 'refused_signature');
  throw new AtelierError('invalid_signature', `Consent rejected: ${why}. Sign the message exactly as shown.`);
}

/** EIP-4361 allows ASCII in one line; other characters are escaped as in JSON. */
const printable = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Shared dependencies of this service. */
export interface ConsentsDeps {
  readonly database: Database;
  readonly publicUrl: string;
  readonly contracts?: ContractWallets;
  readonly clock: () => Date;
  readonly record: Ownership['record'];
}

export const consentNotFound = (): AtelierError => new AtelierError('consent_not_found');
export const consentOver = (): AtelierError => new AtelierError('consent_over');

/** @param what pending requests, such as "key requests" */
export const tooManyRequests = (what: string): AtelierError =>
  new AtelierError(
    'too_many_requests',
    `Too many ${what} are pending. Have a person answer them, or wait 15 minutes.`,
    { retryAfterSeconds: 60 },
  );

const CODE = /^keycode_[A-Za-z0-9_-]{43}$/;

export async function requestKey(
  { database, clock }: ConsentsDeps,
  asked: KeyWish & { askedBy: string },
): Promise<AskedKey> {
  const at = clock();
  const [id, code] = [randomBytes(16).toString('hex'), `keycode_${randomBytes(32).toString('base64url')}`];
  const expiresAt = new Date(at.getTime() + CONSENT_LIFETIME_MS);
  const isKept = await store.insertKeyRequest(database, {
    ...asked,
    id,
    at,
    expiresAt,
    name: keyName(asked.name),
    codeSha256: sha256Of(code),
    openMax: KEY_REQUESTS_OPEN_MAX,
    openOfAllMax: KEY_REQUESTS_OPEN_OF_ALL_MAX,
  });
  if (!isKept) throw tooManyRequests('key requests');
  return { id, code, check: checkOf(id), expiresAt };
}

export async function findKeyRequest(
  { database, clock }: ConsentsDeps,
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

export async function keyMessage(parts: ConsentsDeps, id: string, decision: KeyDecision): Promise<string> {
  return consentMessage(parts, await questionOf(parts, id, decision));
}

export async function decideKey(
  parts: ConsentsDeps,
  id: string,
  decision: KeyDecision & Signed,
): Promise<void> {
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

export async function redeemKey({ database, clock, record }: ConsentsDeps, code: string): Promise<Redeemed> {
  if (!CODE.test(code)) return { state: 'unknown' };
  const [keyId, token] = [`key_${randomBytes(8).toString('hex')}`, newToken('key')];
  const { outcome, wallet } = await store.redeemKeyRequest(database, {
    keyId,
    at: clock(),
    activeMax: KEYS_PER_WALLET_MAX,
    codeSha256: sha256Of(code),
    tokenSha256: sha256Of(token),
  });
  if (outcome !== 'redeemed') return { state: outcome as 'waiting' };
  await record(wallet!, 'key_created', keyId);
  return { state: 'redeemed', token, keyId, wallet: wallet! };
}

/** Reads an open request. @throws AtelierError where it was decided or has expired */
async function questionOf({ database, clock }: ConsentsDeps, id: string, decision: KeyDecision) {
  const row = await store.selectKeyRequest(database, id);
  if (!row) throw consentNotFound();
  const at = clock();
  if (row.isGranted !== null || row.expiresAt <= at) throw consentOver();
  if (decision.keyExpiresAt <= at) throw invalidField('expires_at', 'expires_at must be in the future.');
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

/** Letters and digits that are not easily confused. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const checkOf = (id: string): string => {
  const bytes = createHash('sha256').update(`check ${id}`).digest();
  return [...bytes.subarray(0, 6)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
};
