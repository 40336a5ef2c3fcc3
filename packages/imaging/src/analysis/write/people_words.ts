import { FACE_NETWORK } from '../../vision/network_names.ts';
import type { Measures } from '../analyse_picture.ts';
import { atPlace, placeName } from '../places.ts';
import { capitalise, spellNumber } from './facts.ts';

type Seen = Pick<Measures, 'faces' | 'people' | 'subjects'>;

/** A lone face at least this high, as a part of the picture, is what the picture is of. */
const PORTRAIT_HEIGHT = 0.12;
/** More are not counted: a network misses some in a crowd. */
const COUNTED_MAX = 9;
/** What people may be called; where a network calls the subject so, its face is no news. */
export const PERSON = /^(?:person|people|human|man|woman|child|boy|girl|baby)$/u;

/** Whether faces are those of people: an animal's face is told by the animal. */
export const isAboutPeople = ({ faces = [], subjects = [] }: Seen): boolean =>
  faces.length > 0 && !(faces.length === 1 && isAnimal(subjects));

const isAnimal = (subjects: NonNullable<Seen['subjects']>): boolean =>
  subjects.some(({ broader }) => broader.includes('animal')) &&
  !subjects.some(({ term, broader }) => [term, ...broader].some((word) => PERSON.test(word)));

interface Faces {
  /** "a face", "at least three faces". */
  readonly who: string;
  readonly count: number;
  /** " at the upper centre", ", the largest left of centre". */
  readonly where: string;
}

/** Undefined where none was found. */
export function facesPhrase({ faces = [] }: Pick<Seen, 'faces'>): Faces | undefined {
  const largest = largestOf({ faces });
  if (!largest) return undefined;
  const place = atPlace(placeName({ x: largest.x + largest.width / 2, y: largest.y + largest.height / 2 }));
  if (faces.length === 1) return { who: 'a face', count: 1, where: ` ${place}` };
  const count = faces.length > COUNTED_MAX ? 'many' : `at least ${spellNumber(faces.length)}`;
  return { who: `${count} faces`, count: faces.length, where: `, the largest ${place}` };
}

/** "At least three faces can be seen, the largest at the upper centre. People cover about 40% of the picture." */
export function peopleSentences(seen: Seen): string | undefined {
  const faces = facesPhrase(seen);
  const sentences = [
    ...(faces ? [`${capitalise(faces.who)} can be seen${faces.where}.`] : []),
    ...(seen.people && seen.people.share >= 0.01
      ? [`People cover about ${Math.round(100 * seen.people.share)}% of the picture.`]
      : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

/** What a title calls a picture with faces. */
export function facesTitle(seen: Seen): string | undefined {
  if (!isAboutPeople(seen)) return undefined;
  if (seen.faces!.length > 1) return 'Figures';
  return isPortrait(seen) ? 'Portrait' : 'Figure';
}

/** For search. */
export function peopleKeywords(seen: Seen): string[] {
  if (!isAboutPeople(seen)) return (seen.people?.share ?? 0) > 0.04 ? ['people'] : [];
  return seen.faces!.length > 1 ? ['people'] : isPortrait(seen) ? ['portrait', 'face'] : ['figure', 'face'];
}

/** Who has seen people and how sure they are, 0 to 1. */
export const peopleSeenBy = ({ faces = [], people }: Seen): { by: string; confidence: number }[] => [
  ...(faces.length > 0
    ? [{ by: FACE_NETWORK, confidence: Math.max(...faces.map(({ score }) => score)) }]
    : []),
  ...(people && people.share >= 0.01 ? [{ by: people.by, confidence: people.confidence }] : []),
];

const isPortrait = ({ faces = [] }: Pick<Seen, 'faces'>): boolean =>
  (faces[0]?.height ?? 0) >= PORTRAIT_HEIGHT;

const largestOf = ({ faces = [] }: Pick<Seen, 'faces'>) =>
  faces.toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
