import { createHash } from 'node:crypto';
import type { Queryable } from '../../../core/database/types.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { writeVectors } from '../semantic_search/vector_store.ts';
import { FROM_FILE } from '../visual_similarity/descriptor_store.ts';

// Image embeddings share the table artwork_vectors with text embeddings. Their digest is that of the image
// source instead of the record, so that a changed image is encoded again.

const digestOf = (source: string): string => createHash('sha256').update(source).digest('hex');

/** Whether the image of a work from this source, or a file of its operator, has been encoded. */
export async function isEncoded(
  database: Queryable,
  model: string,
  { id, source }: { id: string; source: string },
): Promise<boolean> {
  const rows = await database.query(
    'select id from artwork_vectors where model = $1 and id = $2 and sha256 = any($3::text[])',
    [model, id, [source, FROM_FILE].map(digestOf)],
  );
  return rows.length > 0;
}

/** Stores an embedding, replacing an earlier one. */
export const writeImageEmbedding = (
  database: Queryable,
  model: string,
  { id, source, vector }: { id: string; source: string; vector: Uint8Array },
): Promise<void> => writeVectors(database, model, [{ id, sha256: digestOf(source), vector }]);

/** Works of an edition that have an image but no embedding, after `after` in the order of ids. */
export function readUnencoded(
  database: Queryable,
  model: string,
  { edition, after, limit }: { edition: number; after: string; limit: number },
): Promise<{ record: ArtworkRecord }[]> {
  return database.query(
    `select record from artworks where added_in <= $1 and removed_in > $1 and id > $3 and record->>'image' is not null
     and not exists (select 1 from artwork_vectors as known where known.model = $2 and known.id = artworks.id)
     order by id limit $4`,
    [edition, model, after, limit],
  );
}
