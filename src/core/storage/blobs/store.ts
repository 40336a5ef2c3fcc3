import type { Queryable } from '../../database/types.ts';
import type { BlobChecksums, BlobRecords, DamagedBlob } from './blobs.ts';

/** Checksums and damage of stored files, in the database. Each function is one statement. */
export const createBlobRecords = (database: Queryable): BlobRecords => ({
  async saveChecksums(sha256, { bytes, chunks }) {
    await database.query(
      `with mended as (delete from damaged_blobs where sha256 = $1)
       insert into blob_checksums (sha256, bytes, chunks) values ($1, $2, $3) on conflict (sha256) do nothing`,
      [sha256, bytes, chunks],
    );
  },
  async checksumsOf(sha256) {
    const [row] = await database.query<BlobChecksums>(
      'select bytes, chunks from blob_checksums where sha256 = $1',
      [sha256],
    );
    return row;
  },
  async saveDamage(sha256, isMissing) {
    await database.query(
      `insert into damaged_blobs (sha256, is_missing) values ($1, $2)
       on conflict (sha256) do update set is_missing = excluded.is_missing`,
      [sha256, isMissing],
    );
  },
  async removeDamage(sha256) {
    await database.query('delete from damaged_blobs where sha256 = $1', [sha256]);
  },
  async forget(sha256s) {
    await database.query(
      `with damage as (delete from damaged_blobs where sha256 = any($1))
       delete from blob_checksums where sha256 = any($1)`,
      [sha256s],
    );
  },
});

/** Damaged files that were not stored again since, newest first. */
export const selectDamaged = (database: Queryable, limit: number): Promise<DamagedBlob[]> =>
  database.query<DamagedBlob>(
    `select sha256, is_missing as "isMissing", found_at as "foundAt"
     from damaged_blobs order by found_at desc, sha256 limit $1`,
    [limit],
  );
