import { readdir } from 'node:fs/promises';

/** The SQL files that make a database, in the order in which they are applied. */
export interface SchemaFiles {
  /** One per feature: its tables, indexes, functions and triggers as of the first release. */
  readonly schema: readonly URL[];
  /** Folder with the changes since, named `0001_<change>.sql` and so on. */
  readonly migrations: URL;
}

/** A feature follows those whose tables, types and functions it uses. */
const SCHEMA = [
  'ledger',
  'idempotency',
  'wallets',
  'jobs',
  'billing',
  'receipts',
  'cards',
  'x402',
  'storage',
  'assets',
  'provenance',
  'archive',
  'transparency_log',
  'artworks',
  'artwork_indexes',
  'enrichment',
  'community',
  'recipes',
  'operator',
  'cluster',
  'webhooks',
  'rate_limits',
];

export const SCHEMA_FILES: SchemaFiles = {
  schema: SCHEMA.map((feature) => new URL(`./schema/${feature}.sql`, import.meta.url)),
  migrations: new URL('./migrations/', import.meta.url),
};

export const isMigration = (name: string): boolean => /^\d{4}_\w+(\.sql)?$/.test(name);

export async function listSchemaFiles({ schema, migrations }: SchemaFiles = SCHEMA_FILES): Promise<URL[]> {
  const later = (await readdir(migrations))
    .filter((file) => file.endsWith('.sql') && isMigration(file))
    .sort();
  return [...schema, ...later.map((file) => new URL(file, migrations))];
}
