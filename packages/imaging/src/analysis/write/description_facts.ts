import { roundTo } from '../../pixels/round_to.ts';
import { PERSON_BY_FACE } from '../../vision/limits.ts';
import { FACE_NETWORK } from '../../vision/network_names.ts';
import type { Measures } from '../analyse_picture.ts';
import { altText } from './alt_text.ts';
import { heightWords } from './composition_words.ts';
import {
  dropUndefined,
  type Fact,
  type Facts,
  type FactValue,
  measuredFact,
  percent,
  type TermIds,
} from './facts.ts';
import type { Given } from './given.ts';
import { keywordsOf } from './keywords.ts';
import { isAboutPeople, PERSON, peopleSeenBy, peopleSentences } from './people_words.ts';
import { themesOf } from './reading_words.ts';
import { contentHintFact, writingFact } from './seen_facts.ts';
import { joinSeen, shownIn } from './subject_words.ts';
import { describeAtLength, summaryOf } from './summary.ts';

const SUBJECTS_MAX = 12;

/** The section on what is shown. */
export function descriptionFacts(measures: Measures, given: Given): Facts['description'] {
  const { horizon, pattern, figure } = measures.subject;
  const themes = themesOf(measures);
  const { things, scenes, genres } = shownIn(measures);
  const shown = [...things, ...personByFace(measures), ...scenes, ...genres].slice(0, SUBJECTS_MAX);
  const terms = shown.map(({ term }) => term);
  const subjects = seenFact(terms, shown);
  const keywords = keywordsOf(measures, given);
  return dropUndefined({
    summary: spokenFact(measures, summaryOf(measures, given)),
    alt_text: spokenFact(measures, altText(measures, given)),
    extended_description: spokenFact(measures, describeAtLength(measures, given)),
    keywords: { ...spokenFact(measures, keywords), ...idsOf(measures, keywords) },
    themes: themes.length > 0 ? { ...spokenFact(measures, themes), confidence: 0.4 } : undefined,
    subjects: subjects && { ...subjects, ...idsOf(measures, terms) },
    setting: seenFact(scenes.map(({ term }) => term).join(', '), scenes),
    people: seenFact(peopleSentences(measures) ?? '', peopleSeenBy(measures)),
    horizon:
      horizon &&
      measuredFact(
        `${heightWords(horizon.height)}, ${Math.round(100 * horizon.height)}% from the top`,
        horizon.confidence,
      ),
    writing: writingFact(measures),
    content_hint: contentHintFact(measures),
    repeating_pattern:
      pattern &&
      measuredFact(
        `a motif every ${percent(pattern.stepX)}% of the width and ${percent(pattern.stepY)}% of the height`,
        pattern.likeness,
      ),
    figure_on_plain_ground:
      figure && measuredFact(`${figure.place}, ${percent(figure.share)}% of the surface`, figure.confidence),
  });
}

/** Whoever has a face is a person, where no network has named somebody already. */
const personByFace = ({ faces, subjects = [] }: Measures): (Witness & { term: string })[] =>
  isAboutPeople({ faces, subjects }) &&
  !subjects.some(({ term, broader }) => [term, ...broader].some((word) => PERSON.test(word)))
    ? [{ term: 'person', by: FACE_NETWORK, confidence: PERSON_BY_FACE }]
    : [];

type Witness = { readonly by: string; readonly confidence: number };

/** What networks say; undefined where they say nothing. @param confidenceMax how sure may be what is made of it, 0 to 1 */
export function seenFact(
  value: FactValue,
  witnesses: readonly Witness[],
  confidenceMax = 1,
): Fact | undefined {
  const seen = joinSeen(witnesses);
  if (!seen || String(value) === '') return undefined;
  const confidence = roundTo(Math.min(confidenceMax, seen.confidence), 2);
  return { value, basis: 'model', confidence, by: seen.by };
}

/** What is said of measures and, where networks have seen something, of that too. */
function spokenFact(measures: Measures, value: FactValue): Fact {
  const fact = measuredFact(value, 0.8);
  const { things, scenes, genres } = shownIn(measures);
  const seen = joinSeen([...peopleSeenBy(measures), ...things, ...scenes, ...genres]);
  return seen
    ? {
        ...fact,
        basis: 'model',
        confidence: roundTo(Math.min(fact.confidence, seen.confidence), 2),
        by: seen.by,
      }
    : fact;
}

/** Of those words that are terms of a vocabulary, their ids. */
function idsOf({ subjects = [] }: Measures, words: readonly string[]): { ids?: Record<string, TermIds> } {
  const known = subjects.flatMap(({ term, ids }) =>
    ids && words.includes(term) ? [[term, ids] as const] : [],
  );
  return known.length > 0 ? { ids: Object.fromEntries(known) } : {};
}
