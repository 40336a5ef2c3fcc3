import { fold, wordsOf } from './fold.ts';
import { readMedium } from './kinds.ts';
import type { Term } from './types.ts';

/** Sorts of pictures, qualities and origins, which records leave out more often than what is shown. */
const MANNERS = new Set(
  (
    'portrait portraits scene scenes view views detail study story tale biblical mythological historical antique traditional ' +
    'dark light bright pale small little large big huge tall old young beautiful pretty lovely sad happy lonely quiet calm peaceful dramatic ' +
    'dutch flemish german french english british italian spanish japanese chinese american european asian'
  ).split(' '),
);

/** Whether a typed term says how a work is made or looks, rather than what it shows: a work may please without it. */
export const saysHow = ({ text, isQuoted }: Term): boolean => {
  const words = wordsOf(fold(text));
  return !isQuoted && (words.every((word) => MANNERS.has(word)) || isKind(words.at(-1) ?? ''));
};

/** A kind of object by its last word: "print", "woodblock print". */
const isKind = (word: string): boolean => readMedium(word).kinds !== 0;
