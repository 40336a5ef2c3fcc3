import { cellsAround, colorsOf, listsOf, samplesOf } from './color_lists.ts';
import type { LookQuestion } from './look_questions.ts';

/** A list that has something for a question, and what a colour in it counts, about. */
export interface ListToRead {
  readonly list: number;
  readonly worth: number;
}

/** Chooses the lists that have something for a question, those whose colours count most first. */
export function listsToRead(question: LookQuestion): ListToRead[] {
  const found = cellsAround(question.around, question.reach).flatMap((cell) => {
    const samples = samplesOf(cell).map((color) => question.countsOf(color));
    return listsOf(cell).map(({ list, share }) => {
      const worths = samples.map((counts) => scoreOf(question, counts, share));
      return { list, worth: worths.reduce((sum, worth) => sum + worth, 0) / worths.length };
    });
  });
  return found
    .filter(({ worth }) => worth > 0)
    .sort((one, other) => other.worth - one.worth || one.list - other.list);
}

const scoreOf = ({ columns }: LookQuestion, counts: readonly number[], share: number): number =>
  columns.reduce((sum, { weight, of }, at) => sum + weight * counts[at]! * (of === 'sum' ? share : 1), 0);

/** What each place in a cell counts for a question: so many numbers a place as the question has columns. */
export const tableOf = (question: LookQuestion, cell: number): Float32Array =>
  Float32Array.from(colorsOf(cell).flatMap((color) => question.countsOf(color)));
