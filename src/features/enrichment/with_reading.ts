import type { Fact, Facts } from '@atelier/imaging/analysis/write/facts.ts';
import { type Given, oneLine } from '@atelier/imaging/analysis/write/given.ts';
import { termMatcher } from '@atelier/imaging/vision/match_terms.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import { dropUnknown } from './record_facts.ts';
import type { Words } from './words_schema.ts';

const TEXT_CHARACTERS_MAX = 4000;
const ITEM_CHARACTERS_MAX = 120;
const ITEMS_MAX = 30;

/** The measured facts with what a model has read; what the caller has given stays as it is. */
export function withReading(facts: Facts, words: Words, given: Given): Facts {
  const confidence = Math.min(0.95, Math.max(0.05, words.confidence));
  const fact = (value: string | readonly string[] | null): Fact | undefined => {
    const clean = value === null ? '' : typeof value === 'string' ? text(value) : items(value);
    return clean.length > 0 ? { value: clean, basis: 'model', confidence } : undefined;
  };
  const inTerms = (values: readonly string[], addsBroader?: 'adds broader'): Fact | undefined => {
    const { value, ids } = termsOf(items(values), addsBroader !== undefined);
    return value.length > 0
      ? { value, basis: 'model', confidence, ...(Object.keys(ids).length > 0 && { ids }) }
      : undefined;
  };
  const isTitled = oneLine(given.title) !== '';
  return {
    ...facts,
    work: { ...facts.work, ...(!isTitled && dropUnknown({ title: fact(words.title) })) },
    description: {
      ...facts.description,
      ...dropUnknown({
        summary: fact(words.description),
        alt_text: fact(words.alt_text),
        extended_description: fact(words.extended_description),
        keywords: inTerms(words.keywords, 'adds broader'),
        themes: fact(words.themes),
        subjects: inTerms(words.subjects),
        people: fact(words.people),
        setting: fact(words.setting),
        objects: inTerms(words.objects),
        text_read: fact(words.text_read),
      }),
    },
    composition: { ...facts.composition, ...dropUnknown({ overview: fact(words.composition) }) },
    color: { ...facts.color, ...dropUnknown({ overview: fact(words.color) }) },
    light: { ...facts.light, ...dropUnknown({ overview: fact(words.lighting) }) },
    surface: { ...facts.surface, ...dropUnknown({ medium_seen: fact(words.medium_seen) }) },
    reading: {
      ...facts.reading,
      ...dropUnknown({
        mood: fact(words.mood),
        emotional_journey: fact(words.emotional_journey),
        symbolism: fact(words.symbolism),
        art_movements: fact(words.art_movements),
        style: fact(words.style),
        artist_analysis: fact(words.artist_analysis),
        cultural_context: fact(words.cultural_context),
      }),
    },
  };
}

/** Models write what they like: control characters go, and no text is longer than a page. */
const text = (value: string): string => oneLine(value).slice(0, TEXT_CHARACTERS_MAX);

const items = (values: readonly string[]): string[] =>
  [...new Set(values.map((value) => oneLine(value).slice(0, ITEM_CHARACTERS_MAX)).filter(Boolean))].slice(
    0,
    ITEMS_MAX,
  );

const match = termMatcher(SUBJECT_TERMS);

/** Of what a keyword is also, the nearest few: "mammal", "animal". */
const BROADER_MAX = 3;

/** What the vocabulary knows goes by its name there, with its ids; the rest stays as the model has said it. */
function termsOf(
  said: readonly string[],
  addsBroader: boolean,
): { value: string[]; ids: NonNullable<Fact['ids']> } {
  const terms = said.map((words) => match(words));
  const named = said.map((words, at) => terms[at]?.term ?? words);
  const broader = addsBroader ? terms.flatMap((term) => term?.broader.slice(0, BROADER_MAX) ?? []) : [];
  const value = [...new Set([...named, ...broader])].slice(0, ITEMS_MAX);
  const ids = value.flatMap((name) => {
    const known = SUBJECT_TERMS.get(name)?.ids;
    return known ? [[name, known] as const] : [];
  });
  return { value, ids: Object.fromEntries(ids) };
}
