import type { Among } from '../contract.ts';
import { NO_YEAR } from '../segment_builder.ts';
import { createTally } from '../tally.ts';
import type { Fitting, LookedUp, Ranked } from '../word_index.ts';
import type { Answers, IndexParts, Statement } from './ask_parts.ts';
import { type FittingRow, fitStatement } from './fit_statement.ts';
import type { PlannedQuery } from './plan_query.ts';
import { type CountedRow, type RankedPart, rankStatement } from './rank_statement.ts';
import { shareStatement } from './share_statement.ts';

const TABLES = 'artwork_texts';

/** A query that was planned, asked of every part; what they answer is put together here. */
export function lookUpIn(parts: IndexParts, edition: number, query: PlannedQuery, among: Among): LookedUp {
  const ask = async <Row>(statement: Statement | undefined): Promise<Answers<Row>> =>
    statement ? parts.ask<Row>(TABLES, statement) : { rows: [] };
  return {
    ...query,
    hasYears: query.years !== undefined,
    isFiltered: among.museum !== undefined || among.filters !== undefined,
    async rank(limit, share = 1) {
      return rankedOf(await ask<RankedPart>(rankStatement(query, edition, { limit, share })), limit);
    },
    async largestShare() {
      const { rows } = await ask<{ share: number }>(shareStatement(query, edition));
      return Math.max(0, ...rows.map(({ share }) => share));
    },
    async fit(candidates) {
      const numbers = [...candidates];
      return fittingOf(
        await ask<{ fitting: FittingRow[] }>(
          numbers.length > 0 ? fitStatement(query, edition, numbers) : undefined,
        ),
      );
    },
  };
}

function rankedOf({ rows, away }: Answers<RankedPart>, limit: number): Ranked {
  const tally = createTally();
  const best = rows
    .flatMap((part) => part.best)
    .sort(([number, , score], [other, , otherScore]) => otherScore - score || number - other)
    .slice(0, limit);
  for (const row of rows.flatMap(({ counted }) => counted)) countIn(tally, row);
  return {
    best: best.map(([number, found]) => ({ number, found })),
    ...{ total: tally.total(), facets: tally.facets(), leftOut: tally.leftOut() },
    ...(away && { away }),
  };
}

/** Works that are counted alike, as a segment of one work has them. */
function countIn(
  tally: ReturnType<typeof createTally>,
  [museum, traits, century, failed, isUnsized, works]: CountedRow,
): void {
  const year = century > 0 ? 100 * century - 99 : NO_YEAR;
  const counted = tally.of({
    museum: museum as Parameters<typeof tally.of>[0]['museum'],
    traits: Uint32Array.of(traits),
    longSides: Uint16Array.of(isUnsized ? 0 : 1),
    yearsFrom: Int16Array.of(year),
    yearsTo: Int16Array.of(year),
  });
  if (failed === 0) counted.add([0], [works]);
  else counted.leaveOut(0, failed, works);
}

function fittingOf({ rows, away }: Answers<{ fitting: FittingRow[] }>): Fitting {
  const all = rows.flatMap(({ fitting }) => fitting);
  const fitting = all.filter(([, , , , failed]) => failed === 0);
  const tallyOf = (some: readonly FittingRow[]) => {
    const tally = createTally();
    for (const [, ...counted] of some) countIn(tally, [...counted, 1]);
    return tally;
  };
  return {
    numbers: new Set(fitting.map(([number]) => number)),
    facets: (select = () => true) => tallyOf(fitting.filter(([number]) => select(number))).facets(),
    leftOut: tallyOf(all).leftOut(),
    ...(away && { away }),
  };
}
