import type { Database } from '../../../core/database/types.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { InstalledEmbedder, Models } from '../../models/types.ts';
import { createPictureNotes } from '../images/picture_notes.ts';
import { SIGHT_WAITING_BYTES_MAX } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { followVectors } from '../semantic_search/follow_vectors.ts';
import { packVector } from '../semantic_search/vector_index.ts';
import { createCatchUp } from './catch_up.ts';
import { createEncoders, inTime } from './encoders.ts';
import { isEncoded, writeSight } from './sight_store.ts';
import type { Sight } from './types.ts';

interface Parts {
  readonly database: Database;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly models: Pick<Models, 'embedder'>;
  /** A picture of a work that is kept here, of any size. */
  kept(record: ArtworkRecord): Promise<Uint8Array | undefined>;
}

/** Vectors of another file cannot be compared, so that each has a name of its own. */
const modelOf = ({ sha256 }: InstalledEmbedder): string => `seen ${sha256}`;

export function createSight({ database, pixels, models, kept }: Parts): Sight {
  const encoders = createEncoders({ pixels, models });
  const { indexOf, inTimeOf } = createReader(database);
  const keep: Sight['keep'] = async (id, source, bytes, signal) => {
    const network = await encoders.required();
    const vector = packVector(await encoders.picture(network, bytes, signal));
    await writeSight(database, modelOf(network), { id, source, vector: new Uint8Array(vector.buffer) });
  };
  const notes = createPictureNotes(SIGHT_WAITING_BYTES_MAX, async (id, source, bytes) => {
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
    async nearText(text, limit) {
      const network = await encoders.required();
      const index = await inTimeOf(network);
      return index ? index.nearest(await encoders.text(network, text), limit) : [];
    },
    async nearPicture(bytes, limit, signal) {
      const network = await encoders.required();
      const index = await inTimeOf(network);
      return index ? index.nearest(await encoders.picture(network, bytes, signal), limit) : [];
    },
    async size() {
      const network = await encoders.installed();
      return (network && (await inTimeOf(network))?.size) ?? 0;
    },
    async catchUp(edition, wanted) {
      const network = await encoders.installed();
      if (!network) return 0;
      // A server begins so; no search has to wait for it then.
      await indexOf(network);
      return catchUp(modelOf(network), edition, wanted);
    },
  };
}

/** Reads the vectors of whatever network is installed. */
function createReader(database: Database) {
  let following: { model: string; follow: ReturnType<typeof followVectors> } | undefined;
  const indexOf = (network: InstalledEmbedder) => {
    const model = modelOf(network);
    if (following?.model !== model) following = { model, follow: followVectors(database, model) };
    return following.follow();
  };
  /** A server that has just started reads all vectors first, which takes seconds. @throws AtelierError busy meanwhile */
  const inTimeOf = (network: InstalledEmbedder) => {
    const index = indexOf(network);
    index.catch(() => {});
    return inTime(index);
  };
  return { indexOf, inTimeOf };
}
