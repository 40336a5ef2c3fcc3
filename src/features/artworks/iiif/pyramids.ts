import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { isMissing, makeFolder, refuseFullDisk, writeNewFile } from '../../../core/storage/blobs/disk.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { PictureSize } from '../images/sizes.ts';
import { sweepFolder } from '../images/sweep_folder.ts';
import {
  IIIF_PICTURES_AT_ONCE,
  IIIF_PICTURES_WAITING_MAX,
  IIIF_PYRAMIDS_BYTES_MAX,
  IIIF_WAITING_MAX,
} from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Size } from './geometry.ts';
import { type Asker, turnsByAddress } from './turns_by_address.ts';

/** A picture of a work as it lies here, ready to be cut into tiles. */
export interface Pyramid extends Size {
  readonly path: string;
  /** sha256 of the picture it was made of. */
  readonly sha256: string;
}

interface Parts {
  readonly folder: string;
  readonly pixels: Pick<Pixels, 'run'>;
  /** The picture of a work, from here or its museum. */
  picture(id: string, size: PictureSize): Promise<{ readonly bytes: Uint8Array }>;
}

/** How often the use of a file is written down. */
const USE_NOTED_MS = 60_000;
const KNOWN_MAX = 10_000;

/** Pictures kept as tiles in several sizes; however many ask for one at a time, it is brought and made once. */
export function createPyramids(parts: Parts) {
  const { folder } = parts;
  const known = new Map<string, Pyramid & { notedMs: number }>();
  const running = new Map<string, Promise<Pyramid>>();
  const turns = turnsByAddress({
    atOnce: IIIF_PICTURES_AT_ONCE,
    waitingMax: IIIF_PICTURES_WAITING_MAX,
    waitingMaxOfAll: IIIF_WAITING_MAX,
  });

  /** What is here already; nobody is asked. */
  async function kept(record: ArtworkRecord): Promise<Pyramid | undefined> {
    const key = keyOf(record);
    const before = known.get(key);
    if (before && performance.now() - before.notedMs < USE_NOTED_MS) return before;
    const found = await readPyramid(join(folder, key));
    if (!found) {
      known.delete(key);
      return undefined;
    }
    known.set(key, { ...found, notedMs: performance.now() });
    for (const oldest of known.keys()) {
      if (known.size <= KNOWN_MAX) break;
      known.delete(oldest);
    }
    return found;
  }

  /** @throws AtelierError as the picture and its decoding do; busy */
  async function pyramid(record: ArtworkRecord, asker: Asker): Promise<Pyramid> {
    const found = await kept(record);
    if (found) return found;
    const key = keyOf(record);
    const under = running.get(key);
    if (under) return under;
    const making = turns(asker, () => make(parts, record, asker)).finally(() => running.delete(key));
    running.set(key, making);
    return making;
  }

  return {
    kept,
    pyramid,
    /** It turned out not to be what it should: it is made anew when it is asked for next. */
    async forget(record: ArtworkRecord): Promise<void> {
      known.delete(keyOf(record));
      await rm(join(folder, `${keyOf(record)}.json`), { force: true });
    },
    sweep: () => sweepFolder(folder, IIIF_PYRAMIDS_BYTES_MAX),
  };
}

async function make(
  { folder, pixels, picture }: Parts,
  record: ArtworkRecord,
  asker: Asker,
): Promise<Pyramid> {
  const { bytes } = await pictureToCut(record, picture);
  const path = join(folder, keyOf(record));
  const draft = `${path}.${randomBytes(8).toString('hex')}.draft`;
  const { width, height } = pictureHeader(bytes);
  try {
    return await refuseFullDisk(async () => {
      await makeFolder(folder, false);
      const control = {
        pixels: width * height,
        // Others wait for it too.
        signal: new AbortController().signal,
        address: asker.address,
        callerKey: asker.callerKey,
      };
      const size = await pixels.run('make_pyramid', { bytes, path: draft }, control);
      const made = { ...size, sha256: createHash('sha256').update(bytes).digest('hex') };
      await rename(draft, `${path}.tif`);
      await writeNewFile(draft, Buffer.from(JSON.stringify(made)), false);
      await rename(draft, `${path}.json`);
      return { ...made, path: `${path}.tif` };
    });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Where the whole is more than this server works on, and the museum gives it smaller, that. */
async function pictureToCut({ id, image }: ArtworkRecord, picture: Parts['picture']) {
  try {
    const whole = await picture(id, 'full');
    pictureHeader(whole.bytes);
    return whole;
  } catch (error) {
    const isTooLarge = error instanceof AtelierError && error.code === 'image_too_large';
    if (!isTooLarge || image?.kind !== 'iiif') throw error;
    return picture(id, 'large');
  }
}

const keyOf = ({ id, image }: ArtworkRecord): string =>
  createHash('sha256')
    .update(JSON.stringify([id, image?.url]))
    .digest('hex');

/** What is written last says that the rest is there. */
async function readPyramid(path: string): Promise<Pyramid | undefined> {
  const file = `${path}.tif`;
  try {
    const { width, height, sha256 } = JSON.parse(await readFile(`${path}.json`, 'utf8'));
    await stat(file);
    // When they were last asked for.
    const now = new Date();
    await Promise.all([utimes(file, now, now), utimes(`${path}.json`, now, now)]);
    return { width, height, sha256, path: file };
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
