import { randomBytes } from 'node:crypto';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Sealer } from '../../../core/keys/signer.ts';
import { addressPrefixes } from '../../../core/rate_limits/rate_limits.ts';
import { keyName, sha256Of } from '../ownership/keys.ts';
import { newPrivateKey } from '../ownership/recover_address.ts';
import type { Ownership, WalletKey } from '../ownership/types.ts';
import type { Wallets } from '../types.ts';
import { BONUS_COUNTS_LIFETIME_DAYS, GUEST_CREDITS_A_DAY, GUEST_CREDITS_IN_ALL } from './limits.ts';
import * as store from './store.ts';

interface GuestsDeps {
  readonly database: Database;
  readonly wallets: Pick<Wallets, 'register' | 'isRegistered' | 'hasWelcome' | 'welcome'>;
  readonly ownership: Pick<Ownership, 'lock' | 'createKey'>;
  readonly sealer: Sealer;
  /** Welcome bonuses per day for guest accounts and first sign-ins, per address and per /48. 0: none. */
  readonly bonusesADay: number;
  readonly clock?: () => Date;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const DAY_MS = 86_400_000;

export function createGuests(deps: GuestsDeps): Guests {
  const { database, wallets, clock = () => new Date() } = deps;
  const lookUp = async (token: string) =>
    TOKEN.test(token) ? store.find(database, sha256Of(token)) : undefined;
  return {
    open: (address, name) => openAccount({ ...deps, clock }, { address, keyName: keyName(name) }),
    async find(token) {
      const found = await lookUp(token);
      return found && { wallet: found.wallet, claimedAt: found.claimedAt };
    },
    async claim(token) {
      const found = await lookUp(token);
      if (!found?.sealedKey) throw notFound();
      const key = deps.sealer.open(found.sealedKey, found.wallet);
      // Decrypts before the key is deleted: a server with another secret must not lose it.
      if (!key) throw new AtelierError('claim_unreadable');
      if (!(await store.claim(database, { claimSha256: sha256Of(token), at: clock() }))) throw notFound();
      return {
        wallet: found.wallet,
        privateKey: `0x${Buffer.from(key).toString('hex')}`,
      } satisfies ClaimedAccount;
    },
    async welcome(wallet, address) {
      if (await wallets.hasWelcome(wallet)) return 0;
      const hasBonus = await takeBonus({ ...deps, clock }, address);
      if (!(await wallets.isRegistered(wallet)))
        return (await wallets.register(wallet, { isProved: true, hasBonus })).bonus;
      return hasBonus ? wallets.welcome(wallet) : 0;
    },
    sweep: (now) => store.sweep(database, new Date(now.getTime() - BONUS_COUNTS_LIFETIME_DAYS * DAY_MS)),
  };
}

/** Locks the wallet before it has credits and before its address is known. */
async function openAccount(
  deps: GuestsDeps & { readonly clock: () => Date },
  { address, keyName: name }: { address: string; keyName: string },
): Promise<GuestAccount> {
  const { database, wallets, ownership, sealer, clock } = deps;
  const { privateKey, address: wallet } = newPrivateKey();
  const claimToken = randomBytes(32).toString('base64url');
  const sealedKey = sealer.seal(privateKey, wallet);
  await ownership.lock(wallet, undefined);
  await store.insert(database, { wallet, claimSha256: sha256Of(claimToken), sealedKey, at: clock() });
  const hasBonus = await takeBonus(deps, address);
  const { bonus } = await wallets.register(wallet, { isProved: false, hasBonus });
  const { key, token } = await ownership.createKey(wallet, {
    name,
    scopes: ['spend', 'assets:read', 'assets:write', 'account:read'],
    maxDaily: GUEST_CREDITS_A_DAY * MILLICREDITS_PER_CREDIT,
    maxTotal: GUEST_CREDITS_IN_ALL * MILLICREDITS_PER_CREDIT,
  });
  return { wallet, token, key, bonus, claimToken };
}

/** Counts a bonus for the address and, for IPv6, its /48, the usual size of one site (RFC 6177). */
async function takeBonus(
  { database, bonusesADay, clock }: GuestsDeps & { readonly clock: () => Date },
  address: string,
): Promise<boolean> {
  if (bonusesADay === 0) return false;
  const prefixes = addressPrefixes(address);
  const networks = [...new Set([prefixes[0]!, prefixes.at(-1)!])];
  try {
    return await database.transaction(async (tx) => {
      const taken = await store.takeBonus(tx, { day: clock(), networks, most: bonusesADay });
      if (taken < networks.length) throw new UsedUp();
      return true;
    });
  } catch (error) {
    if (error instanceof UsedUp) return false;
    throw error;
  }
}

/** Aborts the transaction, which reverts the count of the other network. */
class UsedUp extends Error {}

const notFound = (): AtelierError => new AtelierError('claim_not_found');

/** Accounts for agents without a wallet: the server makes the wallet and keeps its key until the owner claims it. Also welcome bonuses, bounded by network. */
export interface Guests {
  /**
   * Opens an account. Its wallet is locked, so that only the key gives access.
   * @param address of the client, whose networks get a limited number of welcome bonuses per day
   * @param keyName name of the key, as its owner sees it
   * @throws AtelierError invalid_input for a misleading name
   */
  open(address: string, keyName: string): Promise<GuestAccount>;
  /** The wallet of a claim link, and when it was claimed. Undefined for an unknown link. */
  find(claimToken: string): Promise<{ readonly wallet: string; readonly claimedAt: Date | null } | undefined>;
  /**
   * Returns the private key, once, and deletes it.
   * @throws AtelierError claim_not_found for an unknown or used link; claim_unreadable where this server cannot decrypt it
   */
  claim(claimToken: string): Promise<ClaimedAccount>;
  /**
   * Registers a wallet at its first sign-in, and grants its welcome bonus if its network has one left today; otherwise a later
   * sign-in grants it.
   * @param address of the client
   * @returns millicredits granted
   */
  welcome(wallet: string, address: string): Promise<number>;
  /** Deletes old counts of bonuses; returns their number. */
  sweep(now: Date): Promise<number>;
}

interface GuestAccount {
  readonly wallet: string;
  /** Token of the key, which can spend within its limits and read and write files. Shown once. */
  readonly token: string;
  readonly key: WalletKey;
  /** Millicredits. */
  readonly bonus: number;
  /** Token in the claim link for the owner. Shown once. */
  readonly claimToken: string;
}

export interface ClaimedAccount {
  readonly wallet: string;
  /** 0x and 64 hex digits. */
  readonly privateKey: string;
}
