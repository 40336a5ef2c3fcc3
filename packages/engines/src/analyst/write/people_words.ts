import type { Measures } from '../analyse_picture.ts';
import { atPlace, placeName } from '../places.ts';
import { capitalise, spellNumber } from './facts.ts';

type Seen = Pick<Measures, 'faces'>;

/** A lone face at least this high, as a part of the picture, is what the picture is of. */
const PORTRAIT_HEIGHT = 0.12;
/** More are not counted: a network misses some in a crowd. */
const COUNTED_MAX = 9;

/** "a face at the upper centre", "at least three faces, the largest left of centre"; undefined where none was found. */
export function facesPhrase({ faces = [] }: Seen): string | undefined {
  const largest = largestOf({ faces });
  if (!largest) return undefined;
  const where = atPlace(placeName({ x: largest.x + largest.width / 2, y: largest.y + largest.height / 2 }));
  if (faces.length === 1) return `a face ${where}`;
  const count = faces.length > COUNTED_MAX ? 'many' : `at least ${spellNumber(faces.length)}`;
  return `${count} faces, the largest ${where}`;
}

/** "A face is to be seen at the upper centre.": the phrase as a sentence. */
export function facesSentence(seen: Seen): string | undefined {
  const phrase = facesPhrase(seen);
  return phrase && `${capitalise(phrase).replace(/ faces?/u, (noun) => `${noun} can be seen`)}.`;
}

/** What a title calls a picture with faces. */
export function facesTitle({ faces = [] }: Seen): string | undefined {
  if (faces.length === 0) return undefined;
  if (faces.length > 1) return 'Figures';
  return isPortrait({ faces }) ? 'Portrait' : 'Figure';
}

/** For search. */
export function facesKeywords({ faces = [] }: Seen): string[] {
  if (faces.length === 0) return [];
  return faces.length > 1
    ? ['people', 'faces']
    : isPortrait({ faces })
      ? ['portrait', 'face']
      : ['figure', 'face'];
}

/** How sure the network is of the face it is surest of, 0 to 1. */
export const facesConfidence = ({ faces = [] }: Seen): number =>
  Math.max(0, ...faces.map(({ score }) => score));

const isPortrait = ({ faces = [] }: Seen): boolean => (faces[0]?.height ?? 0) >= PORTRAIT_HEIGHT;

const largestOf = ({ faces = [] }: Seen) =>
  faces.toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
