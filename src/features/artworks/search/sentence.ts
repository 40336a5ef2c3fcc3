/** Removes conversational phrasing from folded text and keeps the search terms. */

const MAKERS = 'artists?|painters?|engravers?|photographers?|sculptors?|masters?';
const MAKING = 'painted|drawn|drew|made|created|produced|printed|taken|carved|sculpted|woven|engraved|etched';
const SHOWING = 'paint|draw|show|depict|represent|portray|imagine|picture';

/** Phrasing around the search terms. */
const PHRASING: readonly RegExp[] = [
  // "I am trying to find", "we were wondering whether"
  /\b(?:i|we)(?:'m| am| was|'re| are| were) (?:trying|hoping|curious|wondering|interested|eager|keen)(?: (?:to (?:find|see|get|know|learn|have)|if|whether|how|in|about))?\b/g,
  // "could you help me find", "do you happen to have"
  /\b(?:help (?:me|us)(?: (?:to )?find)?|happen to (?:have|own|know)|is it possible to (?:find|see|get)|tell me(?: about)?|let me (?:see|have|know))\b/g,
  // "I would love", "we love"
  /\b(?:i|we) (?:would |really |do )*love\b/g,
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
  // "decorated with ships": what follows is the subject, not a setting
  /\b(?:decorated|adorned|ornamented|painted|illustrated|embroidered|engraved) with\b/g,
  // "in the style of Rembrandt", "from the school of Utrecht"; some schools have a name of their own
  /\b(?:(?:style|manner|fashion) of|school of(?! (?:fontainebleau|delft))) (?:the )?(?=[a-z])/g,
  // "the city of Amsterdam", "scenes of skating", "the story of Judith"
  /\b(?:city|town|country|region|province|island|depictions?|representations?|scenes?|views?|story|tale|image|subject|theme|moment) of (?:the )?(?=[a-z])/g,
];
/** "by Dutch artists" means by the Dutch. */
const BY_MAKERS = new RegExp(`\\b(by (?:an? |the |some )?(?:[a-z]+ ){0,2}?)(?:${MAKERS})\\b`, 'g');

/** Removes the phrasing of requests from a folded text. */
export const withoutPhrasing = (text: string): string =>
  PHRASING.reduce((rest, form) => rest.replace(form, ' '), text).replace(BY_MAKERS, '$1');

/**
 * "but no flowers", "without people", "not by Rembrandt". "no" alone is no negation: it is also a kind of
 * theatre.
 */
const NEGATION =
  /\b(?:without|except(?: for)?|excluding|(?:but|with|and|has|have|are|is) no|(?:but |and )?not(?: (?:of|by|in|with|from))?|zonder|ohne|sans|senza)(?: (?:any|an?|the))?\s+([\p{L}\p{N}]+)/gu;

/** Extracts the words that a sentence excludes, and returns the rest. */
export function takeNegations(text: string): { readonly rest: string; readonly unwanted: readonly string[] } {
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
/** Words that begin a new subject, or introduce a maker. */
const ANEW = new Set('which where that who while or by after'.split(' '));
/** A query with fewer content words is not a sentence, unless it has many other words. */
export const SENTENCE_MIN = 4;
const FEW_CONTENT_WORDS = 3;
const WORDED_MIN = 7;

/**
 * Whether a query is a sentence: "a woman at a table who writes" has only three content words.
 * @param content number of its content words
 * @param words number of all its words
 */
export const isSentence = (content: number, words: number): boolean =>
  content >= SENTENCE_MIN || (content >= FEW_CONTENT_WORDS && words >= WORDED_MIN);

/**
 * Indices of words that only describe the setting of an earlier subject, such as "storm" and "clouds" in
 * "ships in a storm with dark clouds": a record without them may still match.
 * @param words in order, including empty ones
 * @param isThing whether a word names an object
 */
export function settingPlaces(
  words: readonly string[],
  isThing: (word: string) => boolean,
): ReadonlySet<number> {
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
  return words.filter(isThing).length < FEW_CONTENT_WORDS ? new Set() : places;
}
