import type { AnyContract } from '../tools/tool.ts';
import { closest } from './closest.ts';

type Searchable = Pick<AnyContract, 'name' | 'title' | 'summary'>;

const WORD_CHARACTERS_MAX = 40;
const WORDS_MAX = 20;
/** Shorter words are too easily one edit away from another word. */
const TYPO_LETTERS_MIN = 4;

/**
 * Tools whose name, title or summary hold the words of the query, in any order and case, best first; a word may be
 * misspelt. Where no tool has every word, those with the most words are answered.
 */
export function searchTools<T extends Searchable>(tools: readonly T[], query: string): T[] {
  const words = wordsOf(query);
  if (words.length === 0) return [...tools];
  const rated = tools.map((tool) => ({ tool, ...rate(tool, words) }));
  const most = Math.max(0, ...rated.map(({ found }) => found));
  return rated
    .filter(({ found }) => found === most && found > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, WORDS_MAX)
    .map((word) => word.slice(0, WORD_CHARACTERS_MAX));

function rate({ name, title, summary }: Searchable, words: string[]): { found: number; score: number } {
  const fields = [
    { weight: 3, words: wordsOf(name.replaceAll('_', ' ')) },
    { weight: 2, words: wordsOf(title) },
    { weight: 1, words: wordsOf(summary) },
  ];
  const scores = words.map((word) =>
    Math.max(...fields.map((field) => field.weight * likeness(word, field.words))),
  );
  return {
    found: scores.filter((score) => score > 0).length,
    score: scores.reduce((sum, score) => sum + score, 0),
  };
}

/** From 4 for the very word down to 0.5 for a misspelt one, 0 for none. */
function likeness(word: string, candidates: string[]): number {
  if (candidates.includes(word)) return 4;
  if (candidates.some((candidate) => candidate.startsWith(word))) return 3;
  if (word.length > 2 && candidates.some((candidate) => candidate.includes(word))) return 2;
  if (word.length < TYPO_LETTERS_MIN) return 0;
  return closest(word, candidates.filter(isLong)).length > 0 ? 0.5 : 0;
}

const isLong = (word: string): boolean => word.length >= TYPO_LETTERS_MIN;
