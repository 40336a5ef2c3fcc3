import { isDescriptive, isKind, isTechnique, isVerb } from './descriptive_terms.ts';
import { fold, wordsOf } from './fold.ts';
import { readMedium } from './kinds.ts';
import { isNumberAlone, takeYears, withNegativeYears, type YearRange } from './query_years.ts';
import { isSentence, settingPlaces, takeNegations, withoutPhrasing } from './sentence.ts';
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
  /** A whole sentence: works may lack some of its words. */
  readonly isSentence?: true;
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
  const unquoted = withNegativeYears(fold(query)).replace(PHRASE, (_, minus: string, text: string) => {
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
  const wordings = groupWords(wordsOf(withoutPurpose(rest)));
  const content = wordings.filter(([first]) => !isEmpty(first!.text)).length;
  const isWhole = isSentence(content, wordsOf(unquoted).length);
  const all = withAlternatives(isWhole ? withRoles(wordings, properNames(query)) : wordings);
  const telling = all.filter(([first]) => !isEmpty(first!.text));
  const groups = telling.length + phrases.length > 0 || years ? telling : all;
  return {
    groups: [...phrases.map((text) => [{ text, isQuoted: true } as const]), ...groups].slice(0, WORDS_MAX),
    excluded: excluded.slice(0, WORDS_MAX),
    ...(isWhole && { isSentence: true }),
    ...(years && { years, yearsSaid: said ?? '' }),
  };
}

/** Equivalents of an excluded word, and what it stands for: "without people" also excludes women. */
const meaning = (word: string): Term[] =>
  termsOf(word, languageOfWordings([word])).filter(({ isRelated, period }) => !isRelated && !period);

/** Words with a capital within a sentence: names of people and places, which are never incidental. */
function properNames(query: string): ReadonlySet<string> {
  if (!/\p{Ll}/u.test(query)) return new Set();
  const names = query.match(/(?<=\S\s+)\p{Lu}[\p{L}\p{M}'’-]*/gu) ?? [];
  return new Set(wordsOf(fold(names.join(' '))));
}

/** For a sentence: marks the requested type of work, its main subject, and settings. */
function withRoles(groups: readonly Term[][], names: ReadonlySet<string>): Term[][] {
  const typed = groups.map(([first]) => first!.text);
  const isThing = (text: string) => !isEmpty(text) && !isDescriptive({ text });
  const settings = settingPlaces(typed, isThing);
  const subject = typed.findIndex((text) => isThing(text) && !isTechnique(text) && !isVerb({ text }));
  const kind = typed.findIndex((text) => !isEmpty(text) && (isKind(text) || isThing(text)));
  const isProper = (text: string) => wordsOf(text).every((word) => names.has(word));
  return groups.map((terms, at) => {
    const [first, ...others] = terms;
    if (at === kind && isKind(first!.text)) return kindAsked(terms);
    if (settings.has(at) && !isProper(first!.text)) return [{ ...first!, isSetting: true }, ...others];
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
