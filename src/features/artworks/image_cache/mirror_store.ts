import type { Queryable } from '../../../core/database/types.ts';
import { PICTURE_SIZES, type PictureSize } from '../images/sizes.ts';
import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';

/** A stored image. */
export interface Mirrored {
  readonly id: string;
  readonly museum: MuseumName;
  /** URL in the record when it was downloaded. */
  readonly url: string;
  readonly size: PictureSize;
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
}

const ROW = 'id, museum, url, size, file, sha256, bytes';

export async function readMirrored(database: Queryable, id: string): Promise<Mirrored | undefined> {
  const [row] = await database.query<Mirrored>(`select ${ROW} from mirrored_pictures where id = $1`, [id]);
  return row;
}

/** A page of the stored images, in the order of ids. */
export const listMirrored = (database: Queryable, after: string, limit: number): Promise<Mirrored[]> =>
  database.query<Mirrored>(`select ${ROW} from mirrored_pictures where id > $1 order by id limit $2`, [
    after,
    limit,
  ]);

export async function writeMirrored(database: Queryable, row: Mirrored, now: Date): Promise<void> {
  const { id, museum, url, size, file, sha256, bytes } = row;
  await database.query(
    `insert into mirrored_pictures (id, museum, url, size, file, sha256, bytes, mirrored_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (id) do update set url = excluded.url, size = excluded.size, file = excluded.file, sha256 = excluded.sha256,
       bytes = excluded.bytes, mirrored_at = excluded.mirrored_at`,
    [id, museum, url, size, file, sha256, bytes, now],
  );
}

export async function deleteMirrored(database: Queryable, id: string): Promise<void> {
  await database.query('delete from mirrored_pictures where id = $1', [id]);
}

/** Totals of all museums. */
export async function sumMirrored(database: Queryable): Promise<{ pictures: number; bytes: number }> {
  const [row] = await database.query<{ pictures: number; bytes: number }>(
    'select count(*) as pictures, coalesce(sum(bytes), 0)::bigint as bytes from mirrored_pictures',
  );
  return row!;
}

/** Images of works that are no longer in the edition. */
export const listGone = (database: Queryable, edition: number): Promise<Mirrored[]> =>
  database.query<Mirrored>(
    `select ${ROW} from mirrored_pictures where not exists (select 1 from artworks
       where artworks.id = mirrored_pictures.id and added_in <= $1 and removed_in > $1)`,
    [edition],
  );

const IN_EDITION = 'added_in <= $1 and removed_in > $1 and museum = $2 and has_image';

export async function countPictures(
  database: Queryable,
  edition: number,
  museum: MuseumName,
): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*) as count from artworks where ${IN_EDITION}`,
    [edition, museum],
  );
  return row!.count;
}

/** Works of a museum without a stored image of that size, after `after` in the order of ids. */
export async function listWanted(
  database: Queryable,
  wanted: {
    readonly edition: number;
    readonly museum: MuseumName;
    readonly size: PictureSize;
    readonly highlight: boolean;
    readonly after: string;
    readonly limit: number;
  },
): Promise<ArtworkRecord[]> {
  const { edition, museum, size, highlight, after, limit } = wanted;
  const enough = PICTURE_SIZES.slice(PICTURE_SIZES.indexOf(size));
  const rows = await database.query<{ record: ArtworkRecord }>(
    `select record from artworks where ${IN_EDITION} and (record->>'highlight')::boolean = $3 and id > $4
       and not exists (select 1 from mirrored_pictures as kept where kept.id = artworks.id
         and kept.url = artworks.record->'image'->>'url' and kept.size = any($5::text[]))
     order by id limit $6`,
    [edition, museum, highlight, after, enough, limit],
  );
  return rows.map(({ record }) => record);
}

/** Acquires the single lock for a run; false while another run holds it. */
export async function takeRun(
  database: Queryable,
  { owner, now, before }: { owner: string; now: Date; before: Date },
): Promise<boolean> {
  const rows = await database.query(
    `insert into mirror_run (owner, written_at) values ($1, $2)
     on conflict (one) do update set owner = excluded.owner, written_at = excluded.written_at
       where mirror_run.written_at < $3 or mirror_run.owner = excluded.owner returning owner`,
    [owner, now, before],
  );
  return rows.length > 0;
}

export async function endRun(database: Queryable, owner: string): Promise<void> {
  await database.query('delete from mirror_run where owner = $1', [owner]);
}
