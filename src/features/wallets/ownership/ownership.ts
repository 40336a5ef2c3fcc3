import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type InnerList,
  isInnerList,
  type Parameters,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers';
import { SIGNED_REQUEST_LIFETIME_S_MAX } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Proof } from '../../../core/principal.ts';
import type { OwnershipDeps } from './deps.ts';
import { createKey, kindOfToken, newToken, notSignedBy, revokeKey, sha256Of } from './keys.ts';
import {
  CHALLENGE_LIFETIME_MS,
  CLOCK_SKEW_MS,
  SESSION_LIFETIME_MS,
  SIGNATURE_HEADER_CHARACTERS_MAX,
  SIGNED_COMPONENTS_MAX,
  SIGNED_REQUEST_NONCE_CHARACTERS_MAX,
  WALLET_EVENTS_LIFETIME_MS,
} from './limits.ts';
import { checksumAddress } from './recover_address.ts';
import { readSiwe, type SiweMessage, writeSiwe } from './siwe.ts';
import * as store from './store.ts';
import type { Budget, Challenge, HoldRequest, Ownership, Session, SignedRequest } from './types.ts';

/** @param why completes "The signed message is not accepted: …" */
const badSignature = (why: string, wallet: string): AtelierError =>
  new AtelierError('invalid_signature', `Proof rejected: ${why}.`, {
    members: {
      next_steps: [
        {
          action: 'Request a new message',
          cost: 'free',
          endpoint: 'POST /api/wallet/challenge',
          why: 'Sign it unchanged (personal_sign, EIP-191) and send it to POST /api/wallet/session',
          params: { wallet },
        },
      ],
    },
  });

/** Required coverage of a request signature, in the form of RFC 9421 (5.1). */
const WANTED =
  'wallet=("@method" "@authority" "@path" "@query" "content-digest");created;expires;nonce;keyid;tag="erc8128"';

/** @param base the expected signature base, if it was computed */
const badSignedRequest = (why: string, base?: string): AtelierError =>
  new AtelierError('invalid_signature', `Request signature rejected: ${why}.`, {
    headers: { 'Accept-Signature': WANTED },
    members: {
      ...(base !== undefined && { signature_base: base }),
      next_steps: [
        {
          action: 'Sign the request again',
          cost: 'free',
          endpoint: 'GET /.well-known/erc8128',
          why: 'Lists the components a signature must cover and its maximum lifetime',
        },
      ],
    },
  });

const invalidToken = (detail: string): AtelierError =>
  new AtelierError(
    'invalid_token',
    `${detail} To start a session, call POST /api/wallet/challenge; to create a key, POST /api/wallet/keys.`,
    { headers: { 'WWW-Authenticate': 'Bearer realm="atelier", error="invalid_token"' } },
  );

/** Reason for rejecting a signed request; the message completes "Request signature rejected: …" */
class SignatureProblem extends Error {}

interface WalletSignature {
  /** Covered components and parameters. */
  readonly covered: InnerList;
  readonly chainId: number;
  /** Lower case. */
  readonly wallet: string;
  /** 0x and hex. */
  readonly signature: string;
}

/** CAIP-10 as in the current ERC-8128, and the form of its drafts until August 2026, which clients still send. */
const KEY_ID = /^(?:eip155|erc8128):([1-9]\d{0,15}):(0x[0-9a-fA-F]{40})$/;
const TAG = 'erc8128';

/** The wallet signature of a request. Other signatures, such as those of proxies and bots, are ignored. @throws SignatureProblem */
function walletSignature({ header }: Pick<SignedRequest, 'header'>): WalletSignature {
  const inputs = dictionary('Signature-Input', header('signature-input'));
  const candidates = [...inputs].filter(([, value]) => {
    const { keyid, tag } = isInnerList(value) ? parametersOf(value) : {};
    return tag === TAG || KEY_ID.test(String(keyid));
  });
  const [[label, covered] = [], second] = candidates;
  if (label === undefined || !covered || !isInnerList(covered)) {
    throw new SignatureProblem(
      'no signature in it names a wallet: keyid must be "eip155:<chain>:<address>", such as "eip155:1:0x52908400098527886e0f7030069857d2e4169ee7"',
    );
  }
  if (second) throw new SignatureProblem('two signatures in it name a wallet; send one');
  const { keyid, tag, alg } = parametersOf(covered);
  const [, chain, address] = KEY_ID.exec(String(keyid)) ?? [];
  if (!address || !Number.isSafeInteger(Number(chain))) {
    throw new SignatureProblem('its keyid is not of the form "eip155:<chain>:<address>"');
  }
  if (tag !== undefined && tag !== TAG) throw new SignatureProblem(`its tag must be "${TAG}"`);
  if (alg !== undefined)
    throw new SignatureProblem('it names an algorithm; leave alg out, because keyid determines it');
  if (covered[0].length > SIGNED_COMPONENTS_MAX)
    throw new SignatureProblem(`it covers more than ${SIGNED_COMPONENTS_MAX} components`);
  return {
    covered,
    chainId: Number(chain),
    wallet: address.toLowerCase(),
    signature: signatureOf(label, header('signature')),
  };
}

function signatureOf(label: string, header: string | undefined): string {
  const value = dictionary('Signature', header).get(label)?.[0];
  if (!(value instanceof ArrayBuffer))
    throw new SignatureProblem(`the field Signature has no bytes under the label "${label}"`);
  return `0x${Buffer.from(value).toString('hex')}`;
}

const parametersOf = (covered: InnerList): Record<string, unknown> => Object.fromEntries(covered[1]);

function dictionary(name: string, text: string | undefined): ReturnType<typeof parseDictionary> {
  if (text === undefined) throw new SignatureProblem(`the field ${name} is missing`);
  if (text.length > SIGNATURE_HEADER_CHARACTERS_MAX)
    throw new SignatureProblem(
      `the field ${name} is longer than ${SIGNATURE_HEADER_CHARACTERS_MAX} characters`,
    );
  try {
    return parseDictionary(text);
  } catch {
    throw new SignatureProblem(`the field ${name} is not a dictionary (RFC 9651)`);
  }
}

/**
 * Verifies a signed request (RFC 9421, RFC 9530; ERC-8128 for the required coverage). Checks without the database run first; the
 * nonce is used last, and only by its signer.
 */
async function proofOfRequest(
  parts: OwnershipDeps,
  request: SignedRequest,
  record: Ownership['record'],
): Promise<Proof> {
  const signature = orRefuse(() => walletSignature(request));
  const { wallet } = signature;
  try {
    const { nonce, expiresAt } = checkTerms(signature.covered, parts.clock());
    checkCoverage(signature.covered, request);
    const base = signedText(signature.covered, asSigned(request, parts.publicUrl));
    await checkSigned(parts, signature, base);
    if (await store.useNonce(parts.database, { wallet, nonce, expiresAt })) return { wallet, by: 'request' };
    throw new SignatureProblem('its nonce was already used; every request needs a new one');
  } catch (error) {
    if (!(error instanceof SignatureProblem)) throw error;
    await record(wallet, 'refused_signature', 'signed request');
    throw badSignedRequest(error.message, error instanceof NotSigned ? error.base : undefined);
  }
}

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SignatureProblem ? badSignedRequest(error.message) : error;
  }
}

/** Validity period of the signature, and its single-use nonce. */
function checkTerms([, parameters]: InnerList, at: Date): { nonce: string; expiresAt: Date } {
  const [created, expires] = [seconds(parameters.get('created')), seconds(parameters.get('expires'))];
  const nonce = parameters.get('nonce');
  if (created === undefined || expires === undefined)
    throw new SignatureProblem('it needs created and expires, in whole seconds since 1970');
  if (typeof nonce !== 'string' || nonce.length < 8 || nonce.length > SIGNED_REQUEST_NONCE_CHARACTERS_MAX)
    throw new SignatureProblem(`it needs a nonce of 8 to ${SIGNED_REQUEST_NONCE_CHARACTERS_MAX} characters`);
  if (created * 1000 > at.getTime() + CLOCK_SKEW_MS)
    throw new SignatureProblem('it is not valid yet: created is in the future');
  if (expires <= created || expires - created > SIGNED_REQUEST_LIFETIME_S_MAX) {
    throw new SignatureProblem(
      `expires must be after created, by at most ${SIGNED_REQUEST_LIFETIME_S_MAX} seconds`,
    );
  }
  if (expires * 1000 <= at.getTime()) throw new SignatureProblem('it has expired');
  return { nonce, expiresAt: new Date(expires * 1000) };
}

const seconds = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e12 ? value : undefined;

/** Components that must be covered, so that the signature is valid for this request only. */
function checkCoverage([items]: InnerList, request: SignedRequest): void {
  const covered = new Set(items.filter(([, parameters]) => parameters.size === 0).map(([name]) => name));
  const hasBody = request.body.sizeBytes > 0;
  const hasQuery = request.target.includes('?');
  const needed = [
    '@method',
    '@authority',
    '@path',
    ...(hasQuery ? ['@query'] : []),
    ...(hasBody ? ['content-digest'] : []),
  ];
  const missing = needed.filter(
    (name) => !covered.has(name) && !(isOfTarget(name) && covered.has('@target-uri')),
  );
  if (missing.length > 0)
    throw new SignatureProblem(`it must also cover ${missing.map((name) => `"${name}"`).join(', ')}`);
  if (hasBody || covered.has('content-digest')) checkContentDigest(request);
}

/** Whether a component is part of the URL, which `@target-uri` covers. */
const isOfTarget = (name: string): boolean => name !== '@method' && name.startsWith('@');

/**
 * The request as its sender saw it: a proxy may have changed Host and removed a path prefix. The signature must be for this
 * service, however it was reached.
 */
function asSigned({ method, target, header }: SignedRequest, publicUrl: string) {
  const { host, protocol, pathname } = new URL(publicUrl);
  const prefix = pathname.replace(/\/+$/, '');
  return { method, header, scheme: protocol.slice(0, -1), authority: host, target: `${prefix}${target}` };
}

class NotSigned extends SignatureProblem {
  readonly base: string;

  constructor(why: string, base: string) {
    super(why);
    this.base = base;
  }
}

async function checkSigned(
  parts: OwnershipDeps,
  { wallet, chainId, signature }: WalletSignature,
  base: string,
): Promise<void> {
  const message = Buffer.from(base, 'latin1');
  const why = await notSignedBy(parts, { wallet, chainId, message, signature });
  if (why) throw new NotSigned(`${why}; signature_base shows the message as this server sees it`, base);
}

/**
 * Verifies Content-Digest (RFC 9530) against the received body. Every supported digest must match, and there must be one; others
 * are ignored. @throws SignatureProblem
 */
export function checkContentDigest({ header, body }: Pick<SignedRequest, 'header' | 'body'>): void {
  const text = header('content-digest');
  if (text === undefined) throw new SignatureProblem('the field Content-Digest is missing');
  const named = digestsIn(text);
  const checked = Object.entries(body.digests).filter(([name]) => named.has(name));
  if (checked.length === 0) throw new SignatureProblem('Content-Digest names neither sha-256 nor sha-512');
  for (const [name, digest] of checked) {
    const value = named.get(name)?.[0];
    const sent = value instanceof ArrayBuffer ? Buffer.from(value) : Buffer.alloc(0);
    if (sent.length !== digest.length || !timingSafeEqual(sent, digest))
      throw new SignatureProblem(`the ${name} in Content-Digest does not match the body received`);
  }
}

function digestsIn(text: string): ReturnType<typeof parseDictionary> {
  try {
    return parseDictionary(text);
  } catch {
    throw new SignatureProblem('the field Content-Digest is not a dictionary (RFC 9651)');
  }
}

/** The parts of a request that a signature can cover, as the signer saw them. */
export interface HttpMessage {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  /** Path and query. */
  readonly target: string;
  header(name: string): string | undefined;
}

/**
 * The signature base (RFC 9421, 2.5): one line per covered component, then the parameters of the signature.
 * @throws SignatureProblem for a missing, repeated or unsupported component
 */
export function signedText(covered: InnerList, message: HttpMessage): string {
  const seen = new Set<string>();
  const lines = covered[0].map(([name, parameters]) => {
    const identifier = serializeItem([name, parameters]);
    if (typeof name !== 'string' || seen.has(identifier))
      throw new SignatureProblem(`the component ${identifier} occurs twice or is not a string`);
    seen.add(identifier);
    return `${identifier}: ${componentValue(name, parameters, message)}`;
  });
  return [...lines, `"@signature-params": ${serializeInnerList(covered)}`].join('\n');
}

function componentValue(name: string, parameters: Parameters, message: HttpMessage): string {
  if (name === '@query-param') return queryParameter(parameters, message);
  if (parameters.size > 0) {
    throw new SignatureProblem(
      `the component "${name}" has unsupported parameters (${[...parameters.keys()].join(', ')}); cover it without them`,
    );
  }
  if (name.startsWith('@')) return deriveComponent(name, message);
  const value = /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? message.header(name) : undefined;
  if (value === undefined) throw new SignatureProblem(`the component "${name}" is not in the request`);
  return value.trim();
}

/** RFC 9421, 2.2. Schemes and authorities in lower case, without a default port. */
function deriveComponent(name: string, { method, scheme, authority, target }: HttpMessage): string {
  const [path, query] = splitTarget(target);
  switch (name) {
    case '@method':
      return method;
    case '@scheme':
      return scheme;
    case '@authority':
      return authority;
    case '@target-uri':
      return `${scheme}://${authority}${target}`;
    case '@request-target':
      return target;
    case '@path':
      return path;
    case '@query':
      return query;
    default:
      throw new SignatureProblem(`"${name}" is not a component of a request`);
  }
}

/** Path and query; an absent query is "?" (RFC 9421, 2.2.7). */
function splitTarget(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target || '/', '?'] : [target.slice(0, at) || '/', target.slice(at)];
}

/** RFC 9421, 2.2.8: decoded as a form and encoded again; a repeated parameter cannot be covered. */
function queryParameter(parameters: Parameters, { target }: HttpMessage): string {
  const name = parameters.get('name');
  if (typeof name !== 'string' || parameters.size !== 1)
    throw new SignatureProblem('"@query-param" takes one parameter, "name"');
  const found = [...new URLSearchParams(splitTarget(target)[1])].filter(
    ([key]) => encodeURIComponent(key) === name,
  );
  if (found.length !== 1)
    throw new SignatureProblem(`the query has the parameter "${name}" ${found.length} times, not once`);
  return encodeURIComponent(found[0]![1]);
}

/** Holds credits and updates the budget of the key in one statement. */
async function holdWithin(
  { database, clock }: OwnershipDeps,
  { keyId, call, record }: { keyId: string; call: HoldRequest; record: Ownership['record'] },
): ReturnType<Ownership['hold']> {
  const { outcome, ...budget } = await store.hold(database, { ...call, keyId, at: clock() });
  const { id, wallet, amount, tool } = call;
  switch (outcome) {
    case 'held':
      return { hold: { id, wallet, amount, tool }, budget };
    case 'differs':
      throw new Error(`The id ${id} was already used for another hold.`);
    case 'key_ended':
      await record(wallet, 'refused_key', keyId);
      throw invalidToken('The key has expired or was revoked.');
    case 'over_total':
    case 'over_day':
      await record(wallet, 'refused_budget', keyId);
      throw budgetRefusal(outcome, budget, amount, clock());
    default:
      throw new AtelierError(outcome);
  }
}

function budgetRefusal(
  outcome: 'over_total' | 'over_day',
  budget: Budget,
  amount: number,
  at: Date,
): AtelierError {
  const isDaily = outcome === 'over_day';
  const [cap, used] = isDaily
    ? [budget.maxDaily ?? 0, budget.spentToday]
    : [budget.maxTotal ?? 0, budget.spent];
  const left = (cap - used) / 1000;
  return new AtelierError(
    'budget_refused',
    `This call costs ${creditsOf(amount)}, and the key has ${left} of its ${creditsOf(cap)} left ${isDaily ? 'today (resets at midnight UTC)' : 'in all'}. You were not charged. Buying credits does not help: the owner of the wallet sets the budget.`,
    {
      members: {
        budget: {
          cap: isDaily ? 'daily' : 'total',
          max_credits: cap / 1000,
          used: used / 1000,
          remaining: left,
          ...(isDaily && { resets_at: nextMidnight(at) }),
        },
      },
    },
  );
}

/** Budget days are UTC days. */
const nextMidnight = (at: Date): string =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)).toISOString();

const creditsOf = (millicredits: number): string =>
  `${millicredits / 1000} ${millicredits === 1000 ? 'credit' : 'credits'}`;

/** Creates the ownership service. @param clock time source for expiry and for the day of a budget */
export function createOwnership(options: Omit<OwnershipDeps, 'clock'> & { clock?: () => Date }): Ownership {
  const parts: OwnershipDeps = { clock: () => new Date(), ...options };
  const { database, clock } = parts;
  const record: Ownership['record'] = (wallet, event, about = '') =>
    store.insertEvent(database, { wallet, event, about, at: clock() });
  return {
    lockedAt: async (wallet) => (await store.selectOwner(database, wallet))?.lockedAt ?? undefined,
    stateOf: (wallet) => stateOf(parts, wallet),
    challenge: (wallet, chainId) => challenge(parts, wallet, chainId),
    openSession: (signed) => openSession(parts, signed, record),
    proofOf: (token) => proofOf(parts, token, record),
    proofOfRequest: (request) => proofOfRequest(parts, request, record),
    async lock(wallet, token) {
      const keptSha256 = token === undefined ? undefined : sha256Of(token);
      const lockedAt = await store.lock(database, { wallet, at: clock(), keptSha256 });
      await record(wallet, 'locked');
      return lockedAt;
    },
    async unlock(wallet) {
      await store.unlock(database, wallet);
      await record(wallet, 'unlocked');
    },
    createKey: (wallet, key) => createKey(parts, { wallet, key, record }),
    keys: (wallet) => store.selectKeys(database, wallet, clock()),
    isKeyInForce: (wallet, id) => store.isKeyInForce(database, { wallet, id, at: clock() }),
    revokeKey: (wallet, id) => revokeKey(parts, { wallet, id, record }),
    hold: (keyId, call) => holdWithin(parts, { keyId, call, record }),
    record,
    events: (wallet) => store.selectEvents(database, wallet),
    sweep: (now) => store.sweep(database, now, new Date(now.getTime() - WALLET_EVENTS_LIFETIME_MS)),
  };
}

async function stateOf({ database }: OwnershipDeps, wallet: string): ReturnType<Ownership['stateOf']> {
  const owner = await store.selectOwner(database, wallet);
  if (!owner) return { state: 'open' };
  const { claimedAt, lockedAt } = owner;
  return lockedAt ? { state: 'locked', claimedAt, lockedAt } : { state: 'claimed', claimedAt };
}

/** Statement in the message to sign. */
const STATEMENT =
  'Open a session of 12 hours that may spend the credits of this wallet, lock and unlock it, and make keys. It moves nothing on any chain.';

async function challenge(
  { database, publicUrl, contracts, clock }: OwnershipDeps,
  wallet: string,
  chainId: number,
): Promise<Challenge> {
  const issuedAt = clock();
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_LIFETIME_MS);
  const nonce = randomBytes(16).toString('hex');
  await store.insertChallenge(database, { nonce, wallet, chainId, expiresAt });
  const message = writeSiwe({
    domain: new URL(publicUrl).host,
    address: checksumAddress(wallet),
    statement: STATEMENT,
    uri: publicUrl,
    chainId,
    nonce,
    issuedAt,
    expiresAt,
  });
  return { message, nonce, expiresAt, supported: contracts ? ['eoa', 'contract'] : ['eoa'] };
}

/** Verifies a bearer token, in one statement. */
async function proofOf(parts: OwnershipDeps, token: string, record: Ownership['record']): Promise<Proof> {
  const kind = kindOfToken(token);
  if (kind === 'sess') return proofOfSession(parts, token);
  if (kind === 'key') return proofOfKey(parts, token, record);
  throw invalidToken('It is malformed. Send it complete, exactly as shown.');
}

async function proofOfSession({ database, clock }: OwnershipDeps, token: string): Promise<Proof> {
  const session = await store.selectSession(database, sha256Of(token));
  if (!session) throw invalidToken('The session is unknown or has ended.');
  if (session.expiresAt <= clock()) throw invalidToken('The session has ended.');
  return { wallet: session.wallet, by: 'session' };
}

async function proofOfKey(
  { database, clock }: OwnershipDeps,
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

/** Opens a session. Checks without the database run first; the nonce is used last, and only by its owner. */
async function openSession(
  parts: OwnershipDeps,
  { message, signature }: { message: string; signature: string },
  record: Ownership['record'],
): Promise<Session> {
  const siwe = readSiwe(message);
  if (!siwe) {
    throw invalidField(
      'message',
      'message is not an EIP-4361 message. Send the text from POST /api/wallet/challenge unchanged.',
    );
  }
  const wallet = siwe.address.toLowerCase();
  const at = parts.clock();
  const bytes = Buffer.from(message, 'utf8');
  const why =
    siweProblem(siwe, parts.publicUrl, at) ??
    (await notSignedBy(parts, { wallet, chainId: siwe.chainId, message: bytes, signature }));
  const token = newToken('sess');
  const expiresAt = new Date(at.getTime() + SESSION_LIFETIME_MS);
  const { nonce, chainId } = siwe;
  const session = { nonce, wallet, chainId, tokenSha256: sha256Of(token), at, expiresAt };
  if (why === undefined && (await store.openSession(parts.database, session))) {
    await record(wallet, 'session_opened');
    return { token, wallet, expiresAt };
  }
  await record(wallet, 'refused_signature');
  throw badSignature(
    why ??
      'the nonce was already used, has expired, or was issued for another wallet or chain; a message is valid once',
    wallet,
  );
}

/** The reason why a message is not valid for this service at this time. */
function siweProblem(siwe: SiweMessage, publicUrl: string, at: Date): string | undefined {
  const { host, origin, protocol } = new URL(publicUrl);
  const now = at.getTime();
  if (siwe.domain !== host) return `it is for ${siwe.domain}, but this server is ${host}`;
  if (siwe.scheme && `${siwe.scheme}:` !== protocol)
    return `it is for ${siwe.scheme}:, but this server uses ${protocol}`;
  if (!URL.canParse(siwe.uri) || new URL(siwe.uri).origin !== origin)
    return `its URI does not belong to ${origin}`;
  if (siwe.issuedAt.getTime() > now + CLOCK_SKEW_MS) return 'it was issued in the future';
  if (siwe.notBefore && siwe.notBefore.getTime() > now + CLOCK_SKEW_MS) return 'it is not valid yet';
  if (siwe.expiresAt && siwe.expiresAt.getTime() <= now) return 'it has expired';
  return undefined;
}
