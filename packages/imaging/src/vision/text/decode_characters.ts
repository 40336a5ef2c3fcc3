import { LINE_CHARACTERS_MAX } from './limits.ts';

/** Index of the blank output, and of the first character. */
const BLANK = 0;
const FIRST = 1;
/**
 * Minimum probability of a space between two letters. The model, trained mostly on Chinese, omits spaces: between words it gave them at least 0.03,
 * within words at most 0.003 (forty lines of rendered posters and screens).
 */
const SPACE_MIN = 0.02;

/** The text of a line. */
export interface ReadLine {
  readonly text: string;
  /** Mean probability of its characters, 0 to 1; 0 where there are none. */
  readonly confidence: number;
  /** Share of its characters that are less than `SURE_CHARACTER` probable, 0 to 1. */
  readonly unsure: number;
}

/** Characters of clean print in a known script are more probable than this, except accented ones. */
const SURE_CHARACTER = 0.8;

/**
 * Decodes a line from the probabilities of each step (connectionist temporal classification): the most likely output of each step, without
 * repetitions and blanks.
 * @param scores steps × outputs: blank, those of `characters`, space
 */
export function decodeCharacters(
  scores: Float32Array,
  outputs: number,
  characters: readonly string[],
): ReadLine {
  const space = outputs - 1;
  const found: Character[] = [];
  let before = BLANK;
  let spaceBetween = 0;
  for (let at = 0; at < scores.length; at += outputs) {
    const best = bestOf(scores, at, outputs);
    const score = scores[at + best]!;
    if (best !== BLANK && best !== before) {
      if (isSpaceLost(spaceBetween, found.at(-1)?.output, best, space))
        found.push({ output: space, score: spaceBetween });
      found.push({ output: best, score });
      spaceBetween = 0;
    } else if (best !== BLANK) found.push({ output: best, score: Math.max(score, found.pop()!.score) });
    else spaceBetween = Math.max(spaceBetween, scores[at + space]!);
    before = best;
  }
  const letters = found.filter(({ output }) => output !== space);
  const mean = (of: (letter: Character) => number): number =>
    letters.length === 0 ? 0 : letters.reduce((sum, letter) => sum + of(letter), 0) / letters.length;
  return {
    text: cleanLine(found.map(({ output }) => characters[output - FIRST] ?? ' ').join('')),
    confidence: mean(({ score }) => score),
    unsure: mean(({ score }) => (score < SURE_CHARACTER ? 1 : 0)),
  };
}

const isSpaceLost = (probability: number, left: number | undefined, right: number, space: number): boolean =>
  probability >= SPACE_MIN && left !== undefined && left !== space && right !== space;

interface Character {
  readonly output: number;
  readonly score: number;
}

function bestOf(scores: Float32Array, from: number, outputs: number): number {
  let best = 0;
  for (let output = 1; output < outputs; output++)
    if (scores[from + output]! > scores[from + best]!) best = output;
  return best;
}

/** On one line, without control or bidirectional characters, of limited length. */
export const cleanLine = (text: string): string =>
  text
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, LINE_CHARACTERS_MAX)
    .toWellFormed();

/** The characters of a recogniser from its list, one per line. */
export const readCharacters = (list: Uint8Array): readonly string[] =>
  new TextDecoder().decode(list).replace(/\r/g, '').replace(/\n$/, '').split('\n');
