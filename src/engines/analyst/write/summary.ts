import type { Measures } from '../analyse_picture.ts';
import { placeName } from '../places.ts';
import { colorOverview, leadingColors, withShares } from './color_words.ts';
import { compositionOverview, formatName, subjectSentence } from './composition_words.ts';
import { atPlace, capitalised, listed, placeNoun } from './facts.ts';
import { firstSentence, type Given, oneLine } from './given.ts';
import { directionSentence, lightOverview } from './light_words.ts';
import { surfaceOverview } from './reading_words.ts';

const BRIEF_CHARACTERS = 300;
const SUBJECTS_MAX = 8;

/** Four to six sentences for a catalogue: what it is called, what its maker says, how it looks. */
export function summaryOf(measures: Measures, given: Given): string {
  const { light, focus, subject, isBlank, color } = measures;
  if (isBlank)
    return [
      opening(measures, given),
      `It is one even field of ${color.palette[0]!.name}; there is nothing in it to describe further.`,
    ].join(' ');
  const first = focus.points[0];
  const where =
    first && !subject.figure
      ? `The eye goes first to ${focus.isCentred ? 'the very middle' : placeNoun(placeName(first))}${focus.third && !focus.isCentred ? ', a crossing of the thirds' : ''}.`
      : undefined;
  return [
    opening(measures, given),
    brief(given),
    `The tones are ${tonePhrase(measures)}; ${colorsPhrase(measures)}.`,
    directionSentence(light) ?? QUALITY_SHORT[light.quality],
    where,
    subjectSentence(measures),
    balance(measures),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** All that was seen, section by section, for readers who cannot see the picture. */
export function describedAtLength(measures: Measures, given: Given): string {
  const told = [opening(measures, given), brief(given)].filter((sentence) => sentence !== undefined);
  if (measures.isBlank) return summaryOf(measures, given);
  return [
    ...told,
    colorOverview(measures.color),
    lightOverview(measures),
    compositionOverview(measures),
    surfaceOverview(measures),
  ].join(' ');
}

function opening(measures: Measures, given: Given): string {
  const [title, artist, year] = [given.title, given.artist_name, given.creation_year].map(oneLine) as [
    string,
    string,
    string,
  ];
  const format = formatName(measures);
  const kind = given.content_type === 'photo' ? 'photograph' : 'work';
  const shape = {
    'landscape format': `a ${kind} in landscape format`,
    'portrait format': `a ${kind} in portrait format`,
    square: `a square ${kind}`,
    panorama: `a ${kind} as wide as a panorama`,
    'tall strip': `a ${kind} as tall as a strip`,
  }[format]!;
  const from = [artist && `by ${artist}`, year && `of ${year}`].filter(Boolean).join(', ');
  if (title) return `“${title}”${from ? ` ${from},` : ''} is ${shape}.`;
  return from ? `This is ${shape} ${from}.` : `This is ${shape}.`;
}

function brief({ context, museum }: Given): string | undefined {
  if (museum && museum.subjects.length > 0)
    return `${museum.name} lists as subjects: ${museum.subjects.slice(0, SUBJECTS_MAX).map(oneLine).join(', ')}.`;
  const told = firstSentence(context, BRIEF_CHARACTERS);
  return told ? `Its maker writes: “${told}”.` : undefined;
}

function tonePhrase({ tone }: Measures): string {
  const key = { 'low key': 'dark', 'middle key': 'of middle depth', 'high key': 'light' }[tone.key];
  const contrast = {
    'very low': 'almost without contrast',
    low: 'low in contrast',
    moderate: 'moderate in contrast',
    high: 'strong in contrast',
    'very high': 'reach from black to white',
  }[tone.contrast];
  return `${key} and ${contrast}`;
}

function colorsPhrase({ color }: Measures): string {
  const leading = leadingColors(color.palette);
  const accent =
    color.accent && !leading.some(({ name }) => name === color.accent!.name)
      ? `, and ${color.accent.name} as a small vivid accent`
      : '';
  return `${withShares(leading)} lead${leading.length === 1 ? 's' : ''}${accent}`;
}

const QUALITY_SHORT = {
  even: 'The light is even throughout.',
  soft: 'Light and shade pass softly into each other.',
  contrasty: 'Light and shade stand hard against each other.',
  spotlit: 'A small lit part stands out of the dark.',
  silhouetted: 'Light and dark part with little between.',
} as const;

function balance({ focus, symmetry, space }: Measures): string | undefined {
  const parts = [
    ...(symmetry.name === 'strong'
      ? [
          {
            vertical: 'its left and right halves mirror each other',
            horizontal: 'its upper and lower halves mirror each other',
            both: 'its halves mirror each other both ways',
          }[symmetry.axis!],
        ]
      : []),
    ...(symmetry.name !== 'strong' && focus.balance !== 'balanced'
      ? [`its weight lies on the ${focus.weightLeft > 0.5 ? 'left' : 'right'}`]
      : []),
    ...(space.empty > 0.25 && space.emptiest ? [`quiet space opens ${atPlace(space.emptiest.place)}`] : []),
  ];
  return parts.length > 0 ? `${capitalised(listed(parts))}.` : undefined;
}
