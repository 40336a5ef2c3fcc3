import { readFileSync } from 'node:fs';
import type { Language } from '../../src/features/enrichment/observations/language_words.ts';
import type { Observations } from '../../src/features/enrichment/observations/observation_fields.ts';

const TABLE = new URL('../fixtures/observations.txt', import.meta.url);

/** Observations of an image in `../shared/images`, written by a person who viewed it. */
export interface WrittenObservations {
  readonly file: string;
  readonly language: Language;
  readonly observations: Observations;
}

/** Columns of the table: file, language, subject, action, setting, objects, style, visible text, prose. */
export function writtenObservations(): WrittenObservations[] {
  return readFileSync(TABLE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [file, language, subject, action, setting, objects, style, text, prose] = line
        .split('|')
        .map((cell) => cell.trim()) as [string, Language, ...string[]];
      const observations = {
        subject: subject!,
        action: action!,
        setting: setting!,
        objects: objects!.split(', '),
        style: style!,
        ...(text && { visible_text: [text] }),
        prose: prose!,
      };
      return { file, language, observations };
    });
}
