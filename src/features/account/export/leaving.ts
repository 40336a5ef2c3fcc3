import { closeWallet } from './close_wallet.ts';
import type { LeavingOptions, Parts } from './deps.ts';
import { exportWallet } from './export_wallet.ts';
import { importWallet } from './import_wallet.ts';
import { OWNER } from './limits.ts';
import { createManifestReader } from './read_manifest.ts';
import type { Leaving } from './types.ts';

export function createLeaving(options: LeavingOptions): Leaving {
  const parts: Parts = { clock: () => new Date(), readManifest: createManifestReader(), ...options };
  return {
    exportWallet: (wallet) => exportWallet(parts, wallet),
    importWallet: (wallet, archive, how) => importWallet(parts, wallet, archive, how),
    close: (wallet, how) => closeWallet(parts, wallet, how),
    async reopen(wallet) {
      const rows = await parts.database.query(
        'delete from blocked_wallets where wallet = $1 and who = $2 returning wallet',
        [wallet, OWNER],
      );
      return rows.length > 0;
    },
  };
}
