import type { Database } from '../../src/database/contract.ts';
import type { ShippedLook } from '../../src/dataset/looks/look_index.ts';

/** Writes many looks at once, as if each had been measured now. */
export async function writeLooks(database: Database, looks: readonly ShippedLook[]): Promise<void> {
  await database.query(
    `with next as (update artwork_look_count set last = last + $1 returning last - $1 as before)
     insert into artwork_looks (id, number, source, pdq, quality, colors, measured_at)
     select id, before + nth, 'made', decode(pdq, 'hex'), quality, decode(colors, 'hex'), now()
     from next, unnest($2::text[], $3::text[], $4::integer[], $5::text[]) with ordinality as look (id, pdq, quality, colors, nth)
     on conflict (id) do update set number = excluded.number, pdq = excluded.pdq, quality = excluded.quality, colors = excluded.colors`,
    [
      looks.length,
      looks.map(({ id }) => id),
      looks.map(({ pdq }) => pdq),
      looks.map(({ quality }) => quality),
      looks.map(({ colors }) => colors),
    ],
  );
}
