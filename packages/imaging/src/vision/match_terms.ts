import type { Term } from './vocabulary.ts';

/** Maps free text to a term of the vocabulary. Undefined if no term matches. */
export type MatchTerm = (words: string) => Term | undefined;

/**
 * Matches free text to terms of a vocabulary: "Sailboats" to "sailing boat", "two grey cats" to "cat". Never by the last word alone, because a teddy
 * bear is not a bear: only counts, sizes and colours may precede a term, and terms that contain them are tried first.
 */
export function termMatcher(vocabulary: ReadonlyMap<string, Term>): MatchTerm {
  const known = new Map<string, Term>();
  for (const term of vocabulary.values()) {
    const name = plainOf(term.term);
    known.set(name, term);
    if (!known.has(singularOf(name))) known.set(singularOf(name), term);
  }
  const find = (name: string): Term | undefined => {
    const singular = singularOf(name);
    const synonym = Object.hasOwn(SYNONYMS, singular) ? SYNONYMS[singular]! : '';
    return known.get(name) ?? known.get(singular) ?? known.get(synonym);
  };
  return (words) => {
    let name = plainOf(words);
    while (name) {
      const term = find(name);
      if (term) return term;
      const [first = '', ...rest] = name.split(' ');
      if (!BESIDE.has(first)) return undefined;
      name = rest.join(' ');
    }
    return undefined;
  };
}

/** Normalises to lower case, British spelling, and spaces for other characters. */
const plainOf = (words: string): string =>
  words
    .normalize('NFKD')
    .replaceAll(/\p{M}|['’]s?\b/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => (Object.hasOwn(BRITISH, word) ? BRITISH[word] : word))
    .join(' ');

/** The head noun in the singular: "flock" for "flocks of birds", otherwise the last word. */
function singularOf(name: string): string {
  const [, head = '', of = ''] = /^(.*?)( (?:of|with|in|on) .*)?$/.exec(name)!;
  const words = head.split(' ');
  return `${[...words.slice(0, -1), singularWord(words.at(-1)!)].join(' ')}${of}`;
}

function singularWord(word: string): string {
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word]!;
  if (/(?:ss|us|is)$/.test(word) || word.length < 4) return word;
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(?:ch|sh|x|ss|zz|o)es$/.test(word)) return word.replace(/es$/, '');
  return word.replace(/s$/, '');
}

const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  men: 'man',
  women: 'woman',
  children: 'child',
  mice: 'mouse',
  geese: 'goose',
  feet: 'foot',
  teeth: 'tooth',
  leaves: 'leaf',
  wolves: 'wolf',
  knives: 'knife',
  loaves: 'loaf',
  calves: 'calf',
  sheaves: 'sheaf',
  shelves: 'shelf',
  thieves: 'thief',
  oxen: 'ox',
  fishermen: 'fisherman',
  horsemen: 'horseman',
  noblemen: 'nobleman',
  shoes: 'shoe',
  canoes: 'canoe',
  churches: 'church',
  movies: 'movie',
  cookies: 'cookie',
  pies: 'pie',
  ties: 'tie',
};

const BRITISH: Readonly<Record<string, string>> = {
  gray: 'grey',
  color: 'colour',
  colors: 'colours',
  harbor: 'harbour',
  harbors: 'harbours',
  armor: 'armour',
  jewelry: 'jewellery',
  plow: 'plough',
  theater: 'theatre',
  center: 'centre',
  watercolor: 'watercolour',
  watercolors: 'watercolours',
  tire: 'tyre',
  mustache: 'moustache',
};

/** Synonyms of the terms. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  sailboat: 'sailing boat',
  seashore: 'beach',
  seaside: 'beach',
  ocean: 'sea',
  wood: 'forest',
  woodland: 'forest',
  airplane: 'aircraft',
  plane: 'aircraft',
  automobile: 'car',
  bike: 'bicycle',
  motorbike: 'motorcycle',
  human: 'person',
  figure: 'person',
  lady: 'woman',
  gentleman: 'man',
  infant: 'baby',
  kid: 'child',
  cockerel: 'rooster',
  bunny: 'rabbit',
  doggy: 'dog',
  kitty: 'cat',
  settee: 'sofa',
  seaport: 'harbour',
  'human figure': 'person',
  'ship at sea': 'ship',
  'mountain range': 'mountain',
};

/** Words that may precede a term without changing its meaning. */
const BESIDE: ReadonlySet<string> = new Set(
  `a an the some several many few two three four five six seven eight nine ten single lone pair group of
  small little tiny large big great tall long short old young ancient distant
  red orange yellow green blue purple pink brown black white grey golden silver dark light pale bright`.split(
    /\s+/,
  ),
);
