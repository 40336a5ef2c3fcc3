import type { Measures } from '../analyse_picture.ts';
import { EVERYWHERE } from '../measure_space.ts';
import { accentBeside, colorOverview, leadingColors } from './color_words.ts';
import {
  compositionOverview,
  firstFocus,
  formatName,
  subjectSentence,
  symmetrySentence,
} from './composition_words.ts';
import { capitalise, joinWords } from './facts.ts';
import { firstSentence, type Given, oneLine } from './given.ts';
import { CONTRAST, lightOverview, lightSentence } from './light_words.ts';
import { facesSentence } from './people_words.ts';
import { surfaceOverview } from './reading_words.ts';

const BRIEF_CHARACTERS = 300;
const SUBJECTS_MAX = 8;

/** Three to six sentences for a catalogue: what it is called, what its brief says, how it looks. */
export function summaryOf(measures: Measures, given: Given): string {
  const { focus, subject, symmetry, isBlank } = measures;
  const first = subject.figure || focus.points.length === 0 ? undefined : firstFocus(measures);
  return [
    openingSentence(measures, given),
    briefSentence(given),
    facesSentence(measures),
    ...(isBlank
      ? []
      : [
          lightSentence(measures.light),
          first && `The eye is drawn first to ${first}.`,
          subjectSentence(measures),
          symmetry.name === 'strong' ? symmetrySentence(measures) : weight(measures),
        ]),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** All that was seen, section by section, for readers who cannot see the picture. */
export function describeAtLength(measures: Measures, given: Given): string {
  if (measures.isBlank) return summaryOf(measures, given);
  return [
    namingSentence(measures, given),
    briefSentence(given),
    facesSentence(measures),
    colorOverview(measures.color),
    lightOverview(measures),
    compositionOverview(measures),
    surfaceOverview(measures),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** "“Cypresses” by Vincent van Gogh (1889) is an upright artwork with strong contrast, chiefly in fern green and beige." */
function openingSentence(measures: Measures, given: Given): string {
  const { tone, color, isBlank } = measures;
  if (isBlank)
    return `${namingSentence(measures, given).replace(/\.$/, ':')} one even field of ${color.palette[0]!.name}, with nothing in it to describe further.`;
  const leading = leadingColors(color.palette);
  const accent = accentBeside(color, leading);
  const chiefly = `chiefly in ${joinWords(leading.map(({ name }) => name))}`;
  const looks = `${CONTRAST[tone.contrast]}, ${chiefly}${accent ? `, with a touch of ${accent.name}` : ''}`;
  return `${namingSentence(measures, given).replace(/\.$/, '')} ${looks}.`;
}

/** What it is called and what shape and depth it has. */
function namingSentence(measures: Measures, given: Given): string {
  const [title, artist, year] = [given.title, given.artist_name, given.creation_year].map(oneLine) as [
    string,
    string,
    string,
  ];
  const what = `${measures.isBlank ? '' : DEPTH[measures.tone.key]}${SHAPE[formatName(measures)]} ${given.content_type === 'photo' ? 'photograph' : 'artwork'}`;
  const from = [artist && `by ${artist}`, year && `(${year})`].filter(Boolean).join(' ');
  if (title) return `“${title}”${from && ` ${from}`} is ${addArticle(what)}.`;
  return `${capitalise(addArticle(what))}${from && ` ${from}`}.`;
}

const DEPTH = { 'low key': 'dark ', 'middle key': '', 'high key': 'light-toned ' } as const;
/** "Portrait-format" would promise a portrait. */
const SHAPE: Record<string, string> = {
  'landscape format': 'wide',
  'portrait format': 'upright',
  square: 'square',
  panorama: 'panoramic',
  'tall strip': 'tall, narrow',
};
const addArticle = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;

function briefSentence({ context, museum }: Given): string | undefined {
  if (museum && museum.subjects.length > 0)
    return `${museum.name} lists as subjects: ${museum.subjects.slice(0, SUBJECTS_MAX).map(oneLine).join(', ')}.`;
  const told = firstSentence(context, BRIEF_CHARACTERS);
  return told ? `The brief given with it says: “${told}”.` : undefined;
}

/** Where weight and rest lie, where either is marked. */
function weight({ focus, space }: Measures): string | undefined {
  const where = space.empty > 0.25 ? space.emptiest?.where : undefined;
  const quiet = where === EVERYWHERE ? 'most of it is quiet' : where ? `quiet space lies ${where}` : '';
  if (focus.balance === 'balanced') return quiet ? `${capitalise(quiet)}.` : undefined;
  const heavy = `Visual weight gathers on the ${focus.weightLeft > 0.5 ? 'left' : 'right'}`;
  return `${heavy}${quiet && `; ${quiet}`}.`;
}
