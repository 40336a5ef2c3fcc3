import type { Measures } from '../analyse_picture.ts';
import { EVERYWHERE } from '../measure_space.ts';
import { atPlace } from '../places.ts';
import { figureOf, focalNames, horizonOf, isSparse, mirroredAxis } from './composition_words.ts';
import { joinWords, placeNoun } from './facts.ts';
import { type Given, oneLine } from './given.ts';
import { isAboutPeople, shownIn } from './subject_words.ts';

/** Rows: dark, middle, light. Columns: quiet, moderate, strong colour. The second word is the temperature's, where it has one. */
const MOODS = [
  ['sombre', 'grave', 'dramatic'],
  ['reserved', 'composed', 'lively'],
  ['airy', 'gentle', 'bright'],
] as const;
const SECOND: Record<Measures['color']['temperature'], readonly [string, string, string]> = {
  warm: ['warm', 'warm', 'sunny'],
  cool: ['cold', 'cool', 'fresh'],
  mixed: ['varied', 'varied', 'open'],
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
  // Paper that has yellowed and the tint of a print are no warmth of the picture.
  const temperature = color.meanChroma < FAINT_CHROMA ? 'neutral' : color.temperature;
  const words = `${MOODS[row]![column]!} and ${SECOND[temperature][row]!}`;
  return { words, energy: ENERGY[column]! };
}

/** OKLab chroma below which tone counts for more than colour. */
const FAINT_CHROMA = 0.04;

/** The way of attention over the surface, by what stands out. */
export function journey({ focus, space }: Measures): string {
  const [first, ...others] = focalNames(focus.points);
  if (first === undefined) return 'Nothing calls for attention; the eye may rest anywhere.';
  const next = joinWords(others.slice(0, 2).map(placeNoun));
  const where = space.empty > 0.12 ? space.emptiest?.where : undefined;
  const rest = where && (where === EVERYWHERE ? 'the calm around it' : `the plain part ${where}`);
  const way = [...(next ? [`moves on to ${next}`] : []), ...(rest ? [`comes to rest in ${rest}`] : [])];
  return `Attention starts ${atPlace(first)}${way.length > 0 ? `${way.length > 1 ? ',' : ' and'} ${way.join(next.includes(' and ') ? ', and ' : ' and ')}` : ' and stays there'}.`;
}

/** What form stresses. Meaning is not read into it. */
export function stress(measures: Measures): string {
  const { color, subject, space, light, surface } = measures;
  const figure = figureOf(measures);
  const isVivid = color.accent && !/^(?:dull|dusty|pale|greyish)/u.test(color.accent.name);
  const stressed = [
    ...(isVivid ? [`one vivid colour (${color.accent!.name}) among quieter ones`] : []),
    ...(mirroredAxis(measures) ? ['the order of mirrored halves'] : []),
    ...(figure ? ['one form set apart on a plain ground'] : []),
    ...(light.quality === 'spotlit' ? ['what is lit amid darkness'] : []),
    ...(horizonOf(measures) ? ['the division into above and below'] : []),
    ...(subject.pattern ? ['repetition'] : []),
    ...(space.empty > 0.5 && !figure && !isAboutPeople(measures) ? ['how much is left empty'] : []),
    ...(space.empty < 0.03 && !isSparse(surface) ? ['a wealth of detail'] : []),
  ].slice(0, 2);
  return stressed.length > 0
    ? `Form stresses ${joinWords(stressed)}; symbols were not looked for.`
    : 'Symbols were not looked for: form alone does not tell them.';
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

function formThemes(measures: Measures): string[] {
  const { color, subject, space, light } = measures;
  return [
    ...(light.quality === 'spotlit' ? ['light out of darkness'] : []),
    ...(color.warm > 0.25 && color.cool > 0.25 ? ['warm and cool colours'] : []),
    ...(mirroredAxis(measures) ? ['order and symmetry'] : []),
    ...(subject.pattern ? ['repetition'] : []),
    ...(subject.textLines > 0 ? ['the written word'] : []),
    ...(space.empty > 0.5 && !isAboutPeople(measures) ? ['open space'] : []),
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
  const handling = `Detail is ${DETAIL[surface.texture]}${isTelling(surface.edgeQuality) ? ` and edges are ${surface.edgeQuality}` : ''}`;
  const range =
    color.meanChroma > 0.09
      ? '; colour counts as much as tone'
      : color.meanChroma < FAINT_CHROMA
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
  const edges =
    edgeQuality === 'none'
      ? ', and there are no marked edges'
      : isTelling(edgeQuality)
        ? `, and edges are ${edgeQuality}`
        : '';
  return [
    `Detail is ${DETAIL[texture]}${edges}.`,
    ...cuesSentence(surface),
    ...(flat > 0.5 ? [`${Math.round(100 * flat)}% lies in patches of one unvarying colour.`] : []),
  ].join(' ');
}

/** Edges of both kinds are in any picture. */
const isTelling = (edges: Measures['surface']['edgeQuality']): boolean =>
  edges === 'soft' || edges === 'crisp';
