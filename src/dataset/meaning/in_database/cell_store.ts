import type { Queryable } from '../../../database/contract.ts';

export interface StoredCells {
  readonly generation: number;
  readonly dimensions: number;
  readonly centres: Uint8Array;
  readonly made_of: number;
  readonly folded: number;
}

export async function readCells(database: Queryable, model: string): Promise<StoredCells | undefined> {
  const [cells] = await database.query<StoredCells>(
    'select generation, dimensions, centres, made_of, folded from artwork_vector_cells where model = $1',
    [model],
  );
  return cells;
}

/** How many vectors of a model there are, up to a number. */
export async function countVectors(
  database: Queryable,
  model: string,
  upTo: number = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const [row] = await database.query<{ vectors: number }>(
    'select count(*) as vectors from artwork_vectors where model = $1 and number <= $2',
    [model, upTo],
  );
  return row!.vectors;
}

/** Some vectors of a model, spread over all, in the order of their numbers. */
export async function sampleVectors(
  database: Queryable,
  model: string,
  vectors: number,
  of: number,
): Promise<Uint8Array[]> {
  const rows = await database.query<{ vector: Uint8Array }>(
    `select vector from (select vector, row_number() over (order by number) as nth, number from artwork_vectors where model = $1) as all_of_it
     where nth % $2 = 0 order by number limit $3`,
    [model, Math.max(1, Math.floor(of / vectors)), vectors],
  );
  return rows.map(({ vector }) => vector);
}

/** Vectors of a model by their numbers. A work that was given another vector since has another number. */
export function readByNumber(
  database: Queryable,
  model: string,
  numbers: readonly number[],
): Promise<{ id: string; vector: Uint8Array }[]> {
  return database.query(
    'select id, vector from artwork_vectors where model = $1 and number = any($2::bigint[])',
    [model, numbers],
  );
}

/** Vectors of a model with numbers after one and up to another, in their order. */
export function readBetween(
  database: Queryable,
  model: string,
  after: number,
  upTo: number,
): Promise<{ number: number; vector: Uint8Array }[]> {
  return database.query(
    'select number, vector from artwork_vectors where model = $1 and number > $2 and number <= $3 order by number',
    [model, after, upTo],
  );
}

/** The newest vector of a model. */
export async function readNewest(
  database: Queryable,
  model: string,
): Promise<{ number: number; vector: Uint8Array } | undefined> {
  const [newest] = await database.query<{ number: number; vector: Uint8Array }>(
    `select number, vector from artwork_vectors
     where number = (select max(number) from artwork_vectors where model = $1)`,
    [model],
  );
  return newest;
}

/** Whether nobody else folds, for so long. A row that is not there yet is made. */
export async function claimCells(
  database: Queryable,
  model: string,
  now: Date,
  until: Date,
): Promise<boolean> {
  const rows = await database.query(
    `insert into artwork_vector_cells as cells (model, generation, dimensions, centres, made_of, folded, claimed_until)
     values ($1, 0, 0, '', 0, 0, $3)
     on conflict (model) do update set claimed_until = excluded.claimed_until where cells.claimed_until <= $2
     returning model`,
    [model, now, until],
  );
  return rows.length > 0;
}

export const releaseCells = (database: Queryable, model: string, now: Date): Promise<unknown> =>
  database.query('update artwork_vector_cells set claimed_until = $2 where model = $1', [model, now]);

/** Publishes centres of a new generation, whose blocks hold vectors with numbers up to `folded`. */
export async function publishCells(
  tx: Queryable,
  model: string,
  { generation, dimensions, centres, made_of, folded }: StoredCells,
): Promise<void> {
  await tx.query(
    `update artwork_vector_cells set generation = $2, dimensions = $3, centres = decode($4, 'hex'), made_of = $5, folded = $6 where model = $1`,
    [model, generation, dimensions, Buffer.from(centres).toString('hex'), made_of, folded],
  );
}

export const markFolded = (tx: Queryable, model: string, folded: number): Promise<unknown> =>
  tx.query('update artwork_vector_cells set folded = $2 where model = $1', [model, folded]);

/** What is written of cells is in the part that the remainder of their number says. */
export const CELL_TABLES = 'artwork_vector_blocks';

/** Takes out the last block of each cell that has room, so that it is written again with more in it. */
export function takeOpenBlocks(
  tx: Queryable,
  part: number,
  {
    model,
    generation,
    cells,
    fewerThan,
  }: { model: string; generation: number; cells: readonly number[]; fewerThan: number },
): Promise<{ cell: number; packed: Uint8Array }[]> {
  return tx.query(
    `delete from ${CELL_TABLES}_${part} where model = $1 and generation = $2 and cell = any($3::integer[]) and vectors < $4
     returning cell, packed`,
    [model, generation, cells, fewerThan],
  );
}

export async function insertBlocks(
  tx: Queryable,
  part: number,
  { model, generation }: { model: string; generation: number },
  blocks: readonly { cell: number; vectors: number; packed: Uint8Array }[],
): Promise<void> {
  await tx.query(
    `insert into ${CELL_TABLES}_${part} (model, generation, cell, vectors, packed)
     select $1, $2, cell, vectors, decode(packed, 'hex')
     from unnest($3::integer[], $4::integer[], $5::text[]) as block (cell, vectors, packed)`,
    [
      model,
      generation,
      blocks.map(({ cell }) => cell),
      blocks.map(({ vectors }) => vectors),
      blocks.map(({ packed }) => Buffer.from(packed).toString('hex')),
    ],
  );
}

/** Deletes blocks of a model that nobody asks for. @param generation the one that stays */
export async function deleteOtherBlocks(
  database: Queryable,
  part: number,
  model: string,
  generation: number,
): Promise<void> {
  await database.query(`delete from ${CELL_TABLES}_${part} where model = $1 and generation <> $2`, [
    model,
    generation,
  ]);
}
