import type { Measures } from '../analyse_picture.ts';
import type { NamedColor } from '../measure_color.ts';
import { accentBeside, colorOverview, hueShares, leadingColors } from './color_words.ts';
import { compositionOverview, formatName, furtherFocus } from './composition_words.ts';
import { fitSentences, sentencesOf } from './context_words.ts';
import { capitalise, joinWords } from './facts.ts';
import { type Given, oneLine } from './given.ts';
import { lightOverview, lightPlace, toneShares } from './light_words.ts';
import { peopleSentences } from './people_words.ts';
import { moodOf, surfaceOverview } from './reading_words.ts';
import { isColourless, nounOf, placesToSay, shownIn, subjectClause, thingsToSay } from './subject_words.ts';
import { addArticle, termWords } from './term_words.ts';

const BRIEF_CHARACTERS = 300;
const SUBJECTS_MAX = 8;
const THINGS_MAX = 5;

/** For a catalogue: what it is called and shows, what its brief says, and one sentence on how it looks. */
export function summaryOf(measures: Measures, given: Given): string {
  const shown = shownSentence(measures, given);
  const brief = briefSentence(given, 'it');
  if (measures.isBlank) {
    const [{ name }] = measures.color.palette as [NamedColor];
    return spoken([namingClause(measures, given, ` of nothing but ${name}`), brief]);
  }
  const looks = looksOf(measures);
  if (!shown && !brief) return spoken([namingClause(measures, given, looks && `, ${looks}`)]);
  const isNamed = shown !== undefined || Object.values(namesOf(given)).some(Boolean);
  return spoken([
    ...(isNamed
      ? [shown ?? namingClause(measures, given, ''), brief]
      : [briefSentence(given, `this ${whatOf(measures, given)}`)]),
    looks ? `The picture is ${looks}.` : undefined,
  ]);
}

/** All that was seen, section by section, for readers who cannot see the picture. */
export function describeAtLength(measures: Measures, given: Given): string {
  if (measures.isBlank) return summaryOf(measures, given);
  return spoken([
    shownSentence(measures, given) ?? namingClause(measures, given, ''),
    briefSentence(given, 'it'),
    shownIn(measures).things.length > 0 ? peopleSentences(measures) : undefined,
    colorOverview(measures.color),
    hueShares(measures.color),
    lightOverview(measures),
    toneShares(measures.tone),
    compositionOverview(measures),
    furtherFocus(measures),
    surfaceOverview(measures),
    `Going by tone and colour alone, its mood is ${moodOf(measures).words}.`,
  ]);
}

const spoken = (sentences: readonly (string | undefined)[]): string =>
  sentences.filter((sentence) => sentence !== undefined).join(' ');

/** "“Cypresses” by Vincent van Gogh (1889) shows trees and clouds."; undefined where no network has seen anything. */
function shownSentence(measures: Measures, given: Given): string | undefined {
  const { title, from } = namesOf(given);
  const things = thingsToSay(measures).slice(0, THINGS_MAX);
  const all = [...things, ...placesToSay(measures).slice(0, 1)].map((subject) => termWords(subject).words);
  if (title && all.length > 0) return `“${title}”${from} shows ${joinWords(all)}.`;
  const clause = subjectClause(
    measures,
    title ? `“${title}”${from}` : `this ${whatOf(measures, given)}${from}`,
    THINGS_MAX,
  );
  return clause && `${capitalise(clause)}.`;
}

/** "“Cypresses” by Vincent van Gogh (1889) is a tall artwork", or "This is a tall artwork by …", and what follows. */
function namingClause(measures: Measures, given: Given, more: string): string {
  const { title, from } = namesOf(given);
  const what = whatOf(measures, given);
  const named = addArticle(what);
  return title ? `“${title}”${from} is ${named}${more}.` : `This is ${named}${from}${more}.`;
}

function namesOf(given: Given): { title: string; from: string } {
  const [title = '', artist = '', year = ''] = [given.title, given.artist_name, given.creation_year].map(
    oneLine,
  );
  return { title, from: `${artist && ` by ${artist}`}${year && ` (${year})`}` };
}

const whatOf = (measures: Measures, given: Given): string =>
  `${measures.isBlank ? '' : DEPTH[measures.tone.key]}${SHAPE[formatName(measures)]} ${nounOf(measures, given)}`;

const DEPTH = { 'low key': 'dark, ', 'middle key': '', 'high key': 'light-toned, ' } as const;
/** "Portrait-format" would promise a portrait. */
const SHAPE: Record<string, string> = {
  'landscape format': 'wide',
  'portrait format': 'upright',
  square: 'square',
  panorama: 'panoramic',
  'tall strip': 'tall, narrow',
};

/** "mainly in beige and ochre, high in contrast and lightest at the upper left"; empty where greys alone have nothing to tell. */
function looksOf(measures: Measures): string {
  const leading = leadingColors(measures.color.palette).slice(0, 3);
  const accent = accentBeside(measures.color, leading);
  const colors = `mainly in ${joinWords(leading.map(({ name }) => name))}${accent ? `, with a touch of ${accent.name}` : ''}`;
  const tones = [LOOKS_CONTRAST[measures.tone.contrast], lightPlace(measures.light)]
    .filter(Boolean)
    .join(' and ');
  return [...(isColourless(measures) ? [] : [colors]), ...(tones ? [tones] : [])].join(', ');
}

const LOOKS_CONTRAST: Partial<Record<Measures['tone']['contrast'], string>> = {
  'very low': 'almost without contrast',
  low: 'low in contrast',
  high: 'high in contrast',
  'very high': 'high in contrast',
};

/** @param it what the brief came with */
function briefSentence({ context, museum }: Given, it: string): string | undefined {
  if (museum && museum.subjects.length > 0)
    return `${museum.name} lists as subjects: ${museum.subjects.slice(0, SUBJECTS_MAX).map(oneLine).join(', ')}.`;
  const told = fitSentences(sentencesOf(context), BRIEF_CHARACTERS);
  return told ? `The brief given with ${it} says: “${told.replace(/[.]$/u, '')}”.` : undefined;
}
