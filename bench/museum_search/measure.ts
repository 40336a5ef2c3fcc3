import type { Grade, Query } from './judge.ts';

/** Number of evaluated results. */
const TOP = 10;
/** Minimum grade of a relevant result in binary measures. */
export const RELEVANT: Grade = 2;

export interface Score {
  /** Linear gains, as `ndcg_cut.10` of trec_eval (Järvelin and Kekäläinen 2002). */
  readonly ndcg: number;
  /** Reciprocal rank of the first relevant result, 0 if none is among the first ten. */
  readonly reciprocalRank: number;
  /** Share of relevant results among ten. */
  readonly precision: number;
}

/**
 * Scores one ranking.
 * @param judged grades above 0 of all works of the corpus
 * @param ranking ids, best first
 */
export function scoreOf(judged: ReadonlyMap<string, Grade>, ranking: readonly string[]): Score {
  // A repeated work counts once.
  const grades = [...new Set(ranking)].slice(0, TOP).map((id) => judged.get(id) ?? 0);
  const best = [...judged.values()].sort((one, other) => other - one).slice(0, TOP);
  const first = grades.findIndex((grade) => grade >= RELEVANT);
  return {
    ndcg: gainOf(grades) / gainOf(best),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    precision: grades.filter((grade) => grade >= RELEVANT).length / TOP,
  };
}

const gainOf = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);

function meanOf(scores: readonly Score[]): Score {
  const mean = (of: (score: Score) => number) =>
    scores.reduce((sum, one) => sum + of(one), 0) / scores.length;
  return {
    ndcg: mean(({ ndcg }) => ndcg),
    reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
    precision: mean(({ precision }) => precision),
  };
}

/** Means by kind of query, and of all queries, as a Markdown table. */
export function scoreTable(asked: readonly Query[], scores: ReadonlyMap<string, Score>): string {
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  const row = (name: string, of: readonly Query[]) => {
    const { ndcg, reciprocalRank, precision } = meanOf(of.map(({ id }) => scores.get(id)!));
    return `| ${name} | ${of.length} | ${ndcg.toFixed(3)} | ${reciprocalRank.toFixed(3)} | ${precision.toFixed(3)} |`;
  };
  return [
    '| kind | queries | nDCG@10 | MRR@10 | P@10 |',
    '|---|---|---|---|---|',
    ...kinds.map((kind) =>
      row(
        kind,
        asked.filter((one) => one.kind === kind),
      ),
    ),
    row('all', asked),
  ].join('\n');
}
