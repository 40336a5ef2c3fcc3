import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import {
  EMBEDDING_BATCH_TEXTS,
  EMBEDDING_PAUSE_MS,
  EMBEDDING_QUERY_TIMEOUT_MS,
  EMBEDDING_TEXT_CHARACTERS_MAX,
} from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Embedder } from './embedder.ts';
import type { NearestQuery, NearVector, VectorSearchOf } from './types.ts';
import { packVector } from './vector_index.ts';
import { readUnembedded, writeVectors } from './vector_store.ts';

/** Semantic search: finds works by text embedding. */
export interface TextEmbeddings {
  readonly model: string;
  /**
   * Works nearest to a query.
   * @throws AtelierError if the model does not respond
   */
  near(query: string, wanted: NearestQuery): Promise<NearVector[]>;
  /** Number of works with a text embedding. */
  size(): Promise<number>;
  /**
   * Embeds at most `max` works of an edition that have no embedding yet. Completed batches persist if it is
   * interrupted.
   * @returns the number embedded
   * @throws AtelierError if the model does not respond
   */
  embed(edition: number, wanted: Wanted): Promise<number>;
  /** Loads or builds the index of the embeddings. */
  prepare(): Promise<void>;
}

interface Wanted {
  readonly max?: number;
  readonly signal: AbortSignal;
  onProgress?(done: number): void;
}

const QUERIES_REMEMBERED = 500;

interface MeaningDeps {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly vectorsOf: VectorSearchOf;
}

/** @param now clock, set only by tests */
export function createTextEmbeddings(
  { database, embedder, vectorsOf }: MeaningDeps,
  { now = () => performance.now() } = {},
): TextEmbeddings {
  const vectors = vectorsOf(embedder.name);
  const queries = new Map<string, Float32Array>();
  let failedAt = Number.NEGATIVE_INFINITY;

  /** After a failure, the model is not called for a while, so that not every search waits for it. */
  const vectorOf = async (query: string): Promise<Float32Array> => {
    const known = queries.get(query);
    if (known) return known;
    if (now() - failedAt < EMBEDDING_PAUSE_MS) {
      throw new AtelierError(
        'upstream_failed',
        'The embedding model failed recently and is not asked again for a few seconds.',
      );
    }
    try {
      const [vector] = await embedder.embed([query], AbortSignal.timeout(EMBEDDING_QUERY_TIMEOUT_MS));
      if (queries.size >= QUERIES_REMEMBERED) queries.delete(queries.keys().next().value!);
      queries.set(query, vector!);
      return vector!;
    } catch (error) {
      failedAt = now();
      throw error;
    }
  };
  return {
    model: embedder.name,
    near: async (query, wanted) =>
      (await vectors.size()) === 0 ? [] : vectors.nearest(await vectorOf(query), wanted),
    size: vectors.size,
    prepare: vectors.prepare,
    async embed(edition, { max = Number.POSITIVE_INFINITY, signal, onProgress }) {
      let done = 0;
      let after = '';
      while (done < max) {
        signal.throwIfAborted();
        const limit = Math.min(EMBEDDING_BATCH_TEXTS, max - done);
        const works = await readUnembedded(database, embedder.name, { edition, after, limit });
        if (works.length === 0) return done;
        const vectors = await embedder.embed(
          works.map(({ record }) => textOf(record)),
          signal,
        );
        const rows = works.map(({ record, sha256 }, at) => ({
          id: record.id,
          sha256,
          vector: new Uint8Array(packVector(vectors[at]!).buffer),
        }));
        await database.transaction((tx) => writeVectors(tx, embedder.name, rows));
        done += works.length;
        after = works.at(-1)!.record.id;
        onProgress?.(done);
      }
      return done;
    },
  };
}

/** Text of a record that is embedded. */
function textOf(record: ArtworkRecord): string {
  const { title, other_titles, artists, date, medium, classification, culture, tags, description } = record;
  const makers = artists.map(({ name }) => name).join(', ');
  return [
    [title, ...other_titles].join('; '),
    makers,
    date,
    medium,
    classification,
    culture,
    tags.join(', '),
    description,
  ]
    .filter((part) => part !== '')
    .join('. ')
    .slice(0, EMBEDDING_TEXT_CHARACTERS_MAX);
}
