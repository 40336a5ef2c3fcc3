import { readFileSync } from 'node:fs';
import type { Term } from '@atelier/imaging/vision/vocabulary.ts';
import { halfOf } from '../../src/features/enrichment/subjects/subjects.ts';

const TABLE = new URL('../fixtures/pictured_subjects.txt', import.meta.url);

/** An image in `../shared/images` and its visible subjects, as terms of the vocabulary. */
export interface PicturedSubjects {
  readonly file: string;
  /** Terms labelled by a viewer, with all broader terms. Subjects without a label are absent. */
  readonly terms: ReadonlySet<string>;
  /** Thresholds are chosen on one half and measured on the other. */
  readonly half: 'chosen on' | 'held back';
}

/** @throws Error if a label is not a term */
export function picturedSubjects(vocabulary: ReadonlyMap<string, Term>): PicturedSubjects[] {
  const lines = readFileSync(TABLE, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [file, labels] = line.split(': ') as [string, string];
    const terms = labels.split(', ').flatMap((label) => {
      const term = vocabulary.get(label);
      if (!term) throw new Error(`${file}: "${label}" is no term.`);
      return [label, ...term.broader];
    });
    return { file, terms: new Set(terms), half: halfOf(file) };
  });
}
