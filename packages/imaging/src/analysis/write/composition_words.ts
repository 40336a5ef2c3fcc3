import type { Measures } from '../analyse_picture.ts';
import type { FocalPoint } from '../measure_focus.ts';
import { EVERYWHERE } from '../measure_space.ts';
import { atPlace, placeName } from '../places.ts';
import { capitalise, joinWords, placeNoun, spellNumber } from './facts.ts';

type Seen = Pick<
  Measures,
  'width' | 'height' | 'focus' | 'symmetry' | 'lines' | 'space' | 'subject' | 'surface'
>;

/** What a picture of these sides is called. */
export function formatName({ width, height }: Pick<Measures, 'width' | 'height'>): string {
  const ratio = width / height;
  if (ratio > 2.1) return 'panorama';
  if (ratio < 1 / 2.1) return 'tall strip';
  if (ratio > 1.06) return 'landscape format';
  return ratio < 1 / 1.06 ? 'portrait format' : 'square';
}

/** Three to six short sentences on how the surface is divided. */
export function compositionOverview(measures: Seen): string {
  return [
    shapeSentence(measures),
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

/** "the upper left, close to a crossing of the thirds". */
export function firstFocus({ focus }: Pick<Measures, 'focus'>): string | undefined {
  const [first] = focus.points;
  if (!first) return undefined;
  if (focus.isCentred) return 'the very middle';
  return `${placeNoun(placeName(first))}${focus.third ? ', close to a crossing of the thirds' : ''}`;
}

/** Where the eye goes after its first place, in a sentence of its own. */
export function furtherFocus({ focus }: Pick<Measures, 'focus'>): string | undefined {
  const others = focalNames(focus.points).slice(1, 3).map(placeNoun);
  return others.length > 0 ? `What stands out next lies at ${joinWords(others)}.` : undefined;
}

function shapeSentence({ width, height }: Seen): string {
  const times = Math.max(width, height) / Math.min(width, height);
  if (times < 1.06) return 'The format is square.';
  return width > height
    ? `The format is wide (${times.toFixed(1)} : 1).`
    : `The format is upright (1 : ${times.toFixed(1)}).`;
}

function focusSentence({ focus }: Seen): string {
  const first = firstFocus({ focus });
  if (first === undefined) return 'Nothing stands out; the surface is even throughout.';
  return `The eye goes first to ${first}.`;
}

function balanceSentence({ focus }: Seen): string | undefined {
  if (focus.points.length === 0) return undefined;
  const side = focus.weightLeft > 0.5 ? 'the left' : 'the right';
  const height = { even: '', 'heavier above': 'the upper half', 'heavier below': 'the lower half' }[
    focus.verticalBalance
  ];
  if (focus.balance === 'balanced')
    return height ? `Left and right are balanced; ${height} is heavier.` : 'Left and right are balanced.';
  return height ? `Visual weight lies on ${side} and in ${height}.` : `Visual weight lies on ${side}.`;
}

/** From this correlation on halves are each other's mirror image to the eye: trees and towers come near it without being about order. */
const CLOSELY = 0.85;
/** Where more is plain than this, halves agree because there is nothing in them. */
const PLAIN_MAX = 0.5;

/** The axes about which halves mirror each other so that one may speak of it. */
export function mirroredAxis({
  symmetry,
  space,
}: Pick<Measures, 'symmetry' | 'space'>): Measures['symmetry']['axis'] | undefined {
  const { axis, name, leftRight, topBottom } = symmetry;
  const least = Math.min(
    ...(axis === 'horizontal' ? [] : [leftRight]),
    ...(axis === 'vertical' ? [] : [topBottom]),
  );
  return axis && name === 'strong' && least >= CLOSELY && space.empty <= PLAIN_MAX ? axis : undefined;
}

/** Undefined where there is none to speak of. */
function symmetrySentence(measures: Pick<Measures, 'symmetry' | 'space'>): string | undefined {
  const axis = mirroredAxis(measures);
  if (!axis) return undefined;
  const halves = {
    vertical: 'The left and right halves',
    horizontal: 'The upper and lower halves',
    both: 'The halves, left and right as well as above and below,',
  }[axis];
  return `${halves} closely mirror each other.`;
}

const DIRECTION: Partial<Record<Measures['lines']['direction'], string>> = {
  level: 'most edges run level',
  upright: 'most edges run upright',
  'rising to the right': 'most edges climb to the right',
  'falling to the right': 'most edges fall to the right',
  'level and upright': 'edges keep to level and upright, as in buildings or on a page',
};

function linesSentence({ lines, focus }: Seen): string | undefined {
  const direction = DIRECTION[lines.direction];
  const { meeting, leading } = lines;
  const parts = [
    ...(direction ? [direction] : []),
    ...(meeting
      ? [
          `${spellNumber(meeting.lines)} long lines meet ${meetingPlace(meeting)}, as parallels do in perspective`,
        ]
      : []),
    ...(leading >= 2 && focus.points.length > 0
      ? [`${spellNumber(leading)} slanted lines lead to where the eye goes first`]
      : []),
  ];
  return parts.length > 0 ? `${capitalise(parts.join('; '))}.` : undefined;
}

export function meetingPlace({ x, y }: { x: number; y: number }): string {
  const isInside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
  return isInside
    ? atPlace(placeName({ x, y }))
    : `outside the picture, beyond the ${x < 0 ? 'left' : x > 1 ? 'right' : y < 0 ? 'upper' : 'lower'} edge`;
}

function spaceSentence({ space, surface }: Seen): string | undefined {
  const { empty, emptiest } = space;
  if (empty < 0.03) return isSparse(surface) ? undefined : 'Detail fills it to the edges.';
  if (empty < 0.08 || !emptiest) return undefined;
  const where = emptiest.where === EVERYWHERE ? '' : `, most of all ${emptiest.where}`;
  return `About ${Math.round(100 * empty)}% of the surface is plain${where}.`;
}

/** Hardly any detail, though nothing is plain: paper, mist. */
export const isSparse = ({ texture }: Measures['surface']): boolean =>
  texture === 'smooth' || texture === 'little detail';

/** One thing that weakens upwards may do so for any reason. */
function depthSentence({ space: { depthCues } }: Seen): string | undefined {
  if (depthCues.length < 2) return undefined;
  return `Towards the top it grows ${joinWords(depthCues.map((cue) => CUE[cue]))}.`;
}

const CUE: Record<Measures['space']['depthCues'][number], string> = {
  'paler towards the top': 'paler',
  'less contrast towards the top': 'weaker in contrast',
  'greyer towards the top': 'greyer',
  'bluer towards the top': 'bluer',
};

/** Horizon, repeating motif, lone thing, writing: in one or more sentences. */
function subjectSentence(measures: Pick<Measures, 'subject' | 'space'>): string | undefined {
  const { pattern, textLines } = measures.subject;
  const [horizon, figure] = [horizonOf(measures), figureOf(measures)];
  const sentences = [
    ...(horizon ? [`A level line crosses it ${heightWords(horizon.height)}, like a horizon.`] : []),
    ...(pattern ? ['A motif repeats across the surface.'] : []),
    ...(figure
      ? [
          `One form or group stands out from a plain ground, ${atPlace(figure.place)}, and covers ${Math.max(1, Math.round(100 * figure.share))}% of it.`,
        ]
      : []),
    ...(textLines > 0
      ? [
          textLines === 1
            ? 'One row of marks looks like a line of writing.'
            : `${capitalise(spellNumber(textLines))} rows of marks look like lines of writing.`,
        ]
      : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

/** A level line is spoken of as a horizon where the picture fades upwards as well: table edges, branches and shelves cross pictures, too. */
export const horizonOf = ({ subject, space }: Pick<Measures, 'subject' | 'space'>) =>
  space.depthCues.length >= 2 ? subject.horizon : undefined;

/** What fills most of a picture does not stand out from its ground: it is a panel before a wall. */
export const figureOf = ({ subject: { figure } }: Pick<Measures, 'subject'>) =>
  figure && figure.share <= 0.6 ? figure : undefined;

export const heightWords = (height: number): string =>
  height < 0.38 ? 'in the upper third' : height > 0.62 ? 'in the lower third' : 'about half way up';
