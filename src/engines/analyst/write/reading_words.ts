import type { Measures } from '../analyse_picture.ts';
import { placeName } from '../places.ts';
import { focalNames } from './composition_words.ts';
import { atPlace, listed, placeNoun } from './facts.ts';
import { type Given, oneLine } from './given.ts';

/** Rows: dark, middle, light. Columns: quiet, moderate, strong colour. */
const MOODS = [
  ['sombre and still', 'grave and warm-blooded', 'dramatic and tense'],
  ['composed and reserved', 'balanced and attentive', 'lively and assertive'],
  ['calm and airy', 'gentle and open', 'bright and cheerful'],
] as const;
const ENERGY = ['quiet', 'moderate', 'lively'] as const;

/**
 * Words for the mood that lightness and saturation alone suggest, and for energy. Source: Valdez and Mehrabian, "Effects of color
 * on emotions", 1994: pleasure rises with brightness, arousal with saturation. A hint and no more.
 */
export function moodOf({ tone, color }: Measures): { mood: string; energy: (typeof ENERGY)[number] } {
  const row = tone.mean < 38 ? 0 : tone.mean > 64 ? 2 : 1;
  const arousal = color.meanChroma / 0.12 + (tone.deviation - 18) / 40;
  const column = arousal < 0.35 ? 0 : arousal > 0.8 ? 2 : 1;
  return { mood: MOODS[row]![column]!, energy: ENERGY[column]! };
}

/** The way of attention over the surface, by what stands out. */
export function journey({ focus, space, tone }: Measures): string {
  const names = focalNames(focus.points);
  const [first, ...others] = names;
  if (first === undefined) return 'Nothing calls for attention; the eye may rest anywhere.';
  const start = `Attention is caught first ${atPlace(first)}`;
  const way = others.length > 0 ? `, then passes on to ${listed(others.map(placeNoun))}` : ' and stays there';
  const rest =
    space.emptiest && space.empty > 0.12
      ? `, and finds rest in the quiet space ${atPlace(space.emptiest.place)}`
      : '';
  const close =
    tone.contrast === 'high' || tone.contrast === 'very high'
      ? ' The strong contrast makes the first moment the strongest.'
      : ' Nothing in the contrast is sudden, so the way is unhurried.';
  return `${start}${way}${rest}.${close}`;
}

/** What form stresses. Meaning is not read into it. */
export function stress({ color, symmetry, subject, space, light, focus }: Measures): string {
  const stressed = [
    ...(color.accent ? [`a single vivid colour, ${color.accent.name}, among quieter ones`] : []),
    ...(symmetry.name === 'strong' ? ['order, by halves that mirror each other'] : []),
    ...(subject.figure ? ['one form, set apart on an empty ground'] : []),
    ...(light.quality === 'spotlit' ? ['the lit part, by the darkness around it'] : []),
    ...(subject.horizon ? ['the division into above and below'] : []),
    ...(subject.pattern ? ['repetition'] : []),
    ...(space.empty > 0.5 && !subject.figure ? ['emptiness'] : []),
    ...(space.empty < 0.03 ? ['fullness: no part is left quiet'] : []),
  ];
  const first = focus.points[0];
  const what =
    stressed.length > 0
      ? stressed.slice(0, 3)
      : first
        ? [`the place ${atPlace(placeName(first))}, by its contrast`]
        : [];
  const form = what.length > 0 ? `Form stresses ${listed(what)}. ` : '';
  return `${form}What the things shown stand for was not read: that takes knowledge of the subject, and the built-in analyst measures form only.`;
}

export function themesOf({ tone, color, symmetry, subject, space, light }: Measures): string[] {
  return [
    ...(light.quality === 'spotlit'
      ? ['light out of darkness']
      : tone.split > 0.78 && tone.deviation > 20
        ? ['light and dark']
        : []),
    ...(color.warm > 0.25 && color.cool > 0.25 ? ['warm against cool'] : []),
    ...(symmetry.name === 'strong' ? ['order and symmetry'] : []),
    ...(subject.figure ? ['one form alone'] : []),
    ...(space.depthCues.length >= 2 ? ['distance'] : []),
    ...(subject.pattern ? ['repetition'] : []),
    ...(subject.textLines > 0 ? ['the written word'] : []),
    ...(space.empty > 0.5 ? ['emptiness and rest'] : []),
    ...(color.harmony.scheme === 'one hue' ? ['variations on one colour'] : []),
  ].slice(0, 5);
}

/** The hand, as far as a surface shows it. The name is the caller's. */
export function handOf({ surface, color, tone }: Measures, given: Given): string {
  const artist = oneLine(given.artist_name);
  const who = given.museum
    ? museumNames(given.museum.name, artist)
    : artist
      ? `The artist is given as ${artist}; the name was not checked against the picture.`
      : 'No artist was given, and none is guessed.';
  const cues = surface.cues.map(({ cue }) => cue);
  const handling = `The surface is ${surface.texture}${surface.edgeQuality === 'none' ? '' : ` with ${surface.edgeQuality} edges`}`;
  const technique = cues.length > 0 ? `. It shows ${cues.join('; ')}` : '';
  const range =
    color.meanChroma > 0.09
      ? 'Colour does as much of the work as tone.'
      : color.meanChroma < 0.04
        ? 'Tone does the work; colour stays in the background.'
        : `Tone and colour share the work, with ${tone.contrast} contrast.`;
  return `${who} ${handling}${technique}. ${range}`;
}

const museumNames = (museum: string, artist: string): string =>
  artist ? `${museum} names ${artist} as the maker.` : `${museum} names no maker.`;

export function surfaceOverview({ surface }: Measures): string {
  const { texture, edgeQuality, cues, flat } = surface;
  const edges = edgeQuality === 'none' ? 'there are no marked edges' : `edges are ${edgeQuality}`;
  const seen = cues.length > 0 ? ` It shows ${cues.map(({ cue }) => cue).join('; ')}.` : '';
  const even = flat > 0.5 ? ` ${Math.round(100 * flat)} % lies in patches of one unvarying colour.` : '';
  return `The surface is ${texture} and ${edges}.${seen}${even}`;
}
