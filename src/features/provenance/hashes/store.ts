import type { Queryable } from '../../../core/database/types.ts';
import type { NewRegistration, Registration } from './types.ts';

const COLUMNS = `number, id, wallet, work_id, sha256, encode(pdq, 'hex') as pdq, quality, encode(preview, 'base64') as preview,
  width, height, title, artist, provenance_uri, created_at`;

interface Row {
  readonly number: number;
  readonly id: string;
  readonly wallet: string | null;
  readonly work_id: string | null;
  readonly sha256: string;
  readonly pdq: string;
  readonly quality: number;
  readonly preview: string;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly artist: string;
  readonly provenance_uri: string;
  readonly created_at: Date;
}

/** A registration and its number in commit order. */
export interface Numbered {
  readonly number: number;
  readonly registration: Registration;
}

/**
 * Registers in one statement. Returns undefined if the wallet, or the work, has registered this file before.
 */
export async function insert(
  database: Queryable,
  id: string,
  picture: NewRegistration & { readonly workId?: string },
  at: Date,
): Promise<Numbered | undefined> {
  const {
    wallet,
    sha256,
    pdq,
    quality,
    windows,
    preview,
    width,
    height,
    title,
    artist,
    provenanceUri,
    hold,
    workId,
  } = picture;
  const rows = await database.query<Row>(
    `with next as (update registered_hash_count set last = last + 1 returning last)
     insert into registered_hashes (number, id, wallet, sha256, pdq, quality, windows, preview, width, height, title,
       artist, provenance_uri, hold_id, created_at, work_id)
     select last, $1, $2, $3, decode($4, 'hex'), $5, decode($6, 'hex'), decode($7, 'base64'), $8, $9, $10, $11, $12,
       'hold:' || $13::text, $14, $15 from next
     on conflict do nothing
     returning ${COLUMNS}`,
    [
      id,
      wallet ?? null,
      sha256,
      hex(pdq),
      quality,
      hex(windows),
      base64(preview),
      width,
      height,
      title,
      artist,
      provenanceUri,
      hold ?? null,
      at,
      workId ?? null,
    ],
  );
  return rows[0] && numberedOf(rows[0]);
}

/** Registration of a wallet, with the unprefixed id of the hold that pays for it; null once it is paid. */
export async function selectOwn(
  database: Queryable,
  wallet: string,
  sha256: string,
): Promise<{ registration: Registration; hold: string | null } | undefined> {
  const [row] = await database.query<Row & { hold: string | null }>(
    `select ${COLUMNS}, substr(hold_id, 6) as hold from registered_hashes where wallet = $1 and sha256 = $2`,
    [wallet, sha256],
  );
  return row && { registration: numberedOf(row).registration, hold: row.hold };
}

/** Deletes the registrations of a withdrawn work. */
export async function deleteWork(database: Queryable, workId: string): Promise<void> {
  await database.query('delete from registered_hashes where work_id = $1', [workId]);
}

export async function selectOfFile(database: Queryable, sha256: string): Promise<Registration[]> {
  const rows = await database.query<Row>(
    `select ${COLUMNS} from registered_hashes where sha256 = $1 order by number limit 100`,
    [sha256],
  );
  return rows.map((row) => numberedOf(row).registration);
}

export async function selectById(database: Queryable, id: string): Promise<Registration | undefined> {
  const [row] = await database.query<Row>(`select ${COLUMNS} from registered_hashes where id = $1`, [id]);
  return row && numberedOf(row).registration;
}

export async function selectNumbers(database: Queryable, numbers: number[]): Promise<Numbered[]> {
  if (numbers.length === 0) return [];
  const rows = await database.query<Row>(
    `select ${COLUMNS} from registered_hashes where number = any($1::bigint[])`,
    [numbers],
  );
  return rows.map(numberedOf);
}

/** Parts of the index: hashes of whole images, and hashes of their windows. */
export type Room = 'pictures' | 'windows';

const CODES: Record<Room, string> = { pictures: 'pdq', windows: 'windows' };

/** Codes of several registrations, concatenated in registration order. */
export interface CodePage {
  readonly numbers: readonly number[];
  /** Number of codes of each registration. */
  readonly counts: readonly number[];
  /** 32 bytes per code. */
  readonly codes: Uint8Array;
}

/** Reads one page of codes as a single value, because rows cost more than bytes. */
export async function selectCodes(
  database: Queryable,
  room: Room,
  after: number,
  limit: number,
): Promise<CodePage | undefined> {
  const [page] = await database.query<{ numbers: number[] | null; counts: number[]; codes: string }>(
    `select json_agg(number order by number) as numbers,
       json_agg(octet_length(codes) / 32 order by number) as counts,
       encode(string_agg(codes, ''::bytea order by number), 'base64') as codes
     from (select number, ${CODES[room]} as codes from registered_hashes where number > $1 order by number limit $2) page`,
    [after, limit],
  );
  if (!page?.numbers) return undefined;
  return { ...page, numbers: page.numbers, codes: new Uint8Array(Buffer.from(page.codes, 'base64')) };
}

/** Codes of the given registrations, by number. */
export async function selectCodesOf(
  database: Queryable,
  room: Room,
  numbers: readonly number[],
): Promise<Map<number, Buffer>> {
  const rows = await database.query<{ number: number; codes: string }>(
    `select number, encode(${CODES[room]}, 'hex') as codes from registered_hashes where number = any($1::bigint[])`,
    [numbers],
  );
  return new Map(rows.map(({ number, codes }) => [number, Buffer.from(codes, 'hex')]));
}

/** Number of the latest registration, including deleted ones. */
export async function selectLast(database: Queryable): Promise<number> {
  const [row] = await database.query<{ last: number }>('select last from registered_hash_count');
  return row!.last;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const numberedOf = (row: Row): Numbered => ({
  number: row.number,
  registration: {
    id: row.id,
    wallet: row.wallet,
    workId: row.work_id,
    sha256: row.sha256,
    pdq: new Uint8Array(Buffer.from(row.pdq, 'hex')),
    quality: row.quality,
    preview: new Uint8Array(Buffer.from(row.preview, 'base64')),
    width: row.width,
    height: row.height,
    title: row.title,
    artist: row.artist,
    provenanceUri: row.provenance_uri,
    createdAt: row.created_at,
  },
});
