import type { Measures } from '../analyse_picture.ts';
import type { FocalPoint } from '../measure_focus.ts';
import { placeName } from '../places.ts';
import { atPlace, listed, placeNoun } from './facts.ts';

type Seen = Pick<Measures, 'width' | 'height' | 'focus' | 'symmetry' | 'lines' | 'space' | 'subject'>;

/** What a picture of these sides is called. */
export function formatName({ width, height }: Pick<Measures, 'width' | 'height'>): string {
  const ratio = width / height;
  if (ratio > 2.1) return 'panorama';
  if (ratio < 1 / 2.1) return 'tall strip';
  if (ratio > 1.06) return 'landscape format';
  return ratio < 1 / 1.06 ? 'portrait format' : 'square';
}

/** Four to seven sentences on how the surface is divided. */
export function compositionOverview(measures: Seen): string {
  return [
    focusSentence(measures),
    balanceSentence(measures),
    symmetrySentence(measures),
    linesSentence(measures),
    spaceSentence(measures),
    depthSentence(measures),
    subjectSentence(measures),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** Names of the focal points in order, each once. */
export const focalNames = (points: readonly FocalPoint[]): string[] => [
  ...new Set(points.map((point) => placeName(point))),
];

function focusSentence({ focus }: Seen): string {
  const names = focalNames(focus.points);
  const [first, ...others] = names;
  if (first === undefined) return 'Nothing stands out; the surface is even throughout.';
  const place = focus.isCentred ? 'in the very middle' : atPlace(first);
  const third = focus.third && !focus.isCentred ? ', on a crossing of the thirds' : '';
  const where = `What stands out most lies ${place}${third}`;
  return others.length === 0
    ? `${where}.`
    : `${where}; after it ${others.length === 1 ? 'comes' : 'come'} ${listed(others.map(placeNoun))}.`;
}

function balanceSentence({ focus }: Seen): string | undefined {
  if (focus.points.length === 0) return undefined;
  const left = Math.round(100 * focus.weightLeft);
  const sides =
    focus.balance === 'balanced'
      ? 'Visual weight is balanced between left and right'
      : `Visual weight gathers on the ${left > 50 ? 'left' : 'right'} (${Math.max(left, 100 - left)} %)`;
  const height = { even: '', 'heavier above': ' and sits high', 'heavier below': ' and sits low' }[
    focus.verticalBalance
  ];
  return `${sides}${height}.`;
}

function symmetrySentence({ symmetry }: Seen): string | undefined {
  if (!symmetry.axis) return undefined;
  const halves = {
    vertical: 'The left and right halves',
    horizontal: 'The upper and lower halves',
    both: 'The halves, left and right as well as above and below,',
  }[symmetry.axis];
  return symmetry.name === 'strong'
    ? `${halves} mirror each other closely.`
    : `${halves} answer each other loosely.`;
}

const DIRECTION: Partial<Record<Measures['lines']['direction'], string>> = {
  level: 'Most edges run level, which steadies the picture',
  upright: 'Most edges run upright',
  'rising to the right': 'Most edges climb to the right',
  'falling to the right': 'Most edges fall to the right',
  'level and upright': 'Edges keep to level and upright, like built things or a page',
};

function linesSentence({ lines, focus }: Seen): string | undefined {
  const direction = DIRECTION[lines.direction];
  const { meeting, leading } = lines;
  const parts = [
    ...(direction ? [direction] : []),
    ...(meeting
      ? [`${meeting.lines} long lines run together ${meetingPlace(meeting)}, as parallels do in perspective`]
      : []),
    ...(leading >= 2 && focus.points.length > 0 ? [`${leading} slanted lines lead to the focal point`] : []),
  ];
  return parts.length > 0 ? `${parts.join('; ')}.` : undefined;
}

export function meetingPlace({ x, y }: { x: number; y: number }): string {
  const isInside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
  return isInside
    ? atPlace(placeName({ x, y }))
    : `outside the picture, beyond the ${x < 0 ? 'left' : x > 1 ? 'right' : y < 0 ? 'upper' : 'lower'} edge`;
}

function spaceSentence({ space }: Seen): string | undefined {
  const { empty, emptiest } = space;
  if (empty < 0.08 || !emptiest)
    return empty < 0.03 ? 'The surface is filled to its edges; there is next to no empty space.' : undefined;
  return `${Math.round(100 * empty)} % of the surface is quiet, the largest stretch ${atPlace(emptiest.place)}.`;
}

function depthSentence({ space: { depthCues } }: Seen): string | undefined {
  if (depthCues.length === 0) return undefined;
  const isAir = depthCues.length >= 2;
  return `The picture grows ${listed(depthCues.map((cue) => CUE[cue]))} towards the top${isAir ? ', as distance does in air' : ''}.`;
}

const CUE: Record<Measures['space']['depthCues'][number], string> = {
  'paler towards the top': 'paler',
  'less contrast towards the top': 'weaker in contrast',
  'greyer towards the top': 'greyer',
  'bluer towards the top': 'bluer',
};

/** Horizon, repeating motif, lone thing, writing: in one or more sentences. */
export function subjectSentence({ subject }: Pick<Measures, 'subject'>): string | undefined {
  const { horizon, pattern, figure, textLines } = subject;
  const sentences = [
    ...(horizon
      ? [
          `A level border crosses it ${heightWords(horizon.height)}, as a horizon or an edge of a table would.`,
        ]
      : []),
    ...(pattern ? ['A motif repeats across the surface.'] : []),
    ...(figure
      ? [
          `One form stands alone on a plain ground, ${atPlace(figure.place)}, and takes ${Math.max(1, Math.round(100 * figure.share))} % of it.`,
        ]
      : []),
    ...(textLines > 0 ? [`${textLines} rows of marks are as regular as lines of writing.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

export const heightWords = (height: number): string =>
  height < 0.38 ? 'in the upper third' : height > 0.62 ? 'in the lower third' : 'about half way up';
