import type { Queryable } from '../../../core/database/types.ts';
import type { ArtworkRecord } from '../records/record.ts';

export interface VectorRow {
  readonly number: number;
  readonly id: string;
  /** base64 */
  readonly vector: string;
}

/** Vectors of a model with higher numbers, in the order of their numbers. */
export function readVectors(
  database: Queryable,
  model: string,
  { after, limit }: { after: number; limit: number },
): Promise<VectorRow[]> {
  return database.query<VectorRow>(
    `select number, id, encode(vector, 'base64') as vector from artwork_vectors
     where model = $1 and number > $2 order by number limit $3`,
    [model, after, limit],
  );
}

/**
 * Works of an edition without a vector of the model for their current record, after `after` in the order of
 * ids.
 */
export function readUnembedded(
  database: Queryable,
  model: string,
  { edition, after, limit }: { edition: number; after: string; limit: number },
): Promise<{ record: ArtworkRecord; sha256: string }[]> {
  return database.query(
    `select record, sha256 from artworks where added_in <= $1 and removed_in > $1 and id > $3
     and not exists (select 1 from artwork_vectors as known
       where known.model = $2 and known.id = artworks.id and known.sha256 = artworks.sha256)
     order by id limit $4`,
    [edition, model, after, limit],
  );
}

/** Stores vectors, replacing earlier ones. */
export async function writeVectors(
  database: Queryable,
  model: string,
  rows: readonly { id: string; sha256: string; vector: Uint8Array }[],
): Promise<void> {
  const values = rows.map(({ id, sha256, vector }, at) => ({
    id,
    sha256,
    at: at + 1,
    vector: Buffer.from(vector).toString('base64'),
  }));
  await database.query(
    `with next as (update artwork_vector_count set last = last + $3 returning last - $3 as before)
     insert into artwork_vectors (model, id, number, sha256, vector)
     select $1, id, before + at, sha256, decode(vector, 'base64')
     from jsonb_to_recordset($2::jsonb) as row (id text, sha256 text, at integer, vector text), next
     on conflict (model, id) do update set number = excluded.number, sha256 = excluded.sha256, vector = excluded.vector`,
    [model, JSON.stringify(values), rows.length],
  );
}
