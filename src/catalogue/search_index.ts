import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { AnyContract } from '../tools/tool.ts';

type Searchable = Pick<AnyContract, 'name' | 'title' | 'summary' | 'words'>;

const WORD_CHARACTERS_MAX = 40;
const WORDS_MAX = 20;
/** Shorter words are too easily one edit away from another word. */
const TYPO_LETTERS_MIN = 4;
/** What scores less than this part of the best is a chance likeness. */
const SHARE_OF_BEST_MIN = 0.35;

/**
 * Tools for what a query asks, best first (BM25+): its words may come in any order, case and form, half written or misspelt.
 * A word that few tools have counts more than one that many have.
 */
export function searchTools<T extends Searchable>(tools: readonly T[], query: string): T[] {
  if (wordsOf(query).length === 0) return [...tools];
  const found = indexOf(tools).search(wordsOf(query).slice(0, WORDS_MAX).join(' '));
  const best = found[0]?.score ?? 0;
  return found.filter(({ score }) => score >= best * SHARE_OF_BEST_MIN).map(({ id }) => tools[id]!);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Lists of tools never change while the process lives. */
const indexes = new WeakMap<object, MiniSearch>();

function indexOf(tools: readonly Searchable[]): MiniSearch {
  const known = indexes.get(tools);
  if (known) return known;
  const index = new MiniSearch({
    fields: ['name', 'title', 'words', 'summary'],
    tokenize: wordsOf,
    processTerm: (word) => !SAYS_NOTHING.has(word) && rootOf(word.slice(0, WORD_CHARACTERS_MAX)),
    searchOptions: {
      boostTerm: (root) => (SAYS_LITTLE.has(root) ? 0.2 : 1),
      boost: { name: 2, title: 2, words: 2 },
      prefix: (word) => word.length >= TYPO_LETTERS_MIN,
      fuzzy: (word) => (word.length >= TYPO_LETTERS_MIN ? 0.25 : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
    },
  });
  index.addAll(
    tools.map(({ name, title, summary, words = '' }, id) => ({ id, name, title, summary, words })),
  );
  indexes.set(tools, index);
  return index;
}

/** One for all words that mean the same here. */
function rootOf(word: string): string {
  const root = stemmer(word);
  return SAME.get(root) ?? root;
}

const SAME = new Map(
  [
    'picture image photo photograph pic img',
    'color colour',
    'smaller small',
    'larger large bigger big',
  ].flatMap((line) =>
    line.split(' ').map((word, _at, words) => [stemmer(word), stemmer(words[0]!)] as const),
  ),
);

/** In most wishes, whatever they are for. */
const SAYS_LITTLE = new Set(['picture', 'show', 'find', 'make', 'use', 'check', 'work'].map(stemmer));

/** In every wish and every summary alike. */
const SAYS_NOTHING = new Set(
  `a an the this that these those it its i me my mine you your we our is are was were be been am do does did done can could
  will would shall should may might must have has had having of to in into on onto at by for from with without about as and
  or not no but if than then so please want need like some any all what how where when there here get`.split(
    /\s+/,
  ),
);
