import { createHash, randomBytes } from 'node:crypto';
import { KEY_NAME_CHARACTERS_MAX } from '../../../config/limits.ts';
import type { Queryable } from '../../../core/database/types.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { OwnershipDeps } from './deps.ts';
import { KEY_LIFETIME_MS_MAX, KEYS_PER_WALLET_MAX } from './limits.ts';
import { personalHash, recoverSigner } from './recover_address.ts';
import * as store from './store.ts';
import { insertEvent, revokeAnyKey } from './store.ts';
import type { NewKey, Ownership, WalletKey } from './types.ts';

/** A token of 256 random bits: `atl_sess_…` grants full access to a wallet, `atl_key_…` what its owner allowed. */
export const newToken = (kind: 'sess' | 'key'): string =>
  `atl_${kind}_${randomBytes(32).toString('base64url')}`;

const TOKEN = /^atl_(sess|key)_[A-Za-z0-9_-]{43}$/;

/** The kind of a token by its prefix; undefined where it is not one of ours. */
export const kindOfToken = (token: string): 'sess' | 'key' | undefined =>
  TOKEN.exec(token)?.[1] as 'sess' | 'key' | undefined;

/** The stored form of a token. A token has enough entropy for a plain hash. */
export const sha256Of = (token: string): string => createHash('sha256').update(token).digest('hex');

export async function createKey(
  { database, clock }: OwnershipDeps,
  { wallet, key, record }: { wallet: string; key: NewKey; record: Ownership['record'] },
): Promise<{ key: WalletKey; token: string }> {
  const at = clock();
  const name = keyName(key.name);
  checkEnd(key.expiresAt, at);
  const [id, token] = [`key_${randomBytes(8).toString('hex')}`, newToken('key')];
  const row = { ...key, name, id, tokenSha256: sha256Of(token), wallet, at, activeMax: KEYS_PER_WALLET_MAX };
  if (!(await store.insertKey(database, row))) {
    throw invalidField(
      'name',
      `This wallet has ${KEYS_PER_WALLET_MAX} active keys, the maximum. Revoke one: DELETE /api/wallet/keys/{id}.`,
    );
  }
  await record(wallet, 'key_created', id);
  return { key: keyOf(row), token };
}

const keyOf = ({
  id,
  name,
  scopes,
  tools,
  maxTotal,
  maxDaily,
  at,
  expiresAt,
}: NewKey & { id: string; at: Date }) => ({
  id,
  name,
  scopes: [...scopes],
  tools: tools ? [...tools] : null,
  maxTotal: maxTotal ?? null,
  spent: 0,
  maxDaily: maxDaily ?? null,
  spentToday: 0,
  createdAt: at,
  expiresAt: expiresAt ?? null,
  revokedAt: null,
});

function checkEnd(expiresAt: Date | undefined, at: Date): void {
  if (!expiresAt) return;
  const leftMs = expiresAt.getTime() - at.getTime();
  if (leftMs > 0 && leftMs <= KEY_LIFETIME_MS_MAX) return;
  throw invalidField('expires_at', 'expires_at must be in the future, within 10 years.', {
    expected: 'a future time, such as 2030-01-01T00:00:00Z',
  });
}

export async function revokeKey(
  { database, clock }: OwnershipDeps,
  { wallet, id, record }: { wallet: string; id: string; record: Ownership['record'] },
): Promise<WalletKey> {
  const key = await store.revokeKey(database, { wallet, id, at: clock() });
  if (!key) {
    throw new AtelierError(
      'key_not_found',
      `This wallet has no key ${JSON.stringify(id.slice(0, 40))}. GET /api/wallet/keys lists all.`,
    );
  }
  await record(wallet, 'key_revoked', id);
  return key;
}

/**
 * Normalises the name of a key: NFC, trimmed. Refuses invisible and bidirectional control characters: two keys with names that look
 * alike could lead to revoking the wrong one.
 * @throws AtelierError invalid_input
 */
export function keyName(text: string): string {
  const name = text.normalize('NFC').trim();
  const isPlain =
    name.isWellFormed() && !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u.test(name);
  if (name !== '' && [...name].length <= KEY_NAME_CHARACTERS_MAX && isPlain) return name;
  throw invalidField(
    'name',
    `name must be 1 to ${KEY_NAME_CHARACTERS_MAX} visible characters: letters, digits, spaces and symbols, without invisible or bidirectional control characters.`,
    { expected: `1 to ${KEY_NAME_CHARACTERS_MAX} visible characters` },
  );
}

/** Revokes a key of any wallet; its owner sees it in the events of the wallet. False where no valid key has this id. */
export async function endKey(
  { database, clock }: Pick<OwnershipDeps, 'clock'> & { readonly database: Queryable },
  id: string,
): Promise<boolean> {
  const at = clock();
  const wallet = await revokeAnyKey(database, { id, at });
  if (wallet === undefined) return false;
  await insertEvent(database, { wallet, event: 'key_revoked', about: `${id} by the operator`, at });
  return true;
}

interface Claim {
  /** Lower case. */
  readonly wallet: string;
  readonly chainId: number;
  readonly message: Uint8Array;
  /** 0x and hex. */
  readonly signature: string;
}

/**
 * Why the signature is not valid for the wallet and message (EIP-191); undefined where it is valid. An ECDSA signature is checked
 * first, without the chain: the holder of the private key owns the address, whatever code runs there (EIP-7702).
 * @throws AtelierError chain_unavailable, busy
 */
export async function notSignedBy(
  { contracts }: Pick<OwnershipDeps, 'contracts'>,
  { wallet, chainId, message, signature }: Claim,
): Promise<string | undefined> {
  if (recoverSigner(message, signature) === wallet) return undefined;
  const notOfKey = `the signature is not one of ${wallet} over this message (EIP-191, 65 bytes in hex)`;
  if (!contracts) {
    return `${notOfKey}. If the wallet is a contract: this server cannot verify contract wallets, because its operator has not set EVM_RPC_URL`;
  }
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(signature)) return notOfKey;
  const verdict = await contracts.judge({ wallet, chainId, hash: personalHash(message), signature });
  return verdict.accepted ? undefined : verdict.why;
}
