import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Queryable } from '../../../core/database/types.ts';
import { type Reserve, reserveNothing } from '../../../core/request_scope/request_scope.ts';
import type { Objects } from '../../../core/storage/objects/types.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { PictureSize } from '../images/sizes.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { deleteMirrored, type Mirrored, readMirrored, writeMirrored } from './mirror_store.ts';

/** Images downloaded permanently: one object per work, grouped by museum, and a row with its sha256. */
export interface MirrorFiles {
  /** The stored image of a work if its bytes are unchanged; undefined otherwise. */
  read(id: string): Promise<(Mirrored & { readonly picture: Uint8Array }) | undefined>;
  /**
   * Stores an image, replacing an earlier one.
   * @throws AtelierError undecodable_image for an incomplete image; storage_full
   */
  keep(record: ArtworkRecord, size: PictureSize, picture: Uint8Array): Promise<void>;
  drop(mirrored: Mirrored): Promise<void>;
  /** Deletes partial files of killed runs. Call it only while no other process writes. */
  tidy(): Promise<void>;
}

/** Suffix of a file that was not written completely. */
const DRAFT = /\.(part|new)$/;
const HASHED_AT_A_TIME = 1024 * 1024;

export function createMirrorFiles({
  database,
  objects,
  reserve = reserveNothing,
}: {
  readonly database: Queryable;
  readonly objects: Objects;
  readonly reserve?: Reserve | undefined;
}): MirrorFiles {
  const nameOf = ({ museum, file }: Pick<Mirrored, 'museum' | 'file'>) => `${museum}/${file}`;
  return {
    async read(id) {
      const row = await readMirrored(database, id);
      const size = row && (await objects.sizeOf(nameOf(row)));
      if (size === undefined) return undefined;
      await reserve(size);
      const picture = await objects.read(nameOf(row!));
      return picture && (await sha256Of(picture)) === row!.sha256 ? { ...row!, picture } : undefined;
    },
    async keep({ id, museum, image }, size, picture) {
      const { format } = pictureHeader(picture);
      const before = await readMirrored(database, id);
      const row: Mirrored = {
        id,
        museum,
        size,
        url: image?.url ?? '',
        bytes: picture.length,
        // A readable name that differs for each size: the stored file stays intact until the row names the
        // next one.
        file: `${encodeURIComponent(id)}.${size}.${format === 'jpeg' ? 'jpg' : format}`,
        sha256: await sha256Of(picture),
      };
      await objects.replace(nameOf(row), picture);
      await writeMirrored(database, row, new Date());
      if (before && before.file !== row.file) await objects.remove(nameOf(before));
    },
    async drop(mirrored) {
      await deleteMirrored(database, mirrored.id);
      await objects.remove(nameOf(mirrored));
    },
    async tidy() {
      // A bucket has no partial files.
      if (objects.kind !== 'files') return;
      for await (const { name } of objects.list()) if (DRAFT.test(name)) await objects.remove(name);
    },
  };
}

/** Hashes in chunks, to let other work run in between. */
async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASHED_AT_A_TIME) {
    if (at > 0) await turn();
    hash.update(bytes.subarray(at, at + HASHED_AT_A_TIME));
  }
  return hash.digest('hex');
}
