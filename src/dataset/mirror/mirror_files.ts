import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Queryable } from '../../database/contract.ts';
import {
  isMissing,
  makeFolder,
  refuseFullDisk,
  syncFolder,
  writeNewFile,
} from '../../services/blobs/disk.ts';
import { pictureHeader } from '../../services/images/picture_header.ts';
import type { Reserve } from '../../services/visits/contract.ts';
import { reserveNothing } from '../../services/visits/visits.ts';
import type { PictureSize } from '../pictures/sizes.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { deleteMirrored, type Mirrored, readMirrored, writeMirrored } from './mirror_store.ts';

/** Pictures of museums that stay here: files by museum, and a row with the sha256 of each. */
export interface MirrorFiles {
  /** What is kept of a work and still is what was brought; undefined where there is nothing. */
  read(id: string): Promise<(Mirrored & { readonly picture: Uint8Array }) | undefined>;
  /** Replaces what was kept of it. @throws AtelierError undecodable_image where it is no whole picture; storage_full */
  keep(record: ArtworkRecord, size: PictureSize, picture: Uint8Array): Promise<void>;
  drop(mirrored: Mirrored): Promise<void>;
  /** Lets go of what runs that were killed have left half written; only while no other one writes. */
  tidy(): Promise<void>;
}

const PART = '.part';
const HASHED_AT_A_TIME = 1024 * 1024;

export function createMirrorFiles({
  database,
  folder,
  reserve = reserveNothing,
}: {
  readonly database: Queryable;
  readonly folder: string;
  readonly reserve?: Reserve | undefined;
}): MirrorFiles {
  const pathOf = ({ museum, file }: Pick<Mirrored, 'museum' | 'file'>) => join(folder, museum, file);
  return {
    async read(id) {
      const row = await readMirrored(database, id);
      if (!row) return undefined;
      try {
        const path = pathOf(row);
        await reserve((await stat(path)).size);
        const picture = await readFile(path);
        return (await sha256Of(picture)) === row.sha256 ? { ...row, picture } : undefined;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async keep({ id, museum, image }, size, picture) {
      const { format } = pictureHeader(picture);
      const before = await readMirrored(database, id);
      const row: Mirrored = {
        ...{ id, museum, size, url: image?.url ?? '', bytes: picture.length },
        // Readable, and never two sizes under one name: what is kept stays whole until the row names the next.
        file: `${encodeURIComponent(id)}.${size}.${format === 'jpeg' ? 'jpg' : format}`,
        sha256: await sha256Of(picture),
      };
      await refuseFullDisk(() => writeDurably(join(folder, museum), row.file, picture));
      await writeMirrored(database, row, new Date());
      if (before && before.file !== row.file) await rm(pathOf(before), { force: true });
    },
    async drop(mirrored) {
      await deleteMirrored(database, mirrored.id);
      await rm(pathOf(mirrored), { force: true });
    },
    async tidy() {
      const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
      for (const name of names.filter((one) => one.endsWith(PART)))
        await rm(join(folder, name), { force: true });
    },
  };
}

async function writeDurably(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const draft = join(folder, `${name}.${randomBytes(8).toString('hex')}${PART}`);
  try {
    await makeFolder(folder);
    await writeNewFile(draft, bytes, true);
    await rename(draft, join(folder, name));
    await syncFolder(folder);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** In pieces, so that others have their turn in between. */
async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASHED_AT_A_TIME) {
    if (at > 0) await turn();
    hash.update(bytes.subarray(at, at + HASHED_AT_A_TIME));
  }
  return hash.digest('hex');
}
