import { oneLine } from './given.ts';

/** Stop words. */
const EMPTY_WORDS = new Set(
  'about above across actually after again against all along also among and another any are around away because been before behind being below beside between both but called can cannot could created does done down during each either ever every few first for from full further get has have having here his her hers how image into its itself just kept last left like low made make makes making many may might more most much must near never not now off often once one only onto other our out over own painted painting photo photograph picture please put quite really right same seen set she should show showing shown shows side since some such taken takes than that the their them then there these they thing things this those though three through till too took toward towards two under until upon used using very was way well were what when where which while who whose why will with within without work would yet you your'.split(
    ' ',
  ),
);

/** Beginnings of sentences that request something or state a purpose instead of describing the image. */
const ASKING =
  /^(?:please|ignore|forget|disregard|write|make|create|give|generate|describe|use|add|do not|don['’]t|never|always|say|tell|let|keep|avoid|include|mention|focus|(?:i|we|you)\b|for\b|cover\b|this is for|to be\b|need\b|must\b|should\b|your\b|target|audience|seo|keywords?\b|titles?\b|alt\b)/iu;
/** Beginnings of sentences that describe how the work was made, not its subject. */
const MAKING =
  /^(?:this (?:was|is) )?(?:taken|shot|painted|photographed|drawn|made|printed|created|captured|commissioned|signed|scanned|exhibited|part of)\b/iu;
/** Phrases about the image that precede its subject. */
const LEAD_IN =
  /^(?:(?:this|the|an?)\s+)?(?:image|picture|photo(?:graph)?|painting|drawing|print|work|artwork|illustration|scene|it)\s+(?:shows|depicts|portrays|is of|represents|features|of)\s+/iu;

/** The sentences of a text, each on one line, without the full stop at its end. */
export const sentencesOf = (text: string): string[] =>
  oneLine(text)
    .split(/(?<=[.!?…]["”’)]?)\s+(?=["“‘(]?[\p{Lu}\p{N}])|(?<=[。！？])/u)
    .map((sentence) => sentence.trim().replace(/[.]$/u, ''))
    .filter((sentence) => /\p{L}/u.test(sentence));

/** The descriptive sentences of a brief, those about the making last. Drops requests. */
export function tellingSentences(context: string): string[] {
  const telling = sentencesOf(context)
    .filter((sentence) => !ASKING.test(sentence) && isSentence(sentence))
    .map((sentence) => startLarge(sentence.replace(LEAD_IN, '')));
  const isMaking = (sentence: string) => MAKING.test(sentence);
  return [...telling.filter((sentence) => !isMaking(sentence)), ...telling.filter(isMaking)];
}

/** A single word is not a sentence, except in scripts without spaces. */
const isSentence = (sentence: string): boolean => /\s/u.test(sentence) || /\p{Lo}/u.test(sentence);

const startLarge = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const TITLE_CHARACTERS_MAX = 70;

/** Title from the first part of the brief's first descriptive sentence. Undefined if there is none or it is too long. */
export function titleFromContext(context: string): string | undefined {
  for (const sentence of tellingSentences(context)) {
    if (MAKING.test(sentence)) continue;
    const [part = ''] = sentence.split(/[,;:–—]\s|\s(?:that|which|who|while|because|and then|as)\s/u);
    if ([...part].length >= 4 && [...part].length <= TITLE_CHARACTERS_MAX)
      return part.replace(/[!?…。！？]+$/u, '');
  }
  return undefined;
}

const WORDS_MAX = 10;
const NAMES_MAX = 5;
/** "Vincent van Gogh", "Lake of the Woods", "Paris"; not the first word of a sentence, which is always capitalised. */
const NAME =
  /(?<=[^.!?…\s]\s)\p{Lu}[\p{L}\p{M}'’-]+(?:\s(?:(?:van|von|der|den|de|da|di|du|la|le|el|al|of|the)\s){0,2}\p{Lu}[\p{L}\p{M}'’-]+)*|\p{Lu}[\p{Ll}\p{M}'’-]+(?:\s(?:(?:van|von|der|den|de|da|di|du|la|le|of|the)\s){0,2}\p{Lu}[\p{L}\p{M}'’-]+)+/gu;
const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const IS_MONTH = new RegExp(`^(?:${MONTHS})$`, 'u');
const DATE = new RegExp(`(?:\\b(?:${MONTHS}) )?\\b(?:1[0-9]{3}|20[0-9]{2})\\b`, 'gu');

/** Search keywords: names and dates of a brief first, then subjects and actions from its descriptive sentences. */
export function contextKeywords(context: string): string[] {
  const sentences = tellingSentences(context);
  const names = sentences
    .flatMap((sentence) => sentence.match(NAME) ?? [])
    .map(dropArticle)
    .filter((name) => !IS_MONTH.test(name))
    .slice(0, NAMES_MAX);
  const dates = sentences.flatMap((sentence) => sentence.match(DATE) ?? []).slice(0, 2);
  const named = new Set([...names, ...dates].flatMap((name) => name.toLowerCase().split(' ')));
  const words = sentences
    .flatMap((sentence) => sentence.toLowerCase().match(/\p{L}[\p{L}\p{M}'’-]{2,30}/gu) ?? [])
    .filter((word) => !EMPTY_WORDS.has(word) && !named.has(word));
  return [...new Set([...names, ...dates, ...words.slice(0, WORDS_MAX)])];
}

const dropArticle = (name: string): string => name.replace(/^(?:The|An?|In|On|At|By|From|With)\s/u, '');

/** As many sentences as fit into the limit, in order. Truncates the first one between words if necessary. */
export function fitSentences(sentences: readonly string[], charactersMax: number): string {
  let text = '';
  for (const sentence of sentences) {
    const longer = [text, closeSentence(sentence)].filter(Boolean).join(' ');
    if ([...longer].length <= charactersMax) text = longer;
  }
  const [first] = sentences;
  if (text || first === undefined) return text;
  return `${[...first]
    .slice(0, charactersMax - 1)
    .join('')
    .replace(/[\s,;:]+\S*$/u, '')}…`;
}

export const closeSentence = (sentence: string): string =>
  /[.!?…。！？]["”’]?$/u.test(sentence) ? sentence : `${sentence}.`;
