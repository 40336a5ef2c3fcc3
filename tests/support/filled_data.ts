import { createHash, randomBytes } from 'node:crypto';
import { readConfig } from '../../src/config/config.ts';
import { blobName } from '../../src/core/storage/blobs/blob_name.ts';
import { openStore } from '../../src/core/storage/objects/objects.ts';
import { openData } from '../../src/features/operator/storage/open_data.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';

const WALLET = '0x00000000000000000000000000000000000000b5';

/** First of the wallets with assets, a hundred each, because they have a quota. */
const FIRST_HOLDER = 0xa55e7;

/** The data of an instance that a backup must restore. */
export interface StoredData {
  readonly balance: number;
  readonly assets: number;
  /** Names of blobs that exist with their original bytes. */
  readonly blobs: readonly string[];
}

/**
 * Fills the configured storage: a wallet, rows that take a while to copy, and blobs of random bytes
 * referenced by assets.
 */
export async function fillData(
  settings: Record<string, string>,
  { rows, blobs, blobBytes }: { rows: number; blobs: number; blobBytes: number },
): Promise<void> {
  const config = readConfig({ LOG_LEVEL: 'silent', ...settings });
  const database = await openData(config);
  try {
    const store = (await openStore(config, database)).objectsOf('blobs');
    const names: string[] = [];
    for (let made = 0; made < blobs; made += 1) {
      const bytes = randomBytes(blobBytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await store.replace(blobName(sha256), bytes);
      names.push(sha256);
    }
    await createWallets(database).register(WALLET);
    await database.query(
      `insert into assets (wallet, key, content_type, size_bytes, sha256, created_at, updated_at, metadata)
       select '0x' || lpad(to_hex($2 + n / 100), 40, '0'), 'key ' || n, 'image/png', $3, ($1::text[])[1 + n % $4], now(), now(), repeat(md5(n::text), 20)
       from generate_series(1, $5) n`,
      [names, FIRST_HOLDER, blobBytes, blobs, rows],
    );
  } finally {
    await database.close();
  }
}

/** Opens the storage like a server and reads it. @throws Error if a server would not start on it */
export async function readStoredData(settings: Record<string, string>): Promise<StoredData> {
  const config = readConfig({ LOG_LEVEL: 'silent', ...settings });
  const database = await openData(config);
  try {
    const store = (await openStore(config, database)).objectsOf('blobs');
    const assets = await database.query<{ sha256: string }>('select sha256 from assets');
    const blobs: string[] = [];
    for (const name of [...new Set(assets.map(({ sha256 }) => sha256))].sort()) {
      const bytes = await store.read(blobName(name));
      if (bytes && createHash('sha256').update(bytes).digest('hex') === name) blobs.push(name);
    }
    const wallet = await createWallets(database).find(WALLET);
    return { balance: wallet!.balance, assets: assets.length, blobs };
  } finally {
    await database.close();
  }
}
