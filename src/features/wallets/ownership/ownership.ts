import { randomBytes } from 'node:crypto';
import { checksumAddress } from './checksum_address.ts';
import type { Parts } from './deps.ts';
import { holdWithin } from './hold_within.ts';
import { createKey, revokeKey } from './keys.ts';
import { CHALLENGE_LIFETIME_MS, WALLET_EVENTS_LIFETIME_MS } from './limits.ts';
import { proofOfRequest } from './proof_of_request.ts';
import { proofOf } from './proof_of_token.ts';
import { openSession } from './session.ts';
import { writeSiwe } from './siwe.ts';
import * as store from './store.ts';
import { sha256Of } from './token.ts';
import type { Challenge, Ownership } from './types.ts';

/** @param clock decides what has expired and which day a budget is on */
export function createOwnership(options: Omit<Parts, 'clock'> & { clock?: () => Date }): Ownership {
  const parts: Parts = { clock: () => new Date(), ...options };
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
    revokeKey: (wallet, id) => revokeKey(parts, { wallet, id, record }),
    hold: (keyId, call) => holdWithin(parts, { keyId, call, record }),
    record,
    events: (wallet) => store.selectEvents(database, wallet),
    sweep: (now) => store.sweep(database, now, new Date(now.getTime() - WALLET_EVENTS_LIFETIME_MS)),
  };
}

async function stateOf({ database }: Parts, wallet: string): ReturnType<Ownership['stateOf']> {
  const owner = await store.selectOwner(database, wallet);
  if (!owner) return { state: 'open' };
  const { claimedAt, lockedAt } = owner;
  return lockedAt ? { state: 'locked', claimedAt, lockedAt } : { state: 'claimed', claimedAt };
}

/** Said to the person who signs. */
const STATEMENT =
  'Open a session of 12 hours that may spend the credits of this wallet, lock and unlock it, and make keys. It moves nothing on any chain.';

async function challenge(
  { database, publicUrl, contracts, clock }: Parts,
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
