import type { Measures } from '../analyse_picture.ts';
import type { Light } from '../measure_light.ts';
import type { Tone } from '../measure_tone.ts';
import { atPlace } from './facts.ts';

const KEY: Record<Tone['key'], string> = {
  'low key': 'The picture is dark: a low key',
  'middle key': 'The tones lie around the middle of the scale',
  'high key': 'The picture is light: a high key',
};

const CONTRAST: Record<Tone['contrast'], string> = {
  'very low': 'hardly any contrast',
  low: 'little contrast',
  moderate: 'moderate contrast',
  high: 'strong contrast',
  'very high': 'contrast over the whole scale from black to white',
};

const QUALITY: Record<Light['quality'], string> = {
  even: 'The light is even, without marked shadow.',
  soft: 'Lights and darks pass into each other softly.',
  contrasty: 'Lights and darks stand hard against each other.',
  spotlit: 'A small lit part stands out of a dark whole, as under a single lamp.',
  silhouetted: 'The picture divides into light and dark with little between, close to a silhouette.',
};

/** Three to five sentences on tone and light. */
export function lightOverview({ tone, light }: Pick<Measures, 'tone' | 'light'>): string {
  const part = (value: number) => (value < 0.01 ? 'under 1 %' : `${Math.round(100 * value)} %`);
  const sentences = [
    `${KEY[tone.key]}, with ${CONTRAST[tone.contrast]}.`,
    `Shadows take ${part(tone.shadows)}, middle tones ${part(tone.midtones)} and highlights ${part(tone.highlights)} of the surface.`,
    QUALITY[light.quality],
  ];
  const direction = directionSentence(light);
  if (direction) sentences.push(direction);
  else if (light.brightest !== light.darkest)
    sentences.push(`It is lightest ${atPlace(light.brightest)} and darkest ${atPlace(light.darkest)}.`);
  return sentences.join(' ');
}

/** Nothing where the shading names no direction. */
export function directionSentence({ from, brightest }: Light): string | undefined {
  if (!from) return undefined;
  const side = from.side;
  return from.by === 'shading'
    ? `The shading of things suggests light from ${side}${brightest === 'nowhere in particular' ? '' : `; the lightest area lies ${atPlace(brightest)}`}.`
    : `The whole grows lighter towards ${TOWARDS[side]}, as if light came from there.`;
}

const TOWARDS: Record<NonNullable<Light['from']>['side'], string> = {
  'the right': 'the right',
  'the lower right': 'the lower right',
  below: 'the bottom',
  'the lower left': 'the lower left',
  'the left': 'the left',
  'the upper left': 'the upper left',
  above: 'the top',
  'the upper right': 'the upper right',
};
