import type { Database } from '../../../database/contract.ts';
import type { IndexParts } from '../../search/in_database/ask_parts.ts';
import { followVectors } from '../follow_vectors.ts';
import { largest, type NearVector, type VectorIndex } from '../vector_index.ts';
import type { VectorSearch } from '../vector_search.ts';
import type { FollowVectors } from '../vectors_in.ts';
import { CELL_TABLES, countVectors, readByNumber, readCells, type StoredCells } from './cell_store.ts';
import { indexOf, unitOf } from './choose_centres.ts';
import { centresOf, FOLDED_MIN, foldVectors, signed } from './fold_vectors.ts';
import { estimate, sumsOfBytes } from './vector_bits.ts';

/** Of the cells those that are read: one in so many, and at least some. */
const CELLS_SHARE = 1 / 16;
const CELLS_MIN = 48;
/** Vectors that are compared exactly, for so many that are wanted: bits tell the order only roughly. */
const COMPARED_TIMES = 2;
const COMPARED_MORE = 100;

interface Opened {
  readonly stored: StoredCells;
  readonly centres: readonly Float32Array[];
  /** To find the centres nearest to a question. */
  readonly index: VectorIndex | undefined;
  readonly size: number;
  /** Vectors that are in no cell yet. */
  readonly recent: ReturnType<typeof followVectors>;
}

interface Cells {
  readonly parts: IndexParts;
  readonly model: string;
  /** Hears why vectors were not put into cells; they are compared one by one until they are. */
  report(error: unknown): void;
}

/**
 * Follows the vectors of a model in the database: in memory are the centres of the cells and some thousand vectors that are in none yet. What
 * is found is compared exactly; what lies in none of the cells nearest to the question is not found.
 */
export function createCellSearch(database: Database, { parts, model, report }: Cells): FollowVectors {
  let opened: Opened | undefined;
  let folding: Promise<unknown> | undefined;
  const open = async (): Promise<Opened> => {
    const stored = await readCells(database, model);
    const isSame =
      stored?.generation === opened?.stored.generation && stored?.folded === opened?.stored.folded;
    if (opened && isSame) return opened;
    const now = stored ?? { generation: 0, dimensions: 0, centres: new Uint8Array(), made_of: 0, folded: 0 };
    const centres = now.generation === 0 ? [] : centresOf(now);
    const size = now.folded === 0 ? 0 : await countVectors(database, model, now.folded);
    opened = {
      ...{ stored: now, centres, size },
      index: centres.length > 0 ? indexOf(centres) : undefined,
      recent: followVectors(database, model, now.folded),
    };
    return opened;
  };
  return async () => {
    const cells = await open();
    const recent = await cells.recent();
    // Nobody waits for it: until it is done they are compared one by one.
    if (recent && recent.size >= FOLDED_MIN && !folding) {
      folding = foldVectors(database, model)
        .catch(report)
        .finally(() => {
          folding = undefined;
        });
    }
    if (!recent && !cells.index) return undefined;
    return searchOf(cells, recent, { database, parts, model });
  };
}

interface Where {
  readonly database: Database;
  readonly parts: IndexParts;
  readonly model: string;
}

function searchOf(cells: Opened, recent: VectorSearch | undefined, where: Where): VectorSearch {
  return {
    size: cells.size + (recent?.size ?? 0),
    async nearest(asked, limit) {
      const [inCells, others] = await Promise.all([
        nearestInCells(cells, where, { asked, limit }),
        recent?.nearest(asked, limit) ?? [],
      ]);
      return [...inCells, ...others].sort((one, other) => other.similarity - one.similarity).slice(0, limit);
    },
  };
}

async function nearestInCells(
  { stored, centres, index }: Opened,
  { database, parts, model }: Where,
  { asked, limit }: { asked: Float32Array; limit: number },
): Promise<NearVector[]> {
  const unit = asked.length === stored.dimensions ? unitOf(asked) : undefined;
  if (!index || !unit) return [];
  const near = await index.nearest(unit, Math.max(CELLS_MIN, Math.ceil(centres.length * CELLS_SHARE)));
  const { rows } = await parts.ask<{ cell: number; packed: Uint8Array }>(CELL_TABLES, {
    text: (table) =>
      `select cell, packed from ${table} where model = $1 and generation = $2 and cell = any($3::integer[])`,
    values: [model, stored.generation, near.map(({ id }) => Number(id))],
  });
  const sums = sumsOfBytes(unit);
  const blocks = rows.map(({ cell, packed }) => ({ packed, ofCentre: product(unit, centres[cell]!) }));
  const likely = estimate(blocks, stored.dimensions, sums);
  const numbers = largest(likely.cosines, COMPARED_TIMES * limit + COMPARED_MORE).map(
    (at) => likely.numbers[at]!,
  );
  const vectors = await readByNumber(database, model, numbers);
  const found = vectors.map(({ id, vector }) => ({ id, similarity: cosine(unit, signed(vector)) }));
  return found.sort((one, other) => other.similarity - one.similarity).slice(0, limit);
}

function product(one: Float32Array, other: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}

/** @param unit of length 1 */
const cosine = (unit: Float32Array, vector: Int8Array): number => {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return squares === 0 ? 0 : product(unit, vector) / Math.sqrt(squares);
};
