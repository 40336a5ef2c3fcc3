import type { Queryable } from '../../core/database/types.ts';
import { insertEvents } from '../../core/outbox/outbox.ts';
import type { Artwork, CafePost, Entry, Signature } from './types.ts';

/** The SQL statements of one board. Each is atomic, so posting needs no transaction. */
export interface Board<E extends Entry> {
  /**
   * Returns false if the id exists or the same words were posted within the repost window. A concurrent
   * duplicate waits for the first insert and is then refused.
   */
  insert(database: Queryable, entry: E, wordsSha256: string): Promise<boolean>;
  findByWords(database: Queryable, wordsSha256: string): Promise<E | undefined>;
  /** Hides an entry from the feed as of a time; null shows it again. Returns false for an unknown id. */
  hide(database: Queryable, id: string, hiddenAt: Date | null): Promise<boolean>;
  /** Visible entries, newest first. `category` applies only to a board with that column. */
  newest(database: Queryable, limit: number, category?: string): Promise<E[]>;
  count(database: Queryable): Promise<number>;
  /** Deletes the fingerprint of these words if they were posted up to `until`. */
  forgetWords(database: Queryable, wordsSha256: string, until: Date): Promise<void>;
  /** Deletes all fingerprints of entries posted up to `until`; returns their number. */
  forget(database: Queryable, until: Date): Promise<number>;
}

export const cafeBoard = board<CafePost>(
  'cafe_posts',
  { type: 'cafe.posted', url: '/api/cafe/feed' },
  {
    id: 'id',
    name: 'name',
    category: 'category',
    message: 'message',
    agentModel: 'agent_model',
    wallet: 'wallet',
    postedAt: 'posted_at',
  },
);

export const galleryBoard = board<Artwork>(
  'gallery_artworks',
  { type: 'gallery.posted', url: '/api/gallery/feed' },
  {
    id: 'id',
    name: 'name',
    title: 'title',
    description: 'description',
    imageUrl: 'image_url',
    permanentStorageTx: 'permanent_storage_tx',
    agentModel: 'agent_model',
    wallet: 'wallet',
    tags: 'tags',
    postedAt: 'posted_at',
  },
);

export const registryBoard = board<Signature>(
  'registry_entries',
  { type: 'registry.signed', url: '/api/registry/entries' },
  {
    id: 'id',
    name: 'name',
    type: 'type',
    message: 'message',
    model: 'model',
    postedAt: 'posted_at',
  },
);

/** Public event, without the text, which only the feed shows. */
interface PostedEvent {
  readonly type: string;
  /** Path of the feed, made absolute when the event is sent. */
  readonly url: string;
}

function board<E extends Entry>(
  table: string,
  event: PostedEvent,
  columns: Record<keyof E & string, string>,
): Board<E> {
  const fields = Object.keys(columns) as (keyof E & string)[];
  const selected = fields.map((field) => `${columns[field]} as "${field}"`).join(', ');
  const insert = insertPost(table, event, [...Object.values<string>(columns), 'words_sha256']);

  return {
    async insert(database, entry, wordsSha256) {
      const values = fields.map((field) => parameter(entry[field]));
      const rows = await database.query(insert, [...values, wordsSha256]);
      return rows.length > 0;
    },
    async findByWords(database, wordsSha256) {
      const [row] = await database.query<E>(`select ${selected} from ${table} where words_sha256 = $1`, [
        wordsSha256,
      ]);
      return row;
    },
    async hide(database, id, hiddenAt) {
      const rows = await database.query(`update ${table} set hidden_at = $2 where id = $1 returning id`, [
        id,
        hiddenAt,
      ]);
      return rows.length > 0;
    },
    newest: (database, limit, category) =>
      database.query<E>(
        `select ${selected} from ${table} where hidden_at is null ${category === undefined ? '' : 'and category = $2'}
         order by number desc limit $1`,
        category === undefined ? [limit] : [limit, category],
      ),
    async count(database) {
      const [row] = await database.query<{ count: number }>(
        `select count(*) as count from ${table} where hidden_at is null`,
      );
      return row!.count;
    },
    async forgetWords(database, wordsSha256, until) {
      await database.query(
        `update ${table} set words_sha256 = null where words_sha256 = $1 and posted_at <= $2`,
        [wordsSha256, until],
      );
    },
    async forget(database, until) {
      const rows = await database.query(
        `update ${table} set words_sha256 = null
         where words_sha256 is not null and posted_at <= $1 returning id`,
        [until],
      );
      return rows.length;
    },
  };
}

/** SQL that inserts an entry and its event, and returns the id; no row if it was not inserted. */
function insertPost(table: string, { type, url }: PostedEvent, columns: readonly string[]): string {
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const events = `select null::text, '${type}', jsonb_build_object('id', id, 'url', '${url}'), posted_at from posted`;
  return `with posted as (
      insert into ${table} (${columns.join(', ')}) values (${places}) on conflict do nothing returning id, posted_at
    ), events as (${insertEvents(events)})
    select id from posted`;
}

/** Arrays are stored as jsonb; the drivers would otherwise send them as SQL arrays. */
const parameter = (value: unknown): unknown => (Array.isArray(value) ? JSON.stringify(value) : value);
