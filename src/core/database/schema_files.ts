import { readdir } from 'node:fs/promises';

/** SQL files of the schema, in order. */
export interface SchemaFiles {
  /** One file per feature, in its folder: its tables, indexes, functions and triggers as of the first release. */
  readonly schema: readonly URL[];
  /** Folder with later changes, named `0001_<change>.sql` and so on. */
  readonly migrations: URL;
}

/** A feature follows those whose tables, types and functions it uses. */
const SCHEMA = [
  'features/wallets/ledger',
  'core/idempotency/idempotency',
  'features/wallets/wallets',
  'features/wallets/guests/guests',
  'core/queue/jobs',
  'features/billing/billing',
  'features/billing/receipts/receipts',
  'features/billing/cards',
  'features/billing/x402/x402',
  'features/billing/invoices/invoices',
  'core/storage/storage',
  'features/assets/assets',
  'features/provenance/provenance',
  'features/archive/archive',
  'features/provenance/log/transparency_log',
  'features/artworks/artworks',
  'features/enrichment/enrichment',
  'features/generation/generation',
  'features/community/community',
  'features/recipes/recipes',
  'features/operator/operator',
  'core/cluster/cluster',
  'features/webhooks/webhooks',
  'features/workspaces/workspaces',
  'core/rate_limits/rate_limits',
];

export const SCHEMA_FILES: SchemaFiles = {
  schema: SCHEMA.map((file) => new URL(`../../${file}.sql`, import.meta.url)),
  migrations: new URL('./migrations/', import.meta.url),
};

export const isMigration = (name: string): boolean => /^\d{4}_\w+(\.sql)?$/.test(name);

/** All schema files, then all migrations in name order. */
export async function listSchemaFiles({ schema, migrations }: SchemaFiles = SCHEMA_FILES): Promise<URL[]> {
  const later = (await readdir(migrations))
    .filter((file) => file.endsWith('.sql') && isMigration(file))
    .sort();
  return [...schema, ...later.map((file) => new URL(file, migrations))];
}
