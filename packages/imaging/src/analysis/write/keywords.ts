import type { Measures } from '../analyse_picture.ts';
import { colorWords } from './color_words.ts';
import { mirroredAxis } from './composition_words.ts';
import { contextKeywords } from './context_words.ts';
import { type Given, oneLine } from './given.ts';
import { peopleKeywords } from './people_words.ts';
import { isColourless, isMadeAs, shownIn } from './subject_words.ts';

const KEYWORDS_MAX = 24;
const COLORS_MAX = 3;
/** Of what a subject is also, the nearest few: "cat", "mammal", "animal". */
const BROADER_MAX = 3;
const MUSEUM_SUBJECTS_MAX = 6;

/** For search, as a picture editor would: names, what the brief names, subjects and what they are also, genre, technique, colours. */
export function keywordsOf(measures: Measures, given: Given): string[] {
  const { things, scenes, genres } = shownIn(measures);
  const words = [
    oneLine(given.title),
    oneLine(given.artist_name),
    given.creation_year,
    ...contextKeywords(given.context),
    ...(given.museum?.subjects
      .slice(0, MUSEUM_SUBJECTS_MAX)
      .map((subject) => oneLine(subject).toLowerCase()) ?? []),
    ...[...things, ...scenes].map(({ term }) => term),
    ...peopleKeywords(measures),
    ...(measures.writing?.length || measures.subject.textLines > 0 ? ['text'] : []),
    ...[...things, ...scenes].flatMap(({ broader }) => broader.slice(0, BROADER_MAX)),
    ...genres.map(({ term }) => term),
    ...techniqueWords(measures, given),
    ...colorWords(measures.color.palette)
      .slice(0, COLORS_MAX)
      .map(({ name }) => name)
      .filter(() => !isColourless(measures)),
  ];
  return dropDoubles(words).slice(0, KEYWORDS_MAX);
}

/** What an editor would look for among the things that were measured. */
const techniqueWords = (measures: Measures, { content_type }: Given): string[] => [
  ...(content_type === 'photo'
    ? ['photography']
    : shownIn(measures).genres.some(isMadeAs)
      ? []
      : ['artwork']),
  ...(isColourless(measures) ? ['black and white'] : []),
  ...(measures.light.quality === 'spotlit' && /high/u.test(measures.tone.contrast) ? ['chiaroscuro'] : []),
  ...(measures.light.quality === 'silhouetted' ? ['silhouette'] : []),
  ...(mirroredAxis(measures) ? ['symmetry'] : []),
  ...(measures.subject.pattern ? ['pattern'] : []),
];

function dropDoubles(words: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const word of words) if (word && !kept.has(word.toLowerCase())) kept.set(word.toLowerCase(), word);
  return [...kept.values()];
}
