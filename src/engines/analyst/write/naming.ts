import { oklabDistance, oklabOf } from '../../palette/oklab.ts';
import type { Measures } from '../analyse_picture.ts';
import type { NamedColor } from '../measure_color.ts';
import { placeName } from '../places.ts';
import { colorWords, leadingColors } from './color_words.ts';
import { formatName } from './composition_words.ts';
import { atPlace, capitalised, listed } from './facts.ts';
import { firstSentence, type Given, oneLine } from './given.ts';

/** A title that the look suggests, in the manner of "Arrangement in Grey and Black". */
export function suggestedTitle(measures: Measures, { content_type }: Given): string {
  const { subject, light, symmetry, color, isBlank } = measures;
  const [first] = color.palette;
  const second = contrasting(color.palette);
  const colors = titleCase([first!.name, ...(second ? [second.name] : [])].join(' and '));
  if (isBlank) return `Field of ${titleCase(first!.name)}`;
  if (subject.textLines > 0) return `Page in ${colors}`;
  if (subject.pattern) return `Pattern in ${colors}`;
  if (subject.figure) return `One Form in ${colors}`;
  if (subject.horizon) return `Horizon in ${colors}`;
  if (light.quality === 'spotlit') return `Light in ${colors}`;
  if (symmetry.name === 'strong') return `Symmetry in ${colors}`;
  return `${content_type === 'photo' ? 'View' : 'Study'} in ${colors}`;
}

/** The entry that differs most from the first, of those that cover a twentieth; none that has its name. */
function contrasting([first, ...others]: readonly NamedColor[]): NamedColor | undefined {
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
    .map((word) => (word === 'and' || word === 'of' ? word : capitalised(word)))
    .join(' ');

const ALT_BRIEF_CHARACTERS = 140;

/**
 * One or two sentences, names and the brief before colours, without "image of". Source: W3C, "An alt Decision Tree" and
 * WCAG 2.2, 1.1.1. What is depicted is said only where the caller has said it.
 */
export function altText(measures: Measures, given: Given): string {
  const kind = given.content_type === 'photo' ? 'photograph' : 'artwork';
  const [title, artist, year] = [given.title, given.artist_name, given.creation_year].map(oneLine) as [
    string,
    string,
    string,
  ];
  const named = [title, artist && `by ${artist}`, year && `(${year})`]
    .filter(Boolean)
    .join(title ? ' ' : ', ')
    .replace(', (', ' (');
  const told = given.museum
    ? subjectsPhrase(given.museum.subjects)
    : firstSentence(given.context, ALT_BRIEF_CHARACTERS);
  const looks = `${capitalised(`${DEPTH[measures.tone.key]}${formatWord(measures)}`)} ${kind} ${colorPhrase(measures)}${placePhrase(measures)}`;
  return [...(named ? [named] : []), ...(told ? [told] : []), looks].map(closed).join(' ');
}

/** Tags of a museum, the first few. */
const subjectsPhrase = (subjects: readonly string[]): string =>
  subjects.length > 0 ? `Subjects: ${subjects.slice(0, 5).map(oneLine).join(', ')}` : '';

const closed = (sentence: string): string => (/[.!?…。！？]$/u.test(sentence) ? sentence : `${sentence}.`);

function formatWord(measures: Measures): string {
  const name = formatName(measures);
  return (
    {
      'landscape format': 'wide',
      'portrait format': 'upright',
      panorama: 'very wide',
      'tall strip': 'very tall',
    }[name] ?? name
  );
}

const DEPTH = { 'low key': 'dark ', 'middle key': '', 'high key': 'light ' } as const;

function colorPhrase({ color, isBlank }: Measures): string {
  const names = leadingColors(color.palette)
    .slice(0, 3)
    .map(({ name }) => name);
  if (isBlank) return `of nothing but ${names[0]}`;
  const accent =
    color.accent && !names.includes(color.accent.name) ? `, with a touch of ${color.accent.name}` : '';
  return `in ${listed(names)}${accent}`;
}

function placePhrase({ focus, subject, light, isBlank }: Measures): string {
  if (isBlank) return '';
  if (subject.textLines > 0) return '; rows of writing fill part of it';
  if (subject.figure) return `; one form stands alone ${atPlace(subject.figure.place)}`;
  const first = focus.points[0];
  if (light.quality === 'spotlit')
    return `; light falls on the ${first ? placeName(first) : light.brightest}`;
  return first ? `; the strongest contrast lies ${atPlace(placeName(first))}` : '';
}

const KEYWORDS_MAX = 18;
const BRIEF_WORDS_MAX = 5;
/** Words that say nothing in a search. */
const EMPTY_WORDS = new Set(
  'about above after again against along among around because been before being below between both cannot could does down during each every from further have having here into itself just like made make many might more most much must only other over please same should some such than that their them then there these they this those through under until upon very want were what when where which while will with within without would your'.split(
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
    ...briefWords(given.context),
    ...(given.museum?.subjects.slice(0, 6).map((subject) => oneLine(subject).toLowerCase()) ?? []),
    given.content_type === 'photo' ? 'photography' : 'artwork',
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
    ...(light.quality === 'spotlit'
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
    ...(subject.horizon ? ['horizon line'] : []),
    ...(subject.pattern ? ['repeating pattern'] : []),
    ...(subject.textLines > 0 ? ['text'] : []),
    ...(subject.figure ? ['plain background'] : []),
    ...(space.empty > 0.4 ? ['negative space'] : []),
    ...(space.depthCues.length >= 2 ? ['depth'] : []),
    ...(surface.texture === 'smooth' || surface.texture === 'lightly textured' ? [] : ['texture']),
    formatName(measures).replace(' format', ' orientation'),
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
