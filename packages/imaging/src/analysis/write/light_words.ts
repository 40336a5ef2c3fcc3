import type { Measures } from '../analyse_picture.ts';
import type { Light } from '../measure_light.ts';
import type { Tone } from '../measure_tone.ts';
import { atPlace } from '../places.ts';

/** How tones share the surface, for whoever wants to know it at length. */
export const toneShares = ({ shadows, midtones, highlights }: Tone): string =>
  `Shadows cover ${part(shadows)} of the surface, midtones ${part(midtones)} and highlights ${part(highlights)}.`;

const part = (value: number): string => (value < 0.01 ? 'under 1%' : `${Math.round(100 * value)}%`);

const KEY: Record<Tone['key'], string> = {
  'low key': 'It is dark overall (low key)',
  'middle key': 'Dark and light tones are in balance',
  'high key': 'It is light overall (high key)',
};

const CONTRAST: Record<Tone['contrast'], string> = {
  'very low': 'with hardly any contrast',
  low: 'with little contrast',
  moderate: 'with moderate contrast',
  high: 'with strong contrast',
  'very high': 'with contrast from black to white',
};

/** Where tones alone say more than their contrast does. */
const QUALITY: Partial<Record<Light['quality'], string>> = {
  spotlit: 'Only a small part of it is lit.',
  silhouetted: 'Nearly everything is either light or dark, close to a silhouette.',
};

/** Two or three short sentences on tone and light. */
export function lightOverview({ tone, light }: Pick<Measures, 'tone' | 'light'>): string {
  return [
    `${keyWords(tone)}, ${CONTRAST[tone.contrast]}.`,
    QUALITY[light.quality],
    directionSentence(light) ?? areasSentence(light),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** Neither dark nor light overall may mean that there is little of either. */
const keyWords = ({ key, midtones }: Tone): string =>
  key === 'middle key' && midtones >= MIDTONES_MANY ? 'Middle tones prevail' : KEY[key];

const MIDTONES_MANY = 0.6;

/** "lightest at the upper right", after other words on a picture's looks; undefined where no place is lighter than others. */
export function lightPlace({ lighterTowards, brightest, darkest }: Light): string | undefined {
  if (lighterTowards) return `lighter towards ${TOWARDS[lighterTowards.side] ?? lighterTowards.side}`;
  return brightest === darkest ? undefined : `lightest ${atPlace(brightest)}`;
}

/** Nothing where the shading names no direction. */
const directionSentence = ({ from }: Light): string | undefined =>
  from && `The shading suggests light from ${from.side}.`;

const TOWARDS: Partial<Record<NonNullable<Light['lighterTowards']>['side'], string>> = {
  above: 'the top',
  below: 'the bottom',
};

function areasSentence({ lighterTowards, brightest, darkest }: Light): string | undefined {
  if (lighterTowards)
    return `It grows lighter towards ${TOWARDS[lighterTowards.side] ?? lighterTowards.side}.`;
  return brightest === darkest
    ? undefined
    : `It is lightest ${atPlace(brightest)} and darkest ${atPlace(darkest)}.`;
}
