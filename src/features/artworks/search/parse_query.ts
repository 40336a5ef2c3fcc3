import { fold, wordsOf } from './fold.ts';
import { kindsOf, readMedium } from './kinds.ts';
import { isNumberAlone, takeYears, type YearRange } from './query_years.ts';
import { isKnown, languageOfWordings, SYNONYM_LENGTH_MAX, termsOf } from './synonyms.ts';
import type { Term } from './types.ts';

/**
 * Stop words of the languages clients query in: articles, prepositions and phrasing of requests. A stop word that is a content word in
 * another of these languages is left out: German "war" is English, French "son" is too.
 */
const EMPTY = new Set(
  (
    'a an the this that these those it its he she they we you i me my your our us his her their who which what where when how ' +
    'of in on at to for with by from into onto over under near and or but if than then so as is are was were be been being am ' +
    'has have had do does did can could may might will would shall should must not there here some any all every each another ' +
    'other others more most very please thanks about showing shows show shown showed depicting depicts depicted looking look ' +
    'looks find finding found search searching searched want wanted wants need needed needs like liked give get see seen ' +
    'something anything someone somebody them up off out away depict represent represents representing portray portrays portraying ' +
    'feature features featuring include includes including contain contains containing picture pictures image images work works art artwork artworks piece pieces example ' +
    'during through throughout across along beside besides behind beneath between among amongst around against above below within toward towards ' +
    'while whilst together after before until upon ' +
    'examples kind suitable use using decorate thing things really also just called named entitled titled famous beautiful nice ' +
    'de het een van der den des en te ter ten op met dat dit deze die is zijn wat waar wie hoe ik wil zoek zoeken toon laat zien ' +
    'werk werken afbeelding afbeeldingen le la les l un une du d et au aux dans sur avec pour par je cherche veux montre moi oeuvre oeuvres ' +
    'das dem ein eine einen einem einer und oder mit von vom zu zum zur im ich suche mir zeige bild bilder el los las una y con por ' +
    'para del busco quiero obra obras il lo gli dei della delle degli di e che cerco voglio opera opere'
  ).split(' '),
);

const isEmpty = (word: string): boolean => EMPTY.has(word);

/** A parsed query. */
export interface ParsedQuery {
  /** Every group must match, by any of its terms. The typed term comes first. */
  readonly groups: readonly (readonly Term[])[];
  /** Terms that must not match: those after a minus, and all equivalents of what a sentence excludes. */
  readonly excluded: readonly Term[];
  readonly years?: YearRange;
  /** The date as typed. */
  readonly yearsSaid?: string;
}

const PLACES_FOR_ART =
  'walls?|rooms?|bedroom|kitchen|bathroom|office|hall|hallway|home|house|hotel|restaurant|cafe|shop|nursery|' +
  'blog|article|essay|books?|cover|poster|website|web page|page|presentation|slides?|lecture|class|lesson|school|project|calendar|' +
  'card|invitation|exhibition|mug|shirt|puzzle|wallpaper|gift|present|birthday|wedding';
/** Intended use of a work, up to the end of the sentence: "for my living room", "for the cover of a book". */
const PURPOSE = new RegExp(
  `\\b(?:for|in|on|above|over|to) (?:my|our)\\b[^,.;"]*|\\bfor (?:an?|the|use [io]n an?) (?:[a-z]+ ){0,3}?(?:${PLACES_FOR_ART})\\b[^,.;"]*`,
  'g',
);

/** Further words are ignored. Must stay below the 30 bits of match.ts. */
const WORDS_MAX = 16;
const PHRASE = /(-?)"([^"]*)"/g;

/**
 * Parses a query. Quotes keep words together, a minus excludes, dates become years ("1880s", "before 1700",
 * "17th century"). All other text is searched, so no query is invalid.
 */
export function parseQuery(query: string): ParsedQuery {
  const excluded: Term[] = [];
  const phrases: string[] = [];
  const unquoted = fold(query).replace(PHRASE, (_, minus: string, text: string) => {
    const phrase = wordsOf(text).join(' ');
    if (phrase && minus) excluded.push({ text: phrase });
    else if (phrase) phrases.push(phrase);
    return ' ';
  });
  const typed = unquoted.replace(/(^|\s)-([\p{L}\p{N}]+)/gu, (_, __, word: string) => {
    excluded.push({ text: word });
    return ' ';
  });
  const { rest: included, unwanted } = takeNegations(typed);
  excluded.push(...unwanted.flatMap(meaning));
  const worded = included
    .split(/\s+/)
    .filter((word) => {
      // Digits within a number are not a date: 1909 in RP-P-1909-118.
      if (!isNumberAlone(word)) return true;
      phrases.push(wordsOf(word).join(' '));
      return false;
    })
    .join(' ');
  // Dates before phrasing, so that "made before 1700" is recognised as a whole.
  const { rest, years, said } = takeYears(withoutPhrasing(worded));
  const all = withAlternatives(withRoles(groupWords(wordsOf(withoutPurpose(rest)))));
  const telling = all.filter(([first]) => !isEmpty(first!.text));
  const groups = telling.length + phrases.length > 0 || years ? telling : all;
  return {
    groups: [...phrases.map((text) => [{ text, isQuoted: true } as const]), ...groups].slice(0, WORDS_MAX),
    excluded: excluded.slice(0, WORDS_MAX),
    ...(years && { years, yearsSaid: said ?? '' }),
  };
}

/** Equivalents of an excluded word, and what it stands for: "without people" also excludes women. */
const meaning = (word: string): Term[] =>
  termsOf(word, languageOfWordings([word])).filter(({ isRelated, period }) => !isRelated && !period);

/** For a sentence: marks the requested type of work, its main subject, and settings. */
function withRoles(groups: readonly Term[][]): Term[][] {
  const typed = groups.map(([first]) => first!.text);
  const isThing = (text: string) => !isEmpty(text) && !isDescriptive({ text });
  if (typed.filter((text) => !isEmpty(text)).length < SENTENCE_MIN) return [...groups];
  const settings = settingPlaces(typed, isThing);
  const subject = typed.findIndex((text) => isThing(text) && !isTechnique(text) && !isVerb({ text }));
  const kind = typed.findIndex((text) => !isEmpty(text) && (isKind(text) || isThing(text)));
  return groups.map((terms, at) => {
    const [first, ...others] = terms;
    if (at === kind && isKind(first!.text)) return kindAsked(terms);
    if (settings.has(at)) return [{ ...first!, isSetting: true }, ...others];
    return at === subject ? [{ ...first!, isSubject: true }, ...others] : [...terms];
  });
}

/**
 * "prints" are works of that kind, whatever their records say; "woodblock print" must occur in the medium or
 * type of object.
 */
function kindAsked(terms: readonly Term[]): Term[] {
  const { kinds, words } = readMedium(terms[0]!.text);
  return words === ''
    ? [{ text: terms[0]!.text, kinds }]
    : terms.map((term) => ({ ...term, isMedium: true as const }));
}

/** Merges alternatives: "wedding or fair", "beggar or beggars". */
function withAlternatives(groups: readonly (readonly Term[])[]): (readonly Term[])[] {
  const joined: (readonly Term[])[] = [];
  for (const [at, terms] of groups.entries()) {
    const before = groups[at - 1]?.[0]?.text === 'or' ? joined.at(-2) : undefined;
    const isTold = before && !isEmpty(before[0]!.text) && !isEmpty(terms[0]!.text);
    if (isTold) joined.splice(-2, 2, [...before, ...terms]);
    else joined.push(terms);
  }
  return joined;
}

/** Removes the purpose, unless nothing else is left. */
function withoutPurpose(text: string): string {
  const rest = text.replace(PURPOSE, ' ');
  return wordsOf(rest).every(isEmpty) ? text : rest;
}

/** Content words of a text, wording by wording, each with its equivalents. */
export const groupsOfWords = (text: string): Term[][] =>
  groupWords(wordsOf(fold(text)))
    .filter(([first]) => !isEmpty(first!.text))
    .slice(0, WORDS_MAX);

/** Finds the longest known wordings, so that "still life" is one concept and "da Vinci" a person. */
function groupWords(words: readonly string[]): Term[][] {
  const wordings: string[] = [];
  let at = 0;
  while (at < words.length) {
    let length = Math.min(SYNONYM_LENGTH_MAX, words.length - at);
    const wording = () => words.slice(at, at + length).join(' ');
    while (length > 1 && !isKnown(wording())) length -= 1;
    wordings.push(wording());
    at += length;
  }
  const language = languageOfWordings(wordings.filter((words) => !isEmpty(words)));
  const groups = wordings.map((words) => termsOf(words, language));
  return groups.map((terms, at) => (isNamedBeside(terms, groups, at) ? terms.filter(isNotNarrower) : terms));
}

const isNotNarrower = ({ isNarrower }: Term): boolean => !isNarrower;

/** In "crane bird", the general word selects the meaning of the specific one. */
const isNamedBeside = (terms: readonly Term[], groups: readonly (readonly Term[])[], at: number): boolean =>
  terms.some(
    ({ text, isNarrower }) =>
      isNarrower && groups.some((other, place) => place !== at && other.some((term) => term.text === text)),
  );

/** Removes conversational phrasing from folded text and keeps the search terms. */

const MAKERS = 'artists?|painters?|engravers?|photographers?|sculptors?|masters?';
const MAKING = 'painted|drawn|drew|made|created|produced|printed|taken|carved|sculpted|woven|engraved|etched';
const SHOWING = 'paint|draw|show|depict|represent|portray|imagine|picture';

/** Phrasing around the search terms. */
const PHRASING: readonly RegExp[] = [
  // "I'd love to see", "we would like"
  /\b(?:i|we)(?:'| woul)?d (?:really )?(?:love|like|prefer)\b(?: to (?:see|have|find|get|buy|look at|know))?/g,
  // "who painted", "which artists drew", "how did artists show"
  new RegExp(
    `\\b(?:who|(?:which|what|how (?:did|do|have)) (?:the )?(?:[a-z]+ )?(?:${MAKERS}))(?: ever)? (?:${MAKING}|${SHOWING})\\b`,
    'g',
  ),
  // "painted before 1700", "made in China", "taken by"
  new RegExp(
    `\\b(?:${MAKING}) (?=(?:by|in|on|at|of|out of|with|before|after|around|about|between|during|from|since|until|up to)\\b)`,
    'g',
  ),
  // "in the style of Rembrandt", "from the school of Utrecht"; some schools have a name of their own
  /\b(?:(?:style|manner|fashion) of|school of(?! (?:fontainebleau|delft))) (?:the )?(?=[a-z])/g,
  // "the city of Amsterdam", "scenes of skating", "the story of Judith"
  /\b(?:city|town|country|region|province|island|depictions?|representations?|scenes?|views?|story|tale|image|subject|theme|moment) of (?:the )?(?=[a-z])/g,
];
/** "by Dutch artists" means by the Dutch. */
const BY_MAKERS = new RegExp(`\\b(by (?:an? |the |some )?(?:[a-z]+ ){0,2}?)(?:${MAKERS})\\b`, 'g');

/** Removes the phrasing of requests from a folded text. */
const withoutPhrasing = (text: string): string =>
  PHRASING.reduce((rest, form) => rest.replace(form, ' '), text).replace(BY_MAKERS, '$1');

/**
 * "but no flowers", "without people", "not by Rembrandt". "no" alone is no negation: it is also a kind of
 * theatre.
 */
const NEGATION =
  /\b(?:without|except(?: for)?|excluding|(?:but|with|and|has|have|are|is) no|(?:but |and )?not(?: (?:of|by|in|with|from))?|zonder|ohne|sans|senza)(?: (?:any|an?|the))?\s+([\p{L}\p{N}]+)/gu;

/** Extracts the words that a sentence excludes, and returns the rest. */
function takeNegations(text: string): { readonly rest: string; readonly unwanted: readonly string[] } {
  const unwanted: string[] = [];
  const rest = text.replace(NEGATION, (_, word: string) => {
    unwanted.push(word);
    return ' ';
  });
  return { rest, unwanted };
}

/** Words that introduce a setting or accessory. */
const OF_SETTING = new Set(
  'at in on near beside under behind before among amid around against with'.split(' '),
);
/** Words that begin a new subject. */
const ANEW = new Set('which where that who while or'.split(' '));
/** A query with fewer content words is not a sentence. */
export const SENTENCE_MIN = 4;

/**
 * Indices of words that only describe the setting of an earlier subject, such as "storm" and "clouds" in
 * "ships in a storm with dark clouds": a record without them may still match.
 * @param words in order, including empty ones
 * @param isThing whether a word names an object
 */
function settingPlaces(words: readonly string[], isThing: (word: string) => boolean): ReadonlySet<number> {
  const places = new Set<number>();
  let isNamed = false;
  let isSetting = false;
  for (const [at, word] of words.entries()) {
    if (OF_SETTING.has(word)) isSetting = isNamed;
    else if (ANEW.has(word)) isSetting = false;
    else if (isThing(word)) {
      if (isSetting) places.add(at);
      isNamed = true;
    }
  }
  return words.filter(isThing).length < SENTENCE_MIN ? new Set() : places;
}

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
const isKind = (words: string): boolean => readMedium(words.split(' ').at(-1)!).kinds !== 0;

/** Whether a technique or material implies the kind of a work: "etching", "charcoal". */
const isTechnique = (words: string): boolean => kindsOf({ classification: '', medium: words }) !== 0;
