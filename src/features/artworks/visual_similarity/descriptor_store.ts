import type { VisualDescriptor } from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import type { Queryable } from '../../../core/database/types.ts';

/** Source of a descriptor that was computed from a file of the operator, in place of a URL. */
export const FROM_FILE = 'file';

export interface DescriptorRow {
  readonly number: number;
  readonly id: string;
  /** 64 hex digits. */
  readonly pdq: string;
  readonly quality: number;
  /** Packed, in hex. */
  readonly colors: string;
  /** Packed, in hex; null for descriptors from before layouts existed. */
  readonly layout: string | null;
}

const LOOK_ROWS = `select number, id, encode(pdq, 'hex') as pdq, quality, encode(colors, 'hex') as colors,
  encode(layout, 'hex') as layout from artwork_looks`;

/** Descriptors with higher numbers, in the order of their numbers. */
export const readDescriptors = (
  database: Queryable,
  after: number,
  limit: number,
): Promise<DescriptorRow[]> =>
  database.query(`${LOOK_ROWS} where number > $1 order by number limit $2`, [after, limit]);

/**
 * Whether a complete descriptor of a work's image from this source, or from a file of its operator, is
 * stored.
 */
export async function isMeasured(database: Queryable, id: string, source: string): Promise<boolean> {
  const rows = await database.query(
    'select id from artwork_looks where id = $1 and source = any($2::text[]) and layout is not null',
    [id, [source, FROM_FILE]],
  );
  return rows.length > 0;
}

/** Stores a descriptor, replacing an earlier one. */
export async function writeDescriptor(
  database: Queryable,
  { id, source, look, now }: { id: string; source: string; look: VisualDescriptor; now: Date },
): Promise<void> {
  await database.query(
    `with next as (update artwork_look_count set last = last + 1 returning last)
     insert into artwork_looks (id, number, source, pdq, quality, colors, layout, measured_at)
     select $1, last, $2, decode($3, 'hex'), $4, decode($5, 'hex'), decode($6, 'hex'), $7 from next
     on conflict (id) do update set number = excluded.number, source = excluded.source, pdq = excluded.pdq,
       quality = excluded.quality, colors = excluded.colors, layout = excluded.layout, measured_at = excluded.measured_at`,
    [id, source, hex(look.hashes[0]!), look.quality, hex(look.colors), hex(look.layout), now],
  );
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A work found by its id. */
export interface FoundRow {
  readonly number: number;
  readonly id: string;
}

/** Reads the works with these ids that are in the edition, by id. */
export async function readFound(
  database: Queryable,
  edition: number,
  ids: readonly string[],
): Promise<Map<string, FoundRow>> {
  const rows = await database.query<FoundRow>(
    'select number, id from artworks where added_in <= $1 and removed_in > $1 and id = any($2::text[])',
    [edition, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
