import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Database, Queryable } from '../../../database/contract.ts';
import { PARTS, partOf } from '../../search/in_database/parts.ts';
import { packVector } from '../vector_index.ts';
import {
  claimCells,
  countVectors,
  deleteOtherBlocks,
  insertBlocks,
  markFolded,
  publishCells,
  readBetween,
  readCells,
  readNewest,
  releaseCells,
  type StoredCells,
  sampleVectors,
  takeOpenBlocks,
} from './cell_store.ts';
import { cellsOf, chooseCentres, nearestCentre, SAMPLES_A_CELL, unitOf } from './choose_centres.ts';
import { bytesOfVector, packBits } from './vector_bits.ts';

/** Fewer are compared one by one, by every process for itself. */
export const FOLDED_MIN = 4096;
/** Vectors folded in one transaction, and the most that are in a block. */
const FOLDED_AT_A_TIME = { embedded: 1024, postgresql: 8192 };
const BLOCK_VECTORS = 256;
/** As many times more vectors than the centres were chosen for need other centres. */
const GROWTH = 4;
/** A process that has not been heard of for so long has died. */
const CLAIM_MS = 60_000;

/**
 * Puts the vectors of a model that came since into their cells, and chooses cells first where there are none or far too few. One process does
 * it at a time; what was done stays done. @returns false where there is nothing to do, or somebody else does it
 */
export async function foldVectors(database: Database, model: string): Promise<boolean> {
  const claim = () => claimCells(database, model, new Date(), new Date(Date.now() + CLAIM_MS));
  if (!(await claim())) return false;
  // Whoever works longer says so; nobody else could have it meanwhile.
  const signs = setInterval(
    () => releaseCells(database, model, new Date(Date.now() + CLAIM_MS)).catch(() => {}),
    CLAIM_MS / 3,
  );
  try {
    const known = await readCells(database, model);
    const vectors = await countVectors(database, model);
    if (vectors < FOLDED_MIN) return false;
    const newest = (await readNewest(database, model))!;
    // The model has another length under the same name: the newer one counts.
    const isOther = newest.vector.length !== known!.dimensions;
    const isOutgrown = isOther || vectors > GROWTH * known!.made_of;
    const cells = isOutgrown
      ? await choose(database, model, { generation: known!.generation + 1, vectors })
      : known!;
    await foldInto(database, model, cells, { isNew: isOutgrown, upTo: newest.number });
    for (let part = 0; part < PARTS; part += 1)
      await deleteOtherBlocks(database, part, model, cells.generation);
    return true;
  } finally {
    clearInterval(signs);
    await releaseCells(database, model, new Date());
  }
}

async function choose(
  database: Database,
  model: string,
  { generation, vectors }: { generation: number; vectors: number },
): Promise<StoredCells> {
  const cells = cellsOf(vectors);
  const sample = await sampleVectors(database, model, SAMPLES_A_CELL * cells, vectors);
  const dimensions = sample.at(-1)!.length;
  const units = sample.flatMap((bytes) => (bytes.length === dimensions ? (unitOf(signed(bytes)) ?? []) : []));
  const centres = await chooseCentres(units, cells);
  // An earlier try may have left some of this generation.
  for (let part = 0; part < PARTS; part += 1) await deleteOtherBlocks(database, part, model, generation - 1);
  const packed = Buffer.concat(centres.map((centre) => Buffer.from(packVector(centre).buffer)));
  return { generation, dimensions, centres: packed, made_of: vectors, folded: 0 };
}

async function foldInto(
  database: Database,
  model: string,
  cells: StoredCells,
  { isNew, upTo }: { isNew: boolean; upTo: number },
): Promise<void> {
  const centres = centresOf(cells);
  const cellOf = nearestCentre(centres);
  // Stretches of numbers, not so many vectors: the database needs no guess of how to find these.
  for (let after = cells.folded; after < upTo; after += FOLDED_AT_A_TIME[database.kind]) {
    const last = Math.min(upTo, after + FOLDED_AT_A_TIME[database.kind]);
    const rows = await readBetween(database, model, after, last);
    const byCell = new Map<number, Uint8Array[]>();
    for (const [at, { number, vector }] of rows.entries()) {
      const unit = vector.length === cells.dimensions ? unitOf(signed(vector)) : undefined;
      if (!unit) continue;
      const cell = await cellOf(unit);
      const packed = packBits(number, unit, centres[cell]!);
      byCell.set(cell, [...(byCell.get(cell) ?? []), packed]);
      if (at % 64 === 0) await letOthersRun();
    }
    await database.transaction(async (tx) => {
      await writeCells(tx, { model, generation: cells.generation, dimensions: cells.dimensions }, byCell);
      // Nobody reads a generation before it is published.
      if (!isNew) await markFolded(tx, model, last);
    });
  }
  if (isNew) await publishCells(database, model, { ...cells, folded: upTo });
}

async function writeCells(
  tx: Queryable,
  { dimensions, ...of }: { model: string; generation: number; dimensions: number },
  byCell: ReadonlyMap<number, readonly Uint8Array[]>,
): Promise<void> {
  const stride = bytesOfVector(dimensions);
  for (const [part, entries] of Map.groupBy(byCell, ([cell]) => partOf(cell))) {
    const cells = entries.map(([cell]) => cell);
    const open = await takeOpenBlocks(tx, part, { ...of, cells, fewerThan: BLOCK_VECTORS / 2 });
    const blocks = entries.flatMap(([cell, packed]) => {
      const before = open.filter((block) => block.cell === cell).map((block) => block.packed);
      const all = Buffer.concat([...before, ...packed]);
      const size = BLOCK_VECTORS * stride;
      return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => {
        const some = all.subarray(at * size, (at + 1) * size);
        return { cell, vectors: some.length / stride, packed: some };
      });
    });
    await insertBlocks(tx, part, of, blocks);
  }
}

export const signed = (bytes: Uint8Array): Int8Array =>
  new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);

/** Centres as unit vectors, as they are read back: bits are told from these. */
export function centresOf({
  centres,
  dimensions,
}: Pick<StoredCells, 'centres' | 'dimensions'>): Float32Array[] {
  return Array.from({ length: centres.length / dimensions }, (_, cell) => {
    const bytes = signed(centres.subarray(cell * dimensions, (cell + 1) * dimensions));
    return unitOf(bytes) ?? new Float32Array(dimensions);
  });
}
