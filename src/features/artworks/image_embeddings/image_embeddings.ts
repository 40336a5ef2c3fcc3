import type { Database, Queryable } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { InstalledEmbedder, Models } from '../../models/types.ts';
import { createImageQueue } from '../images/image_queue.ts';
import {
  SIGHT_CATCH_UP_ROWS,
  SIGHT_NETWORK_FRESH_MS,
  SIGHT_QUERIES_REMEMBERED,
  SIGHT_QUERY_WAIT_MS,
  SIGHT_WAITING_BYTES_MAX,
} from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { VectorSearch, VectorSearchOf } from '../semantic_search/types.ts';
import { packVector } from '../semantic_search/vector_index.ts';
import { isEncoded, readUnencoded, writeImageEmbedding } from './image_embedding_store.ts';
import type { CatchUp, ImageEmbeddings } from './types.ts';

interface CatchUpDeps {
  readonly database: Queryable;
  /**
   * Encodes the stored image of a work.
   * @returns false if none is stored
   */
  take(record: ArtworkRecord, signal: AbortSignal): Promise<boolean>;
}

/**
 * Scans the works without an embedding once; images stored later are encoded when they are served.
 * @returns a function that resumes where its last call stopped
 */
function createCatchUp({ database, take }: CatchUpDeps) {
  let last = { model: '', id: '' };
  return async (model: string, edition: number, { max, signal, onProgress }: CatchUp): Promise<number> => {
    if (last.model !== model) last = { model, id: '' };
    let done = 0;
    let looked = 0;
    for (;;) {
      const after = last.id;
      const rows = await readUnencoded(database, model, { edition, after, limit: SIGHT_CATCH_UP_ROWS });
      for (const { record } of rows) {
        if (done >= max || looked >= max * SIGHT_LOOKED_FOR_EACH || signal.aborted) return done;
        looked += 1;
        if (await orNone(take(record, signal))) {
          done += 1;
          onProgress?.(done);
        }
        last = { model, id: record.id };
      }
      if (rows.length < SIGHT_CATCH_UP_ROWS) return done;
    }
  };
}

/** Works scanned per image that may be encoded: most have no stored image. */
const SIGHT_LOOKED_FOR_EACH = 50;

/** A damaged image must not stop the run. */
async function orNone(work: Promise<boolean>): Promise<boolean> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AtelierError && error.status < 500) return false;
    throw error;
  }
}

interface SightDeps {
  readonly database: Database;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly models: Pick<Models, 'embedder'>;
  readonly vectorsOf: VectorSearchOf;
  /** The stored image of a work, in any size. */
  kept(record: ArtworkRecord): Promise<Uint8Array | undefined>;
}

/** Embeddings of different networks cannot be compared, so each network file has its own name. */
const modelOf = ({ sha256 }: InstalledEmbedder): string => `seen ${sha256}`;

export function createImageEmbeddings({
  database,
  pixels,
  models,
  vectorsOf,
  kept,
}: SightDeps): ImageEmbeddings {
  const encoders = createEncoders({ pixels, models });
  const ofNetwork = vectorsOfNetwork(vectorsOf);
  const keep: ImageEmbeddings['keep'] = async (id, source, bytes, signal) => {
    const network = await encoders.required();
    const vector = packVector(await encoders.picture(network, bytes, signal));
    await writeImageEmbedding(database, modelOf(network), {
      id,
      source,
      vector: new Uint8Array(vector.buffer),
    });
  };
  const notes = createImageQueue(SIGHT_WAITING_BYTES_MAX, async (id, source, bytes) => {
    const model = modelOf(await encoders.required());
    if (await isEncoded(database, model, { id, source })) return;
    await keep(id, source, bytes, new AbortController().signal);
  });
  const catchUp = createCatchUp({
    database,
    async take(record, signal) {
      const bytes = await kept(record);
      if (bytes) await keep(record.id, record.image!.url, bytes, signal);
      return bytes !== undefined;
    },
  });
  return {
    ...notes,
    keep,
    async network() {
      const network = await encoders.installed();
      return network && { name: network.name, origin: network.origin };
    },
    async nearText(text, wanted) {
      const network = await encoders.required();
      const vector = await encoders.text(network, text);
      return inTime(ofNetwork(network).nearest(vector, wanted));
    },
    async nearPicture(bytes, wanted, signal) {
      const network = await encoders.required();
      const vector = await encoders.picture(network, bytes, signal);
      return inTime(ofNetwork(network).nearest(vector, wanted));
    },
    async size() {
      const network = await encoders.installed();
      return network ? inTime(ofNetwork(network).size()) : 0;
    },
    async catchUp(edition, wanted) {
      const network = await encoders.installed();
      if (!network) return 0;
      // Building the index here spares the first search from waiting.
      await ofNetwork(network).prepare();
      return catchUp(modelOf(network), edition, wanted);
    },
  };
}

/** The embeddings of the installed network. */
function vectorsOfNetwork(vectorsOf: VectorSearchOf): (network: InstalledEmbedder) => VectorSearch {
  let current: { model: string; vectors: VectorSearch } | undefined;
  return (network) => {
    const model = modelOf(network);
    if (current?.model !== model) current = { model, vectors: vectorsOf(model) };
    return current.vectors;
  };
}

/** The installed encoder pair, run in the process for networks. */
interface Encoders {
  /**
   * Undefined if none is installed. Refreshed periodically, because the command line may install one beside a
   * running server.
   */
  installed(): Promise<InstalledEmbedder | undefined>;
  /** @throws AtelierError model_unavailable */
  required(): Promise<InstalledEmbedder>;
  /** @throws AtelierError busy if it takes longer than a search waits; the next search then has it */
  text(network: InstalledEmbedder, text: string): Promise<Float32Array>;
  /** @throws AtelierError of the image, busy */
  picture(network: InstalledEmbedder, bytes: Uint8Array, signal: AbortSignal): Promise<Float32Array>;
}

interface EncodersDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly models: Pick<Models, 'embedder'>;
}

/** @param now clock, set only by tests */
function createEncoders(
  { pixels, models }: EncodersDeps,
  now: () => number = () => performance.now(),
): Encoders {
  const queries = new Map<string, Promise<Float32Array>>();
  let known: { at: number; network: ReturnType<Models['embedder']> } | undefined;

  const installed = () => {
    if (!known || now() - known.at >= SIGHT_NETWORK_FRESH_MS)
      known = { at: now(), network: models.embedder() };
    return known.network;
  };
  const encode = (network: InstalledEmbedder, text: string): Promise<Float32Array> => {
    const key = `${network.sha256} ${text}`;
    const before = queries.get(key);
    if (before) return before;
    const { signal } = new AbortController();
    const vector = pixels.run('embed_text', { text, network }, { pixels: 1, signal });
    if (queries.size >= SIGHT_QUERIES_REMEMBERED) queries.delete(queries.keys().next().value!);
    queries.set(key, vector);
    vector.catch(() => queries.delete(key));
    return vector;
  };
  return {
    installed,
    async required() {
      const network = await installed();
      if (network) return network;
      throw new AtelierError(
        'model_unavailable',
        'No encoder pair is installed on this server. The operator can install one with "atelier models pull tinyclip".',
      );
    },
    text: (network, text) => inTime(encode(network, text)),
    picture(network, bytes, signal) {
      const { width, height } = pictureHeader(bytes);
      return pixels.run('embed_picture', { bytes, network }, { pixels: width * height, signal });
    },
  };
}

/**
 * Limits how long a search waits: a newly started server reads all embeddings first, which takes seconds.
 * @throws AtelierError busy after SIGHT_QUERY_WAIT_MS
 */
async function inTime<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new AtelierError('busy', 'The image encoder is starting or busy. Search again in a few seconds.'));
  }, SIGHT_QUERY_WAIT_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
