import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { VECTOR_COUNT_FRESH_MS, VECTOR_INDEX_DIMENSIONS_MAX } from '../limits.ts';
import {
  buildIndex,
  countVectors,
  hasIndex,
  readDimensions,
  readNearest,
  type VectorSet,
} from './pgvector_store.ts';
import type { VectorSearch, VectorSearchOf } from './types.ts';
import { unpackVector, VectorIndex } from './vector_index.ts';

interface PgvectorDeps {
  readonly database: Database;
  /** Quoted schema of pgvector's types. */
  readonly schema: string;
  /** Runs work on a connection with a statement timeout of minutes. */
  patiently(work: (database: Database) => Promise<void>): Promise<void>;
}

/**
 * Approximate search with HNSW indexes of pgvector. Candidates are compared exactly, so similarities equal
 * those of the search in memory. See docs/decisions/0074-vectors-on-pgvector.md.
 */
export function pgvectorSearch({ database, schema, patiently }: PgvectorDeps): VectorSearchOf {
  return (model) => searchModel(model);

  function searchModel(model: string): VectorSearch {
    const ready = new Set<number>();
    let counted = { at: Number.NEGATIVE_INFINITY, count: 0 };

    const current = async (): Promise<VectorSet | undefined> => {
      const dimensions = await readDimensions(database, model);
      return dimensions === undefined ? undefined : { model, dimensions, schema };
    };
    const isReady = async (set: VectorSet): Promise<boolean> => {
      if (!ready.has(set.dimensions) && (await hasIndex(database, set))) ready.add(set.dimensions);
      return ready.has(set.dimensions);
    };
    const requireReady = async (set: VectorSet) => {
      requireIndexable(set);
      if (await isReady(set)) return;
      throw new AtelierError('busy', 'The vector index is being built. Search again in a few minutes.');
    };
    return {
      async nearest(vector, query) {
        const set = await current();
        if (!set || vector.length !== set.dimensions) return [];
        await requireReady(set);
        const index = new VectorIndex(set.dimensions);
        for (const { id, vector: near } of await readNearest(database, set, { vector, ...query }))
          index.set(id, unpackVector(near));
        return index.nearest(vector, query.limit);
      },
      async size() {
        if (counted.count === 0 || performance.now() - counted.at >= VECTOR_COUNT_FRESH_MS)
          counted = { at: performance.now(), count: await countVectors(database, model) };
        return counted.count;
      },
      async prepare() {
        const set = await current();
        if (!set || set.dimensions > VECTOR_INDEX_DIMENSIONS_MAX || (await isReady(set))) return;
        await patiently((patient) => buildIndex(patient, set));
      },
    };
  }
}

function requireIndexable({ model, dimensions }: VectorSet): void {
  if (dimensions <= VECTOR_INDEX_DIMENSIONS_MAX) return;
  throw new AtelierError(
    'upstream_failed',
    `The vectors of ${model} have ${dimensions} dimensions. VECTORS_INDEX=pgvector searches at most ${VECTOR_INDEX_DIMENSIONS_MAX}.`,
  );
}
