import type { Queryable } from '../../../core/database/types.ts';

/** Changes an edition made to works with an image. */
export interface EditionChanges {
  readonly edition: number;
  readonly publishedAt: Date;
  readonly changes: number;
}

export interface Change {
  readonly id: string;
  readonly kind: 'Create' | 'Update' | 'Delete';
}

/**
 * Versions added by an edition, new or replacing another one, and works whose last version it removed. Only
 * works that have an image, in this version or the one it replaces.
 */
const CHANGES = `select coming.added_in as edition, coming.id,
    case when exists (select 1 from artworks as before where before.id = coming.id and before.removed_in = coming.added_in
      and before.has_image) then 'Update' else 'Create' end as kind
  from artworks as coming where coming.has_image
  union all
  select going.removed_in, going.id, 'Delete' from artworks as going
  where going.has_image and going.removed_in < 2147483647
    and not exists (select 1 from artworks as after where after.id = going.id and after.added_in = going.removed_in and after.has_image)`;

/** Editions with changes, oldest first. */
export function countChanges(database: Queryable): Promise<EditionChanges[]> {
  return database.query<EditionChanges>(
    `select changed.edition, published_at as "publishedAt", count(*) as changes from (${CHANGES}) as changed
     join artwork_editions on artwork_editions.number = changed.edition and state = 'published'
     group by changed.edition, published_at order by changed.edition`,
  );
}

/** A page of the changes of one edition, in the order of ids. */
export function readImageChanges(
  database: Queryable,
  { edition, offset, limit }: { edition: number; offset: number; limit: number },
): Promise<Change[]> {
  return database.query<Change>(
    `select id, kind from (${CHANGES}) as changed where edition = $1 order by id offset $2 limit $3`,
    [edition, offset, limit],
  );
}
