import type { Queryable } from '../../../core/database/types.ts';
import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';

/** A museum's response about one work. */
export interface LiveRow {
  readonly id: string;
  /** sha256 of the edition's record that this one replaces. */
  readonly completes: string;
  readonly askedAt: Date;
  /** Null: the response does not describe a work that can be included. */
  readonly record: ArtworkRecord | null;
  readonly sha256: string | null;
  /** Why there is no record. */
  readonly leftOut: string | null;
  /** The responses, by address. */
  readonly answers: KeptAnswers;
}

export type KeptAnswers = Readonly<Record<string, { etag: string; value: Record<string, unknown> }>>;

const ROW = `id, completes, asked_at as "askedAt", record, sha256, left_out as "leftOut"`;

/** Responses for these works that still apply to the edition's records. An import that changes a record invalidates its response. */
export async function readLive(
  database: Queryable,
  edition: number,
  ids: readonly string[],
): Promise<Map<string, Omit<LiveRow, 'answers'>>> {
  const rows = await database.query<Omit<LiveRow, 'answers'>>(
    `select ${ROW} from artwork_live where id = any($2::text[])
     and exists (select 1 from artworks where artworks.id = artwork_live.id and artworks.sha256 = artwork_live.completes
       and added_in <= $1 and removed_in > $1)`,
    [edition, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Cursor through museum responses: a time, and an id at that time. */
export interface LiveMoment {
  readonly askedAt: Date;
  readonly id: string;
}

/** Works of an edition with museum responses after the cursor, in that order, with the current record. */
export function readLiveSince(
  database: Queryable,
  edition: number,
  { askedAt, id }: LiveMoment,
  limit: number,
): Promise<(LiveMoment & { readonly number: number; readonly record: ArtworkRecord })[]> {
  return database.query(
    `select live.asked_at as "askedAt", live.id, artworks.number, coalesce(live.record, artworks.record) as record
     from artwork_live as live join artworks on artworks.id = live.id and artworks.sha256 = live.completes
       and added_in <= $1 and removed_in > $1
     where (live.asked_at, live.id) > ($2, $3) order by live.asked_at, live.id limit $4`,
    [edition, askedAt, id, limit],
  );
}

/** Earlier responses about a work, regardless of the record they replaced. */
export async function readAnswers(database: Queryable, id: string): Promise<KeptAnswers> {
  const [row] = await database.query<{ answers: KeptAnswers }>(
    'select answers from artwork_live where id = $1',
    [id],
  );
  return row?.answers ?? {};
}

/** Stores a response, unless the work was withdrawn in the meantime. */
export async function writeLive(
  database: Queryable,
  { id, museum, completes, askedAt, record, sha256, leftOut, answers }: LiveRow & { museum: MuseumName },
): Promise<void> {
  await database.query(
    `insert into artwork_live (id, museum, completes, asked_at, record, sha256, left_out, answers)
     select $1, $2, $3, $4, $5::jsonb, $6, $7, $8::jsonb
     where not exists (select 1 from artwork_withdrawals where id = $1)
     on conflict (id) do update set completes = excluded.completes, asked_at = excluded.asked_at, record = excluded.record,
       sha256 = excluded.sha256, left_out = excluded.left_out, answers = excluded.answers`,
    [
      id,
      museum,
      completes,
      askedAt,
      record && JSON.stringify(record),
      sha256,
      leftOut,
      storableJson(answers),
    ],
  );
}

/** An escape of U+0000 or of a lone surrogate in JSON text. An escaped backslash before it matches as well, which is harmless. */
const UNSTORABLE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Responses as JSON text. jsonb rejects U+0000 and lone surrogates; a response with one is left out and fetched in full next time. */
function storableJson(answers: KeptAnswers): string {
  const members = Object.entries(answers)
    .map(([url, answer]) => `${JSON.stringify(url)}:${JSON.stringify(answer)}`)
    .filter((member) => !UNSTORABLE.test(member));
  return `{${members.join(',')}}`;
}

/** Deletes the responses about a work. */
export async function deleteLive(database: Queryable, id: string): Promise<void> {
  await database.query('delete from artwork_live where id = $1', [id]);
}

/** On-demand works of each museum, counted by whether they replace a record of the edition. */
export function countLive(database: Queryable, edition: number): Promise<LiveCount[]> {
  return database.query<LiveCount>(
    `select live.museum, count(*) filter (where live.record is not null) as works,
       count(*) filter (where live.record->'rights'->>'evidence' is not null) as "read",
       count(*) filter (where live.record->'image'->>'kind' is not null) as pictures,
       count(*) filter (where live.record is null) as refused,
       (min(asked_at) at time zone 'UTC')::date::text as first, (max(asked_at) at time zone 'UTC')::date::text as last
     from artwork_live as live join artworks on artworks.id = live.id and artworks.sha256 = live.completes
     where added_in <= $1 and removed_in > $1 group by live.museum order by live.museum`,
    [edition],
  );
}

export interface LiveCount {
  readonly museum: MuseumName;
  /** Works whose record replaces the edition's. */
  readonly works: number;
  /** Of these, works whose record was read, not only the image. */
  readonly read: number;
  readonly pictures: number;
  /** Works whose response could not be included. */
  readonly refused: number;
  /** Days of the requests. */
  readonly first: string;
  readonly last: string;
}
