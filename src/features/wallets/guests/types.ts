import type { WalletKey } from '../ownership/types.ts';

/** Accounts for agents without a wallet: the server makes the wallet and keeps its key until the owner claims it. Also welcome bonuses, bounded by network. */
export interface Guests {
  /**
   * Opens an account. Its wallet is locked, so that only the key opens it.
   * @param address of the client, whose networks get a few welcome bonuses a day
   * @param keyName what the owner sees the key as
   * @throws AtelierError invalid_input for a misleading name
   */
  open(address: string, keyName: string): Promise<GuestAccount>;
  /** Whether a link can still be used. Undefined for an unknown one. */
  find(claimToken: string): Promise<{ readonly wallet: string; readonly claimedAt: Date | null } | undefined>;
  /**
   * Hands out the private key, once, and forgets it.
   * @throws AtelierError claim_not_found for an unknown or used link; claim_unreadable where this server cannot decrypt it
   */
  claim(claimToken: string): Promise<ClaimedAccount>;
  /**
   * Registers a wallet that has signed in for the first time, and grants its welcome bonus while its network has one left today; later
   * sign-ins grant what an earlier one could not.
   * @param address of the client
   * @returns millicredits granted
   */
  welcome(wallet: string, address: string): Promise<number>;
  /** Deletes old counts of bonuses; returns their number. */
  sweep(now: Date): Promise<number>;
}

export interface GuestAccount {
  readonly wallet: string;
  /** Spends within its limits and reads and writes files. Shown once. */
  readonly token: string;
  readonly key: WalletKey;
  /** Millicredits. */
  readonly bonus: number;
  /** Of the link for the owner. Shown once. */
  readonly claimToken: string;
}

export interface ClaimedAccount {
  readonly wallet: string;
  /** 0x and 64 hex digits. */
  readonly privateKey: string;
}
