import type { Queryable } from '../../../core/database/types.ts';
import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';

/** What a museum has answered about one work. */
export interface LiveRow {
  readonly id: string;
  /** sha256 of the record of an edition that this one stands for. */
  readonly completes: string;
  readonly askedAt: Date;
  /** Null: what was read is no work that can be taken. */
  readonly record: ArtworkRecord | null;
  readonly sha256: string | null;
  /** Why there is no record. */
  readonly leftOut: string | null;
  /** By address, what was read there. */
  readonly answers: KeptAnswers;
}

export type KeptAnswers = Readonly<Record<string, { etag: string; value: Record<string, unknown> }>>;

const ROW = `id, completes, asked_at as "askedAt", record, sha256, left_out as "leftOut"`;

/** Of these works what holds for the records of the edition; an import that changes a record does away with it. */
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

/** Up to where answers of museums were read: a moment, and an id at that moment. */
export interface LiveMoment {
  readonly askedAt: Date;
  readonly id: string;
}

/** Works of an edition about which museums have answered after a moment, in that order, with the record that stands now. */
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

/** What was read of a work before, whatever it stood for. */
export async function readAnswers(database: Queryable, id: string): Promise<KeptAnswers> {
  const [row] = await database.query<{ answers: KeptAnswers }>(
    'select answers from artwork_live where id = $1',
    [id],
  );
  return row?.answers ?? {};
}

/** Keeps what was read; nothing of a work that was withdrawn meanwhile. */
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

/** An escape of U+0000 or of a lone surrogate in JSON text. An escaped backslash before it is taken for one as well, which does no harm. */
const UNSTORABLE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Answers as JSON text. jsonb refuses U+0000 and lone surrogates; an answer with one is left out and fetched in full the next time. */
function storableJson(answers: KeptAnswers): string {
  const members = Object.entries(answers)
    .map(([url, answer]) => `${JSON.stringify(url)}:${JSON.stringify(answer)}`)
    .filter((member) => !UNSTORABLE.test(member));
  return `{${members.join(',')}}`;
}

/** Forgets what was read of a work. */
export async function deleteLive(database: Queryable, id: string): Promise<void> {
  await database.query('delete from artwork_live where id = $1', [id]);
}

/** Of each museum how many works were asked for, by whether they stand in place of a record of the edition. */
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
  /** Works whose record stands in place of the edition's. */
  readonly works: number;
  /** Of these: those whose record was read, not only their picture. */
  readonly read: number;
  readonly pictures: number;
  /** Works of which the museum said nothing that lets them be taken. */
  readonly refused: number;
  /** Days on which they were asked for. */
  readonly first: string;
  readonly last: string;
}
