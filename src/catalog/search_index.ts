import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { AnyContract } from '../features/definitions/tool.ts';
import { joinPhrases, plain, sameWord } from './same_words.ts';

type Searchable = Pick<AnyContract, 'name' | 'title' | 'summary' | 'words' | 'instead'>;

const WORD_CHARACTERS_MAX = 40;
const WORDS_MAX = 20;
/** A shorter word is too easily the beginning of another, */
const PREFIX_LETTERS_MIN = 4;
/** or one edit away from it. */
const TYPO_LETTERS_MIN = 5;
/** What scores less than this part of the best is a chance likeness. */
const SHARE_OF_BEST_MIN = 0.35;
/** How much it counts that a tool has several of the words. */
const WORDS_TOGETHER = 0.3;

/**
 * Tools for what a query asks, best first (BM25+): its words may come in any order, case and form.
 * A word that few tools have counts more than one that many have. Only words no tool has are taken as half written or misspelt.
 */
export function searchTools<T extends Searchable>(tools: readonly T[], query: string): T[] {
  if (wordsOf(query).length === 0) return [...tools];
  const { index, roots } = indexOf(tools);
  const text = wordsOf(withoutCalled(tools, query)).slice(0, WORDS_MAX).join(' ');
  const isUnknown = (word: string): boolean => word.length >= PREFIX_LETTERS_MIN && !roots.has(word);
  const fuzzy = (word: string): number | false =>
    isUnknown(word) && word.length >= TYPO_LETTERS_MIN ? 0.25 : false;
  const found = index
    .search(text, { prefix: isUnknown, fuzzy })
    .map(({ id, score, queryTerms }) => ({ id, score: score * queryTerms.length ** WORDS_TOGETHER }))
    .sort((a, b) => b.score - a.score);
  const best = found[0]?.score ?? 0;
  return found.filter(({ score }) => score >= best * SHARE_OF_BEST_MIN).map(({ id }) => tools[id]!);
}

const wordsOf = (text: string): string[] =>
  joinPhrases(plain(text.toLowerCase())).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Who asks how to call a tool does not ask for that tool. */
const withoutCalled = (tools: readonly Searchable[], query: string): string =>
  ASKS_HOW.test(query)
    ? tools.reduce((text, { name }) => text.replaceAll(name, name === query ? name : 'toolname'), query)
    : query;

const ASKS_HOW =
  /\b(how (do|to|can|should)|call|param\w*|arg\w*|options?|fields?|schema|input|output|signature|docs?|documentation|examples?|usage|takes?|expects?|accepts?|returns?)\b/i;

interface Index {
  readonly index: MiniSearch;
  /** Every root some tool has: a word of them is not misspelt. */
  readonly roots: ReadonlySet<string>;
}

/** Lists of tools never change while the process lives. */
const indexes = new WeakMap<object, Index>();

function indexOf(tools: readonly Searchable[]): Index {
  const known = indexes.get(tools);
  if (known) return known;
  const roots = new Set<string>();
  const index = new MiniSearch({
    fields: ['name', 'title', 'words', 'instead', 'summary'],
    tokenize: wordsOf,
    processTerm: rootOf,
    searchOptions: {
      boostTerm: (root) => (SAYS_LITTLE.has(root) ? 0.2 : 1),
      boost: { words: 3, instead: 0.3 },
      weights: { prefix: 0.5, fuzzy: 0.2 },
    },
  });
  for (const [id, tool] of tools.entries()) {
    const { name, title, summary, words = '' } = tool;
    const document = { id, name, title, summary, words, instead: namedByOthers(tools, name) };
    for (const word of wordsOf(Object.values(document).join(' '))) roots.add(rootOf(word) || '');
    index.add(document);
  }
  indexes.set(tools, { index, roots });
  return { index, roots };
}

/** What other tools say this one is for. */
const namedByOthers = (tools: readonly Searchable[], name: string): string =>
  tools.flatMap(({ instead }) => instead?.[name] ?? []).join(' ');

/** One for all words that mean the same here; false for a word that says nothing. */
function rootOf(word: string): string | false {
  if (SAYS_NOTHING.has(word)) return false;
  return sameWord(stemmer(word.slice(0, WORD_CHARACTERS_MAX)));
}

/** In most wishes, whatever they are for. */
const SAYS_LITTLE = new Set(
  [
    'picture',
    'show',
    'find',
    'search',
    'make',
    'use',
    'check',
    'work',
    'file',
    'tell',
    'give',
    'put',
    'look',
    'good',
    'thing',
    'right',
  ].map((word) => sameWord(stemmer(word))),
);

/** In every wish and every summary alike. */
const SAYS_NOTHING = new Set(
  `a an the this that these those it its i me my mine you your we our is are was were be been am do does did done can could
  will would shall should may might must has have had having of to in into on onto at by for from with without about as and
  or not no but if than then so please want need like some any all what how where when there here get also very just more most
  him her his she he they them their us who whom until up out off over under again still only own same too such
  der die das den dem ein eine einen von fur mit und ist im zu le la les un une de du des et pour avec el los las una por con y en
  il lo gli e di per`.split(/\s+/),
);
