import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { MUSEUM_NAMES } from '../features/artworks/museums/museums.ts';
import type { AnyContract } from '../features/definitions/tool.ts';

/**
 * Synonyms: one root per line, in the most common languages of clients. Includes irregular verbs, and synonyms of the objects,
 * actions and places of the tools; ambiguous words are in neither line.
 */
const sameWord = (root: string): string => SAME.get(root) ?? root;

const LINES = `
picture image photo photograph pic img snapshot snap bild foto imagen immagine fotografia
background backdrop hintergrund fond arriere fondo sfondo
color colour hue shade tint tone farbe farben couleur couleurs colores colori
small smaller shrink downscale downsize reduce verkleinern reduire reducir ridurre
large larger big bigger huge enlarge upscale magnify vergrossern agrandir ampliar ingrandire
blurry blur blurred pixelated pixelate unsharp grainy unscharf flou borroso
sharp sharpen crisp crisper
cutout freistellen detourer recortar ritagliare
remove entfernen enlever supprimer quitar rimuovere
delete erase discard trash loschen effacer borrar cancellare
save keep kept store put speichern enregistrer guardar salvare
load retrieve fetch download
list listing overview liste lista
file document datei fichier archivo
print printed printing printer drucken imprimer imprimir stampare
poster plakat affiche cartel manifesto
shirt tshirt hoodie sweater jumper apparel clothing clothes garment
bag tote tasche
mug cup tasse taza tazza
wall room sofa couch interior apartment home bedroom office hang hanging hung
describe beschreiben decrire describir descrivere
keyword tag hashtag schlagwort
metadata exif iptc xmp
watermark wasserzeichen filigrane filigrana
hide hid hidden secret secretly invisible invisibly conceal covert covertly
read decode detect extract
steal stole stolen theft plagiarism repost reposted
fake deepfake photoshopped manipulated forged genuine authentic real trust trustworthy
ai artificial generated generative
date time timestamp
prove proof evidence
search find found look suchen chercher buscar cercare
painting paintings gemalde tableau cuadro dipinto quadro
art kunst
museum gallery collection musee museo
meaning explain symbol symbolism story interpretation interpret
dataset corpus
bulk hundreds thousands thousand batch mass
law legal regulation regulator regulatory act
disclose disclosure report paperwork documentation declaration
train training trained
permanent permanently forever eternal eternity lasting century centuries decade decades
blockchain arweave ipfs
wallet account konto compte cuenta conto
join start signup
earlier yesterday ago previous previously
later tomorrow
credit credits money coin coins fund funds balance budget guthaben solde saldo
spend spent spending expense expenses
pay paid payment
tool function feature endpoint capability
parameter argument option expect accept
network algorithm
compare comparison versus best winner
vector svg vectorise vectorize
draw drew drawn drawing sketch zeichnung dessin dibujo disegno
write wrote written
make made create produce
take took taken
give gave given
send sent
sell sold
buy bought purchase
show shown display
lose lost
forget forgot forgotten
begin began begun
author artist painter maker
licence license permission allowed permitted
phone smartphone iphone
colorize colorise colourize colourise
`;

/** Strips diacritics, so that queries without them match. */
const plain = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '');

const SAME = new Map(
  LINES.trim()
    .split('\n')
    .flatMap((line) => {
      const [first, ...others] = line.split(' ').map(stemmer);
      return others.map((root) => [root, first!] as const);
    }),
);

/** Joins phrases whose words only have meaning together. */
const joinPhrases = (text: string): string =>
  PHRASES.reduce((said, [phrase, word]) => said.replaceAll(phrase, word), text);

const PHRASES: readonly (readonly [phrase: RegExp, word: string])[] = [
  [new RegExp(`\\b(${MUSEUM_NAMES.join('|')})_[\\w.-]+`, 'g'), 'workid'],
  [/\b0x[0-9a-f]{40}\b/g, 'walletaddress'],
  [
    /,? (and )?(then|after that|afterwards)\b|\bin (one|a single) (go|step|call|request)\b|\bat once\b/g,
    ' afterwards',
  ],
  [
    /\b(?!1\b)(\d+|two|three|four|five|six|ten|dozen|dozens of|twenty|fifty|many|multiple) (pictures|photos|images|files)\b/g,
    'several pictures',
  ],
  [/\b(for|in) (\w+ ){0,2}(years|decades|centuries)\b/g, 'permanent'],
  [
    /\b(is|was) (this|that|it|the)( \w*(image|picture|photo))? (an? )?(ai|fake|real|made|generated|genuine|copy|stolen)\b/g,
    'authenticity $5',
  ],
  [/\bcut(ting)? (\w+ ){0,3}out\b/g, 'cutout $2'],
  [/\bget(ting)? rid of\b/g, 'remove'],
  [/\b(no|any|not) (longer|more)\b/g, 'unneeded'],
  [/\b[ab][0-6]\b/g, 'papersize'],
  [/\b\d+ ?(mm|cm|inch|inches)\b/g, 'papersize'],
  [/\b\d+ ?(px|pixels?)\b|\b\d{2,} ?(x|by) ?\d{2,}\b/g, 'dimensions'],
  [/\b(how|what) (do|can|should) (i|we) (start|begin|use|do)\b/g, 'help'],
  [/\b(every|each|all|several|different) (\w*(model|network|upscaler|enlarger)s?)\b/g, 'compare $2'],
  [/\blast (time|week|month|night)\b/g, 'earlier'],
  [/\bnext (time|week|month)\b/g, 'later'],
  [/\b(which|what|all|my|of the) (\w+ )?(files|assets|uploads)\b/g, 'list files'],
  [/\bblow(ing|n)? up\b/g, 'enlarge'],
  [/\bsign(ing)? (up|in)\b/g, 'signup'],
  [
    /\b(make|draw|create|generate|paint|design)( me)? an? (picture|image|illustration|painting|drawing) (of|with)\b/g,
    'newpicture',
  ],
  [/\btext[- ]to[- ](image|picture)\b/g, 'texttoimage'],
  [/\b(make|let) (\w+ ){1,3}look like\b|\bin the style of\b/g, 'restyle'],
  [/\banimate (an?|the|this|my) (still )?/g, 'animation still '],
  [/\bnews\b/g, 'headlines'],
  [/\bwhat is (shown )?(in|on) (this|the|a|my) (picture|photo|image)\b/g, 'describe picture'],
];

type Searchable = Pick<AnyContract, 'name' | 'title' | 'summary' | 'words' | 'instead'>;

const WORD_CHARACTERS_MAX = 40;
const WORDS_MAX = 20;
/** Minimum length of a prefix match; shorter words are prefixes of too many others. */
const PREFIX_LETTERS_MIN = 4;
/** Minimum length of a typo match. */
const TYPO_LETTERS_MIN = 5;
/** Results below this share of the best score are dropped as noise. */
const SHARE_OF_BEST_MIN = 0.35;
/** Weight of several matching words in one tool. */
const WORDS_TOGETHER = 0.3;

/**
 * Tools for a query, best first (BM25+), independent of word order, case and inflection. Rare words weigh more. Only unknown words
 * are matched as prefixes or typos.
 */
export function searchTools<T extends Searchable>(tools: readonly T[], query: string): T[] {
  if (wordsOf(query).length === 0) return [...tools];
  const found = rank(indexOf(tools), withoutCalled(tools, query));
  const best = found[0]?.score ?? 0;
  return found.filter(({ score }) => score >= best * SHARE_OF_BEST_MIN).map(({ id }) => tools[id]!);
}

interface Found {
  /** Index of the tool in the indexed list. */
  readonly id: number;
  readonly score: number;
  /** Matching roots of the query, including prefixes and typos. */
  readonly roots: readonly string[];
}

/** All tools that match a word of the query, best first. */
function rank({ index, frequencies }: Index, query: string): Found[] {
  const text = wordsOf(query).slice(0, WORDS_MAX).join(' ');
  const isUnknown = (word: string): boolean => word.length >= PREFIX_LETTERS_MIN && !frequencies.has(word);
  const fuzzy = (word: string): number | false =>
    isUnknown(word) && word.length >= TYPO_LETTERS_MIN ? 0.25 : false;
  return index
    .search(text, { prefix: isUnknown, fuzzy })
    .map(({ id, score, queryTerms }) => ({
      id,
      score: score * queryTerms.length ** WORDS_TOGETHER,
      roots: queryTerms,
    }))
    .sort((a, b) => b.score - a.score);
}

/** How well a query fits the tools, and the topics that none of them covers. */
interface Fit<Topic> {
  /** The topic that fits better than any tool; undefined if a tool fits better. */
  readonly topic: Topic | undefined;
  /** Share of the query that the best tool matches, from 0 to 1; words are weighted by rarity. */
  readonly coverage: number;
}

/**
 * Whether a query belongs to a topic outside the catalogue, and how much of it the best tool matches.
 * @param topics like tools, with `name` and `words`
 */
export function fitOf<Topic extends Searchable>(
  tools: readonly Searchable[],
  topics: readonly Topic[],
  query: string,
): Fit<Topic> {
  if (rootsOf(query).length === 0) return { topic: undefined, coverage: 1 };
  const index = combined(tools, topics);
  const found = rank(index, query);
  // A typo, or a word of most requests, does not identify a topic.
  const tells = (root: string) => index.frequencies.has(root) && !SAYS_LITTLE.has(root);
  const topic = found.find(({ id, roots: had }) => id >= tools.length && had.some(tells));
  const tool = found.find(({ id }) => id < tools.length);
  const isTopical = topic !== undefined && topic.score > (tool?.score ?? 0);
  return {
    topic: isTopical ? topics[topic.id - tools.length] : undefined,
    coverage: coverageOf(indexOf(tools), query),
  };
}

const combinations = new WeakMap<object, WeakMap<object, Index>>();

function combined(tools: readonly Searchable[], topics: readonly Searchable[]): Index {
  const known = combinations.get(tools) ?? new WeakMap<object, Index>();
  combinations.set(tools, known);
  const index = known.get(topics) ?? indexOf([...tools, ...topics]);
  known.set(topics, index);
  return index;
}

/** Weight of the roots that the best tool matches, as a share of all. */
function coverageOf(index: Index, query: string): number {
  const [best] = rank(index, query);
  const roots = new Set(rootsOf(query));
  const sum = (some: Iterable<string>) => [...some].reduce((total, root) => total + weightOf(index, root), 0);
  return best ? sum(best.roots.filter((root) => roots.has(root))) / sum(roots) : 0;
}

/** Rarity among the tools, as in BM25; half for words that occur in most requests. */
function weightOf({ frequencies, size }: Index, root: string): number {
  const count = frequencies.get(root) ?? 0;
  const rarity = Math.log(1 + (size - count + 0.5) / (count + 0.5));
  return SAYS_LITTLE.has(root) ? 0.2 * rarity : rarity;
}

const wordsOf = (text: string): string[] =>
  joinPhrases(plain(text.toLowerCase())).match(/[\p{L}\p{N}]+/gu) ?? [];

/** A question about how to call a tool is not a request for that tool. */
const withoutCalled = (tools: readonly Searchable[], query: string): string =>
  ASKS_HOW.test(query)
    ? tools.reduce((text, { name }) => text.replaceAll(name, name === query ? name : 'toolname'), query)
    : query;

const ASKS_HOW =
  /\b(how (do|to|can|should)|call|param\w*|arg\w*|options?|fields?|schema|input|output|signature|docs?|documentation|examples?|usage|takes?|expects?|accepts?|returns?)\b/i;

interface Index {
  readonly index: MiniSearch;
  /** Number of documents that contain a root. A root in no document may be misspelt. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** Number of documents. */
  readonly size: number;
}

/** Cached per list, because tool lists are constant for the process. */
const indexes = new WeakMap<object, Index>();

function indexOf(tools: readonly Searchable[]): Index {
  const known = indexes.get(tools);
  if (known) return known;
  const frequencies = new Map<string, number>();
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
    for (const root of new Set(wordsOf(Object.values(document).join(' ')).map((word) => rootOf(word) || '')))
      frequencies.set(root, (frequencies.get(root) ?? 0) + 1);
    index.add(document);
  }
  const made = { index, frequencies, size: tools.length };
  indexes.set(tools, made);
  return made;
}

/** Purposes of a tool, as described by other tools. */
const namedByOthers = (tools: readonly Searchable[], name: string): string =>
  tools.flatMap(({ instead }) => instead?.[name] ?? []).join(' ');

/** Root of a word; false for a stop word. */
function rootOf(word: string): string | false {
  if (SAYS_NOTHING.has(word)) return false;
  return sameWord(stemmer(word.slice(0, WORD_CHARACTERS_MAX)));
}

/** Roots of the words of a query. */
const rootsOf = (query: string): string[] =>
  wordsOf(query)
    .slice(0, WORDS_MAX)
    .flatMap((word) => rootOf(word) || []);

/** Low-weight words, frequent in all queries. */
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

/** Stop words of queries and summaries. */
const SAYS_NOTHING = new Set(
  `a an the this that these those it its i me my mine you your we our is are was were be been am do does did done can could
  will would shall should may might must has have had having of to in into on onto at by for from with without about as and
  or not no but if than then so please want need like some any all what how where when there here get also very just more most
  him her his she he they them their us who whom until up out off over under again still only own same too such
  der die das den dem ein eine einen von fur mit und ist im zu le la les un une de du des et pour avec el los las una por con y en
  il lo gli e di per`.split(/\s+/),
);
