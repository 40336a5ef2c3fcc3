import { fold, wordsOf } from './fold.ts';
import { kindsOf, readMedium } from './kinds.ts';
import { isKnown } from './synonyms.ts';
import type { Term } from './types.ts';

/** Sorts of pictures, qualities and origins, which records leave out more often than what is shown. */
const MANNERS = new Set(
  (
    'portrait portraits people person persons figure figures group pair two three four several many few made painted drawn ' +
    'seated sitting standing lying kneeling holding wearing carrying looking smiling scene scenes view views detail study story tale biblical mythological historical antique traditional ' +
    'dark light bright pale small little large big huge tall old young beautiful pretty lovely sad happy lonely quiet calm peaceful dramatic ' +
    'red blue green yellow black white brown grey gray purple elderly aged ' +
    'dutch flemish german french english british italian spanish japanese chinese american european asian'
  ).split(' '),
);

/** Whether a typed term says how a work is made or looks, rather than what it shows: a work may please without it. */
export const saysHow = ({ text, isQuoted }: Term): boolean => {
  const words = wordsOf(fold(text));
  return !isQuoted && (words.every((word) => MANNERS.has(word)) || isKind(words.at(-1) ?? ''));
};

/** A form of a verb that is no subject of its own, as "pulled" and "fighting": records say it otherwise. */
export const isVerb = ({ text, isQuoted }: Term): boolean =>
  !isQuoted &&
  /^(?:[a-z]{3,}(?:ing|ed)|worn|led|held|seen|caught|brought|carried|thrown|sat|stood|lies|stands|sits|holds|wears)$/.test(
    text,
  ) &&
  !isKnown(text);

/** A kind of object by its last word: "print", "woodblock print". */
export const isKind = (words: string): boolean => readMedium(words.split(' ').at(-1)!).kinds !== 0;

/** A technique or material that tells the kind of a work: "etching", "charcoal". */
export const isTechnique = (words: string): boolean => kindsOf({ classification: '', medium: words }) !== 0;
