import { oklabDistance, oklabOf } from '../../pixels/oklab.ts';
import type { Measures } from '../analyse_picture.ts';
import type { NamedColor } from '../measure_color.ts';
import { atPlace } from '../places.ts';
import { accentBeside, colorWords, leadingColors } from './color_words.ts';
import { formatName, heightWords } from './composition_words.ts';
import { capitalise, joinWords } from './facts.ts';
import { firstSentence, type Given, oneLine } from './given.ts';
import { facesKeywords, facesPhrase, facesTitle } from './people_words.ts';

/** A title that the look suggests, in the manner of "Arrangement in Grey and Black". */
export function suggestedTitle(measures: Measures, { content_type }: Given): string {
  const { subject, light, symmetry, color, isBlank } = measures;
  const [first] = color.palette;
  const second = findContrasting(color.palette);
  const colors = titleCase([first!.name, ...(second ? [second.name] : [])].join(' and '));
  if (isBlank) return `Field of ${titleCase(first!.name)}`;
  if (subject.textLines > 0) return `Page in ${colors}`;
  const people = facesTitle(measures);
  if (people) return `${people} in ${colors}`;
  if (subject.pattern) return `Pattern in ${colors}`;
  if (subject.figure) return `Form on a Plain Ground, ${colors}`;
  if (subject.horizon) return `Above and Below in ${colors}`;
  if (light.quality === 'spotlit') return `Light in ${colors}`;
  if (symmetry.name === 'strong') return `Symmetry in ${colors}`;
  return `${content_type === 'photo' ? 'View' : 'Study'} in ${colors}`;
}

/** The entry that differs most from the first, of those that cover a twentieth; none that has its name. */
function findContrasting([first, ...others]: readonly NamedColor[]): NamedColor | undefined {
  const [lab, ...labs] = [first!, ...others].map(({ hex }) => {
    const color = Number.parseInt(hex.slice(1), 16);
    return oklabOf(color >> 16, (color >> 8) & 255, color & 255);
  });
  const distances = others.map(({ name, share }, index) =>
    name === first!.name || share < 5 ? 0 : oklabDistance(lab!, labs[index]!),
  );
  const most = Math.max(0, ...distances);
  return most > 0 ? others[distances.indexOf(most)] : undefined;
}

const titleCase = (text: string): string =>
  text
    .split(' ')
    .map((word) => (word === 'and' || word === 'of' ? word : capitalise(word)))
    .join(' ');

/** Screen readers read alt text in one go: what is longer belongs into the description. */
const ALT_CHARACTERS_MAX = 150;

/**
 * One breath: names and the brief before looks, without "image of". Source: W3C, "An alt Decision Tree" and WCAG 2.2,
 * 1.1.1. What is depicted is said only where the caller or a museum has said it; looks give way to it.
 */
export function altText(measures: Measures, given: Given): string {
  const [title, artist, year] = [given.title, given.artist_name, given.creation_year].map(oneLine) as [
    string,
    string,
    string,
  ];
  const named = [title, artist && `by ${artist}`, year && `(${year})`].filter(Boolean).join(' ');
  const looks = looksOf(measures, given);
  const room = ALT_CHARACTERS_MAX - (named ? named.length + 2 : 0);
  const told = given.museum
    ? subjectsPhrase(given.museum.subjects)
    : firstSentence(given.context, Math.max(40, room - 1));
  const known = [...(named ? [named] : []), ...(told ? [told] : [])].map(closeSentence);
  const fitting = looks.find((text) => [...known, text].join(' ').length <= ALT_CHARACTERS_MAX);
  if (fitting !== undefined) known.push(fitting);
  return known.length > 0 ? known.join(' ') : looks.at(-1)!;
}

/** How it looks, from the longest wording to the shortest. */
function looksOf(measures: Measures, given: Given): string[] {
  const kind = given.content_type === 'photo' ? 'photograph' : 'artwork';
  const format = formatName(measures);
  const what = `${capitalise(FORMAT[format] ?? format)} ${kind}`;
  if (measures.isBlank) return [`${what}: nothing but ${measures.color.palette[0]!.name}.`];
  const leading = leadingColors(measures.color.palette).slice(0, 3);
  const names = joinWords(leading.map(({ name }) => name));
  const accent = accentBeside(measures.color, leading);
  const faces = facesPhrase(measures);
  const shown = faces
    ? `${what} with ${faces}${DEPTH[measures.tone.key] || ','}`
    : `${what}${DEPTH[measures.tone.key]}`;
  const inColors = `${shown} in ${names}`;
  const withAccent = accent ? `${inColors}, with a touch of ${accent.name}` : inColors;
  return [`${withAccent}${placePhrase(measures)}.`, `${inColors}${placePhrase(measures)}.`, `${inColors}.`];
}

/** Tags of a museum, the first few. */
const subjectsPhrase = (subjects: readonly string[]): string =>
  subjects.length > 0 ? `Subjects: ${subjects.slice(0, 5).map(oneLine).join(', ')}` : '';

const closeSentence = (sentence: string): string =>
  /[.!?…。！？]$/u.test(sentence) ? sentence : `${sentence}.`;

const FORMAT: Record<string, string> = {
  'landscape format': 'wide',
  'portrait format': 'upright',
  panorama: 'very wide',
  'tall strip': 'very tall',
};
const DEPTH = { 'low key': ', dark overall,', 'middle key': '', 'high key': ', light overall,' } as const;

/** Where things are, which words can give a reader who does not see them; where the eye would go, they cannot. */
function placePhrase({ subject, light }: Measures): string {
  if (subject.textLines > 0) return '; rows of writing fill part of it';
  if (subject.figure) return `; one form or group stands alone ${atPlace(subject.figure.place)}`;
  if (subject.horizon) return `; a level border crosses it ${heightWords(subject.horizon.height)}`;
  return light.brightest === light.darkest
    ? ''
    : `; lightest ${atPlace(light.brightest)}, darkest ${atPlace(light.darkest)}`;
}

const KEYWORDS_MAX = 18;
const BRIEF_WORDS_MAX = 5;
/** So much of the brief's first sentence is read. It says what the work is; the rest may say anything. */
const BRIEF_CHARACTERS_MAX = 300;
/** Words that say nothing in a search. */
const EMPTY_WORDS = new Set(
  'about above after again against along among around because been before being below between both cannot could does down during each every from further have having here into itself just like made make many might more most much must only other over please same should side some such than that their them then there these they this those through under until upon very want were what when where which while will with within without would your'.split(
    ' ',
  ),
);

/** For search: names first, then what the brief names, then colours and form. */
export function keywordsOf(measures: Measures, given: Given): string[] {
  const { color, tone, light, symmetry, subject, space, surface } = measures;
  const words = [
    oneLine(given.title),
    oneLine(given.artist_name),
    given.creation_year,
    ...briefWords(firstSentence(given.context, BRIEF_CHARACTERS_MAX)),
    ...(given.museum?.subjects.slice(0, 6).map((subject) => oneLine(subject).toLowerCase()) ?? []),
    given.content_type === 'photo' ? 'photography' : 'artwork',
    ...facesKeywords(measures),
    ...colorWords(color.palette)
      .slice(0, 4)
      .map(({ name }) => name),
    ...(color.accent ? [`${color.accent.name} accent`] : []),
    tone.key,
    ...(tone.contrast === 'high' || tone.contrast === 'very high'
      ? ['strong contrast']
      : tone.contrast === 'moderate'
        ? []
        : ['soft contrast']),
    ...(light.quality === 'spotlit' && (tone.contrast === 'high' || tone.contrast === 'very high')
      ? ['chiaroscuro']
      : light.quality === 'silhouetted'
        ? ['silhouette']
        : []),
    ...(color.temperature === 'mixed' ? [] : [`${color.temperature} colours`]),
    ...(color.harmony.scheme === 'achromatic'
      ? ['monochrome']
      : color.harmony.scheme === 'one hue'
        ? ['single hue']
        : []),
    ...(color.harmony.scheme === 'complementary hues' ? ['complementary colours'] : []),
    ...(symmetry.name === 'strong' ? ['symmetry'] : []),
    ...(subject.horizon ? ['level division'] : []),
    ...(subject.pattern ? ['repeating pattern'] : []),
    ...(subject.textLines > 0 ? ['text'] : []),
    ...(subject.figure ? ['plain background'] : []),
    ...(space.empty > 0.4 ? ['negative space'] : []),
    ...(space.depthCues.length >= 2 ? ['depth'] : []),
    ...(surface.texture === 'dense detail' ? ['fine detail'] : []),
    { 'landscape format': 'horizontal', 'portrait format': 'vertical' }[formatName(measures)] ??
      formatName(measures),
  ];
  return [...new Set(words.filter(Boolean))].slice(0, KEYWORDS_MAX);
}

function briefWords(brief: string): string[] {
  const words =
    oneLine(brief)
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}'’-]{3,30}/gu) ?? [];
  return [...new Set(words)].filter((word) => !EMPTY_WORDS.has(word)).slice(0, BRIEF_WORDS_MAX);
}
