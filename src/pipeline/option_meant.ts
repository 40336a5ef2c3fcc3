import { hasSameLetters } from '../tools/spellings.ts';

/** What formats and colours are called elsewhere. */
const ELSEWHERE = new Map([
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
  ['colour', 'color'],
]);

/** They turn a word into its opposite. */
const NEGATIONS = new Set(['no', 'non', 'not', 'without', 'never', 'except', 'exclude', 'isn', 'don']);

/**
 * The one option that a text names: by its letters, or, where `takesWords`, by its words among others ("coffee mug", "AI Act").
 * Undefined where it could be two.
 */
export function optionMeant(options: readonly unknown[], sent: unknown, takesWords: boolean): unknown {
  if (typeof sent !== 'string' || sent.length > CHARACTERS_MAX) return undefined;
  const plain = sent
    .trim()
    .toLowerCase()
    .replace(/^(image|application)\//, '')
    .replace(/^\./, '');
  const word = ELSEWHERE.get(plain) ?? plain;
  const same = options.filter((option) => hasSameLetters(String(option), word));
  if (same.length > 0 || !takesWords) return same.length === 1 ? same[0] : undefined;
  const words = wordsOf(sent);
  const near = options.filter((option) => namesOneAnother(wordsOf(String(option)), words));
  return near.length === 1 ? near[0] : undefined;
}

const CHARACTERS_MAX = 200;

/** "photoSize A3" → photo, size, a3 */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );

function namesOneAnother(option: Set<string>, sent: Set<string>): boolean {
  if (option.size === 0 || sent.size === 0) return false;
  if ([...NEGATIONS].some((word) => option.has(word) !== sent.has(word))) return false;
  return option.isSubsetOf(sent) || sent.isSubsetOf(option);
}
