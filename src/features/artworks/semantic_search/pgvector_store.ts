import { createHash } from 'node:crypto';
import type { Database, Queryable } from '../../../core/database/types.ts';
import type { NearestQuery } from './types.ts';
import type { VectorRow } from './vector_store.ts';

/** Iterative scans, which continue until enough works pass a filter, require 0.8. */
const PGVECTOR_MIN = [0, 8] as const;
/** Links per vector, and candidates while building: the defaults of pgvector. */
const LINKS = 16;
const BUILD_CANDIDATES = 64;
/** Candidates per search; an iterative scan fetches more if needed. */
const SEARCH_CANDIDATES = 400;

/**
 * Creates the extension if it is missing.
 * @returns the quoted schema of its types
 * @throws Error saying why it cannot be used
 */
export async function requirePgvector(database: Queryable): Promise<string> {
  const installed = () =>
    database.query<{ version: string; schema: string }>(
      `select extversion as version, quote_ident(nspname) as schema
       from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector'`,
    );
  let [extension] = await installed();
  if (!extension) {
    // Another server may create it at the same time.
    await database.query('create extension if not exists vector').catch(async (error: unknown) => {
      if ((await installed()).length === 0) throw error;
    });
    [extension] = await installed();
  }
  const { version, schema } = extension!;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < PGVECTOR_MIN[0] || (major === PGVECTOR_MIN[0] && minor < PGVECTOR_MIN[1]))
    throw new Error(`its version is ${version}; ${PGVECTOR_MIN.join('.')} or newer is required`);
  return schema;
}

/** Vectors of a model with the same dimensions. */
export interface VectorSet {
  readonly model: string;
  readonly dimensions: number;
  /** Quoted schema of pgvector's types. */
  readonly schema: string;
}

/** Dimensions of the newest vector of a model; undefined without vectors. */
export async function readDimensions(database: Queryable, model: string): Promise<number | undefined> {
  const [newest] = await database.query<{ dimensions: number }>(
    'select octet_length(vector) as dimensions from artwork_vectors where model = $1 order by number desc limit 1',
    [model],
  );
  return newest?.dimensions;
}

/** Counts vectors of all dimensions, which rarely change for a model, so that the rows need not be read. */
export async function countVectors(database: Queryable, model: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*) as count from artwork_vectors where model = $1',
    [model],
  );
  return row!.count;
}

/** Model names may contain characters that index names cannot. */
const indexOf = ({ model, dimensions }: VectorSet): string =>
  `artwork_vectors_hnsw_${createHash('sha256').update(`${model} ${dimensions}`).digest('hex').slice(0, 16)}`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The planner uses the partial index only for these exact conditions, without parameters. */
const conditionsOf = ({ model, dimensions }: VectorSet): string =>
  `model = ${literal(model)} and octet_length(vector) = ${dimensions}`;

const vectorOf = ({ dimensions, schema }: VectorSet): string =>
  `artwork_halfvec(vector)::${schema}.halfvec(${dimensions})`;

export async function hasIndex(database: Queryable, set: VectorSet): Promise<boolean> {
  const [row] = await database.query<{ is_there: boolean }>(
    'select to_regclass($1) is not null as is_there',
    [indexOf(set)],
  );
  return row!.is_there;
}

/**
 * Builds the index of a set; PostgreSQL then keeps it up to date. Vectors can be read, but not written, in
 * the meantime.
 * @param database without a statement timeout
 */
export async function buildIndex(database: Database, set: VectorSet): Promise<void> {
  const { schema } = set;
  await database.transaction(async (tx) => {
    await tx.query(`create or replace function artwork_halfvec(vector bytea) returns ${schema}.halfvec
      language sql immutable strict parallel safe
      return array(
        select (get_byte(vector, place) + 128) % 256 - 128 from generate_series(0, octet_length(vector) - 1) as place
      )::${schema}.halfvec`);
    // For the newest vector of a model, which every search reads.
    await tx.query('create index if not exists artwork_vectors_by_number on artwork_vectors (model, number)');
    await tx.query(`create index if not exists ${indexOf(set)} on artwork_vectors
      using hnsw ((${vectorOf(set)}) ${schema}.halfvec_cosine_ops)
      with (m = ${LINKS}, ef_construction = ${BUILD_CANDIDATES}) where ${conditionsOf(set)}`);
  });
}

/** Vectors near this one according to the index, unordered, for an exact comparison. */
export async function readNearest(
  database: Database,
  set: VectorSet,
  { vector, limit, museum }: NearestQuery & { readonly vector: Float32Array },
): Promise<Omit<VectorRow, 'number'>[]> {
  const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0) || 1;
  const text = `[${Array.from(vector, (value) => (value / most).toFixed(5)).join(',')}]`;
  return database.transaction(async (tx) => {
    // Leaves the planner only the index: it underestimates the cost of comparing every vector.
    await tx.query(
      `select set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
         set_config('hnsw.ef_search', '${SEARCH_CANDIDATES}', true)`,
    );
    return tx.query<Omit<VectorRow, 'number'>>(
      `select id, encode(vector, 'base64') as vector from artwork_vectors
       where ${conditionsOf(set)} ${museum ? 'and id ^@ $3' : ''}
       order by ${vectorOf(set)} operator(${set.schema}.<=>) $1::${set.schema}.halfvec(${set.dimensions}) limit $2`,
      [text, limit, ...(museum ? [`${museum}_`] : [])],
    );
  });
}
