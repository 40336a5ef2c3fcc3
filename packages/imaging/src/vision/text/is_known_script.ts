import type { ReadLine } from './decode_characters.ts';
import { SCRIPT_CONFIDENCE_MIN, SCRIPT_UNSURE_MAX } from './limits.ts';

/**
 * Whether a line is in a script that PP-OCR's recogniser knows. Of other scripts it reads the Latin letters, digits and Chinese characters that look most like theirs: many
 * of them with doubt, or in words that no language writes.
 */
export const isKnownScript = ({ text, confidence, unsure }: ReadLine): boolean =>
  unsure < SCRIPT_UNSURE_MAX || (confidence >= SCRIPT_CONFIDENCE_MIN && !isOddlySpelt(text));

/** A capital or a digit within a word after a small letter, or Latin letters beside others: "MocKBy", "D71D7", "Kα入c". */
const ODD_WORD =
  /\p{Ll}\p{Lu}|\p{L}\p{N}+\p{L}|\p{Script=Latin}[^\p{Script=Latin}\P{L}]|[^\p{Script=Latin}\P{L}]\p{Script=Latin}/u;

/** Whether half of the words or more are such as no language writes. */
export function isOddlySpelt(text: string): boolean {
  const words = text.split(/\s+/u).filter(Boolean);
  return words.filter((word) => ODD_WORD.test(word)).length >= words.length / 2;
}
