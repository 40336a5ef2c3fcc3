import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { type Config, isSecret } from '../../../config/config.ts';
import type { Database } from '../../database/types.ts';
import { receiptKey } from '../../keys/receipt_key.ts';
import { signingSecret } from '../../keys/signing_secret.ts';
import { joinNeighbours } from './neighbours.ts';

/**
 * Settings that servers of one database must share: who is paid and how, what is counted over all of them, what one signs or keeps and another
 * reads. The rest is a matter of each machine. Prices of tools come with the version, and may differ while servers are upgraded.
 */
const SHARED = [
  ...['SIGNING_SECRET', 'RECEIPT_KEY', 'PUBLIC_URL', 'STORAGE_URL', 'ALLOWED_ORIGINS', 'IIIF'],
  ...['VOUCHING_DOMAINS', 'VOUCHING_WALLET', 'VOUCHING_SIGNATURE', 'C2PA_CERTIFICATE', 'C2PA_KEY'],
  ...['TSA_URL', 'TSA_POLICY'],
  ...[
    'PAYMENTS',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_PROFILE_ID',
  ],
  ...['X402_PAY_TO', 'X402_FACILITATOR_URL', 'X402_NETWORKS', 'BONUS_NEEDS_PROOF'],
  ...['FREE_TOOLS_PER_HOUR', 'PAID_TOOLS_PER_MINUTE', 'MCP_PER_MINUTE', 'SIGNED_REQUESTS_PER_MINUTE'],
  ...['REGISTRATIONS_PER_HOUR', 'REGISTRATIONS_PER_DAY', 'REGISTRATIONS_PER_DAY_OF_ALL'],
  ...['ADDRESS_LIMIT_FACTOR', 'REFUSALS_PER_MINUTE', 'UPLOADS_PER_HOUR', 'CAFE_POSTS_PER_DAY'],
  ...['GALLERY_POSTS_PER_DAY', 'REGISTRY_SIGNATURES_PER_DAY', 'CALLER_SHARE_PERCENT'],
  ...['JOBS_LIVE_MAX', 'JOBS_PER_CALLER', 'JOBS_PER_ADDRESS', 'KEPT_SHARE_PERCENT', 'UPLOADS_BYTES_MAX'],
  ...['RESULTS_BYTES_MAX', 'ANSWERS_BYTES_MAX', 'ASSETS_BYTES_MAX', 'MANIFESTS_BYTES_MAX'],
  ...['VISION_PROVIDER', 'VISION_MODEL', 'VISION_INPUT_USD', 'VISION_OUTPUT_USD', 'VISION_USD_A_DAY'],
  ...['VISION_TOKENS_A_DAY', 'VISION_SHARE_PERCENT', 'EMBEDDINGS_URL', 'EMBEDDINGS_MODEL'],
] as const satisfies readonly (keyof Config)[];

type Texts = Record<(typeof SHARED)[number], string>;

/**
 * Makes this process one of the servers of its database; the embedded one has no other.
 * @returns leaves them
 * @throws Error that names every setting in which it differs from one that runs; or says that its clock is wrong
 */
export async function openNeighbours(
  config: Config,
  { database, publicUrl }: { database: Database; publicUrl: string },
): Promise<() => Promise<void>> {
  if (database.kind === 'embedded') return async () => {};
  const texts: Texts = {
    ...(Object.fromEntries(SHARED.map((name) => [name, textOf(config[name])])) as Texts),
    // As they are in force: absent ones are made, and kept in the folder.
    PUBLIC_URL: publicUrl,
    SIGNING_SECRET: await signingSecret(config.DATA_DIR, config.SIGNING_SECRET),
    RECEIPT_KEY: publicHalf(await receiptKey(config.DATA_DIR, config.RECEIPT_KEY)),
  };
  const settings = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      isSecret(name) && text ? digestOf(name + text) : text,
    ]),
  );
  return joinNeighbours(database, { settings, isSecret });
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : Array.isArray(value) ? [...value].sort().join(',') : String(value);

/** However the key was written. */
const publicHalf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
