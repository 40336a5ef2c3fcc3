/** What people write to a person and not to an index, in folded text: it is taken out, and what is looked for stays. */

const MAKERS = 'artists?|painters?|engravers?|photographers?|sculptors?|masters?';
const MAKING = 'painted|drawn|drew|made|created|produced|printed|taken|carved|sculpted|woven|engraved|etched';
const SHOWING = 'paint|draw|show|depict|represent|portray|imagine|picture';

/** Wordings around the thing that is looked for. */
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
/** "by Dutch artists": by the Dutch. */
const BY_MAKERS = new RegExp(`\\b(by (?:an? |the |some )?(?:[a-z]+ ){0,2}?)(?:${MAKERS})\\b`, 'g');

/** Takes the phrasing of requests out of a folded text. */
export const withoutPhrasing = (text: string): string =>
  PHRASING.reduce((rest, form) => rest.replace(form, ' '), text).replace(BY_MAKERS, '$1');

/** "but no flowers", "without people", "not by Rembrandt"; "no" alone is a kind of theatre. */
const NEGATION =
  /\b(?:without|except(?: for)?|excluding|(?:but|with|and|has|have|are|is) no|(?:but |and )?not(?: (?:of|by|in|with|from))?|zonder|ohne|sans|senza)(?: (?:any|an?|the))?\s+([\p{L}\p{N}]+)/gu;

/** Words that a sentence says it does not want, and the sentence without them. */
export function takeNegations(text: string): { readonly rest: string; readonly unwanted: readonly string[] } {
  const unwanted: string[] = [];
  const rest = text.replace(NEGATION, (_, word: string) => {
    unwanted.push(word);
    return ' ';
  });
  return { rest, unwanted };
}

/** What follows these says where something is or what is beside it. */
const OF_SETTING = new Set(
  'at in on near beside under behind before among amid around against with'.split(' '),
);
/** After these comes something of its own. */
const ANEW = new Set('which where that who while or'.split(' '));
/** A query with fewer things in it is no sentence. */
export const SENTENCE_MIN = 4;

/**
 * Places of the words that only say where or with what the thing is that was named before them, as "storm" and "clouds" in "ships in a storm with dark
 * clouds": a record that leaves them out may still be meant.
 * @param words in their order, empty ones among them
 * @param isThing whether a word names something
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
  return words.filter(isThing).length < SENTENCE_MIN ? new Set() : places;
}
