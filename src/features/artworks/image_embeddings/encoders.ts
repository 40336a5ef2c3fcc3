import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { InstalledEmbedder, Models } from '../../models/types.ts';
import { SIGHT_NETWORK_FRESH_MS, SIGHT_QUERIES_REMEMBERED, SIGHT_QUERY_WAIT_MS } from '../limits.ts';

/** The pair of encoders, as the process for networks runs it. */
export interface Encoders {
  /** Undefined where none is installed. Looked up again after a while: the command line installs beside a running server. */
  installed(): Promise<InstalledEmbedder | undefined>;
  /** @throws AtelierError model_unavailable */
  required(): Promise<InstalledEmbedder>;
  /** @throws AtelierError busy where it takes longer than a search waits; the next search has it then */
  text(network: InstalledEmbedder, text: string): Promise<Float32Array>;
  /** @throws AtelierError of the picture, busy */
  picture(network: InstalledEmbedder, bytes: Uint8Array, signal: AbortSignal): Promise<Float32Array>;
}

interface Parts {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly models: Pick<Models, 'embedder'>;
}

/** @param now there for tests */
export function createEncoders(
  { pixels, models }: Parts,
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
        'No pair of encoders is installed on this server. The operator installs it with "atelier models pull tinyclip".',
      );
    },
    text: (network, text) => inTime(encode(network, text)),
    picture(network, bytes, signal) {
      const { width, height } = pictureHeader(bytes);
      return pixels.run('embed_picture', { bytes, network }, { pixels: width * height, signal });
    },
  };
}

/** What a search waits for. @throws AtelierError busy after SIGHT_QUERY_WAIT_MS */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new AtelierError(
        'busy',
        'What sees pictures is being started or has other work. Search again in a moment.',
      ),
    );
  }, SIGHT_QUERY_WAIT_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
