import type { Measures } from '../analyse_picture.ts';
import { EVERYWHERE } from '../measure_space.ts';
import { atPlace } from '../places.ts';
import { focalNames, isSparse } from './composition_words.ts';
import { joinWords, placeNoun } from './facts.ts';
import { type Given, oneLine } from './given.ts';
import { isAboutPeople } from './people_words.ts';
import { shownIn, thingsToSay } from './subject_words.ts';
import { sayTerm } from './term_words.ts';

/** Rows: dark, middle, light. Columns: quiet, moderate, strong colour. The second word is the temperature's, where it has one. */
const MOODS = [
  ['sombre', 'grave', 'dramatic'],
  ['reserved', 'composed', 'lively'],
  ['airy', 'gentle', 'bright'],
] as const;
const SECOND: Record<Measures['color']['temperature'], readonly [string, string, string]> = {
  warm: ['warm', 'warm', 'sunny'],
  cool: ['cold', 'cool', 'fresh'],
  mixed: ['restless', 'varied', 'open'],
  neutral: ['still', 'plain', 'calm'],
};
const ENERGY = ['quiet', 'moderate', 'lively'] as const;

/**
 * Words for the mood that lightness, saturation and temperature alone suggest, and for energy. Source: Valdez and Mehrabian,
 * "Effects of color on emotions", 1994: pleasure rises with brightness, arousal with saturation. A hint, and it says so.
 */
export function moodOf({ tone, color }: Measures): { words: string; energy: (typeof ENERGY)[number] } {
  const row = tone.mean < 38 ? 0 : tone.mean > 64 ? 2 : 1;
  const arousal = color.meanChroma / 0.12 + (tone.deviation - 18) / 40;
  const column = arousal < 0.35 ? 0 : arousal > 0.8 ? 2 : 1;
  const words = `${MOODS[row]![column]!} and ${SECOND[color.temperature][row]!}`;
  return { words, energy: ENERGY[column]! };
}

/** The way of attention over the surface, by what stands out. */
export function journey({ focus, space }: Measures): string {
  const [first, ...others] = focalNames(focus.points);
  if (first === undefined) return 'Nothing calls for attention; the eye may rest anywhere.';
  const next = joinWords(others.slice(0, 2).map(placeNoun));
  const where = space.empty > 0.12 ? space.emptiest?.where : undefined;
  const rest = where && (where === EVERYWHERE ? 'the calm around it' : `the open space ${where}`);
  const way = [...(next ? [`moves on to ${next}`] : []), ...(rest ? [`comes to rest in ${rest}`] : [])];
  return `Attention starts ${atPlace(first)}${way.length > 0 ? `${way.length > 1 ? ',' : ' and'} ${way.join(next.includes(' and ') ? ', and ' : ' and ')}` : ' and stays there'}.`;
}

/** What form stresses. Meaning is not read into it. */
export function stress(measures: Measures): string {
  const { color, symmetry, subject, space, light, surface } = measures;
  const stressed = [
    ...(color.accent ? [`one vivid colour, ${color.accent.name}, among quieter ones`] : []),
    ...(symmetry.name === 'strong' ? ['order, in halves that mirror each other'] : []),
    ...(subject.figure ? ['one form, set apart on a plain ground'] : []),
    ...(light.quality === 'spotlit' ? ['what is lit, by the darkness around it'] : []),
    ...(subject.horizon ? ['the division into above and below'] : []),
    ...(subject.pattern ? ['repetition'] : []),
    ...(space.empty > 0.5 && !subject.figure ? ['empty space'] : []),
    ...(space.empty < 0.03 && !isSparse(surface) ? ['abundance of detail'] : []),
  ];
  const [first] = thingsToSay(measures);
  return [
    ...(stressed.length > 0 ? [`Its form stresses ${stressed.slice(0, 2).join('; and ')}.`] : []),
    first ? `What the ${sayTerm(first.term)} may stand for is left open.` : 'No meaning was read into it.',
  ].join(' ');
}

/** What a catalogue would file it under: genres, scenes, kinds of subject, and what its form is about. */
export function themesOf(measures: Measures): string[] {
  const { genres, scenes, things } = shownIn(measures);
  const themes = [
    ...genres.slice(0, 2).map(({ term }) => term),
    ...scenes.slice(0, 2).map(({ term }) => term),
    ...things.slice(0, 3).flatMap(({ broader }) => broader.slice(-1)),
    ...(isAboutPeople(measures) ? ['people'] : []),
    ...formThemes(measures),
  ];
  return [...new Set(themes.length > 0 ? themes : hueTheme(measures))].slice(0, THEMES_MAX);
}

const THEMES_MAX = 6;

function formThemes({ tone, color, symmetry, subject, space, light }: Measures): string[] {
  return [
    ...(light.quality === 'spotlit'
      ? ['light out of darkness']
      : tone.split > 0.78 && tone.deviation > 20
        ? ['light and dark']
        : []),
    ...(color.warm > 0.25 && color.cool > 0.25 ? ['warm and cool colours'] : []),
    ...(symmetry.name === 'strong' ? ['order and symmetry'] : []),
    ...(subject.pattern ? ['repetition'] : []),
    ...(subject.textLines > 0 ? ['the written word'] : []),
    ...(space.empty > 0.5 ? ['open space'] : []),
  ];
}

/** Where nothing else is known: the hue it is full of. Oranges and yellows are left out, which are brown when they are dark. */
const hueTheme = ({ color: { hues, meanChroma } }: Measures): string[] =>
  meanChroma > HUE_CHROMA && /^(?:blue|green|violet|pink)$/u.test(hues[0] ?? '')
    ? [`the colour ${hues[0]}`]
    : [];

/** OKLab chroma from which on colour is part of what a picture is about. */
const HUE_CHROMA = 0.06;

/** The hand, as far as a surface shows it. The name is the caller's. */
export function handOf({ surface, color }: Measures, given: Given): string {
  const artist = oneLine(given.artist_name);
  const who = given.museum
    ? museumNames(given.museum.name, artist)
    : artist
      ? `The artist is given as ${artist}, which was not checked against the picture.`
      : 'No artist was given, and none is guessed.';
  const handling = `Detail is ${DETAIL[surface.texture]}${surface.edgeQuality === 'none' ? '' : ` and edges are ${EDGES[surface.edgeQuality]}`}`;
  const range =
    color.meanChroma > 0.09
      ? '; colour counts as much as tone'
      : color.meanChroma < 0.04
        ? '; tone counts for more than colour'
        : '';
  return [who, `${handling}${range}.`, ...cuesSentence(surface)].join(' ');
}

const museumNames = (museum: string, artist: string): string =>
  artist ? `${museum} names ${artist} as the maker.` : `${museum} names no maker.`;

const DETAIL: Record<Measures['surface']['texture'], string> = {
  smooth: 'almost absent',
  'little detail': 'sparse',
  'moderate detail': 'moderate',
  'dense detail': 'dense',
};

const cuesSentence = ({ cues }: Measures['surface']): string[] =>
  cues.length > 0 ? [`It shows ${cues.map(({ cue }) => cue).join('; and ')}.`] : [];

/** One to three sentences on detail, edges and what they say of the technique. */
export function surfaceOverview({ surface }: Pick<Measures, 'surface'>): string {
  const { texture, edgeQuality, flat } = surface;
  const edges = edgeQuality === 'none' ? 'there are no marked edges' : `edges are ${EDGES[edgeQuality]}`;
  return [
    `Detail is ${DETAIL[texture]}, and ${edges}.`,
    ...cuesSentence(surface),
    ...(flat > 0.5 ? [`${Math.round(100 * flat)}% lies in patches of one unvarying colour.`] : []),
  ].join(' ');
}

const EDGES = { soft: 'soft', mixed: 'partly soft and partly crisp', crisp: 'crisp' } as const;
