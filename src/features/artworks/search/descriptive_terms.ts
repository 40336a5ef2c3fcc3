import { fold, wordsOf } from './fold.ts';
import { kindsOf, readMedium } from './kinds.ts';
import { isKnown } from './synonyms.ts';
import type { Term } from './types.ts';

/** Genres, qualities and origins, which records omit more often than subjects. */
const MANNERS = new Set(
  (
    'portrait portraits people person persons figure figures group pair two three four several many few made painted drawn ' +
    'seated sitting standing lying kneeling holding wearing carrying looking smiling scene scenes view views detail study story tale biblical mythological historical antique traditional ' +
    'dark light bright pale small little large big huge tall old young beautiful pretty lovely sad happy lonely quiet calm peaceful dramatic ' +
    'red blue green yellow black white brown grey gray purple elderly aged ' +
    'dutch flemish german french english british italian spanish japanese chinese american european asian'
  ).split(' '),
);

/**
 * Whether a typed term describes how a work is made or looks instead of what it shows, so that a work may
 * match without it.
 */
export const isDescriptive = ({ text, isQuoted }: Term): boolean => {
  const words = wordsOf(fold(text));
  return !isQuoted && (words.every((word) => MANNERS.has(word)) || isKind(words.at(-1) ?? ''));
};

/** A verb form such as "pulled" or "fighting", which records usually express differently. */
export const isVerb = ({ text, isQuoted }: Term): boolean =>
  !isQuoted &&
  /^(?:[a-z]{3,}(?:ing|ed)|worn|led|held|seen|caught|brought|carried|thrown|sat|stood|lies|stands|sits|holds|wears)$/.test(
    text,
  ) &&
  !isKnown(text);

/** Whether the last word names a type of object: "print", "woodblock print". */
export const isKind = (words: string): boolean => readMedium(words.split(' ').at(-1)!).kinds !== 0;

/** Whether a technique or material implies the kind of a work: "etching", "charcoal". */
export const isTechnique = (words: string): boolean => kindsOf({ classification: '', medium: words }) !== 0;
