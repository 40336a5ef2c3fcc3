import type { Measures } from '@atelier/imaging/analysis/analyse_picture.ts';
import type { Basis } from '@atelier/imaging/analysis/analysis_fields.ts';
import { capitalise, type Fact, type Facts, type TermIds } from '@atelier/imaging/analysis/facts/facts.ts';
import { BASIC_COLORS } from '@atelier/imaging/analysis/measure_color.ts';
import { termMatcher } from '@atelier/imaging/vision/match_terms.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import type { ArtworkRecord } from '../../artworks/records/record.ts';
import {
  COMPOSITION_LABELS,
  type Language,
  LIGHT_LABELS,
  type MeasuredLabel,
  type NamedColor,
  PHRASES,
  translateValue,
} from './language_words.ts';
import { ALT_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from './limits.ts';
import type { Observations } from './observation_fields.ts';
import type { Reconciled } from './reconcile.ts';

/** Inputs of the generated texts. */
export interface Sources {
  readonly observed: Reconciled;
  readonly measures: Measures;
  readonly record: ArtworkRecord | undefined;
  readonly language: Language;
  /** `observed`: by the client. `model`: by a vision model. */
  readonly basis: Extract<Basis, 'observed' | 'model'>;
}

/** Lower if the pixels contradict a part of the observations. */
const CONFIDENCE = { agreed: 0.85, disputed: 0.5 } as const;
const KEYWORDS_MAX = 24;
const BROADER_MAX = 2;

/** A statement and its basis. */
interface Statement {
  readonly text: string;
  readonly basis: Basis;
}

/**
 * Adds observations to the facts: title, texts, keywords and the fields that require seeing the image. Titles
 * that were sent or recorded stay.
 */
export function withObservations(facts: Facts, sources: Sources): Facts {
  const { measures, observed, language, basis } = sources;
  const { observations } = observed;
  const confidence = observed.disagreements.length > 0 ? CONFIDENCE.disputed : CONFIDENCE.agreed;
  const fact = (value: string | readonly string[] | undefined): Fact | undefined =>
    value === undefined || value.length === 0 ? undefined : { value, basis, confidence };
  if (measures.isBlank) return withPlainSurface(facts, sources);
  const movements = movementsIn(observations.style);
  return {
    ...facts,
    work: { ...present({ title: fact(titleOf(observations)) }), ...facts.work },
    description: {
      ...facts.description,
      ...present({
        summary: joined(descriptionOf(sources), confidence, language),
        alt_text: joined(altTextOf(observations, sources), confidence, language),
        keywords: keywordsOf(sources, confidence),
        themes: fact(observations.themes),
        subjects: facts.description.subjects?.basis === 'record' ? undefined : fact([observations.subject]),
        people: fact(observations.people_count === undefined ? undefined : String(observations.people_count)),
        setting: fact(observations.setting),
        objects: withIds(fact(observations.objects)),
        text_read: fact(observations.visible_text?.join(' / ')),
      }),
    },
    reading: {
      ...facts.reading,
      ...present({
        mood: fact(observations.mood),
        symbolism: fact(observations.symbolism),
        style: fact(observations.style),
        art_movements: withIds(fact(movements)),
        cultural_context: facts.reading.cultural_context ? undefined : fact(observations.period),
        artist_analysis: joined(handOf(sources), confidence, language),
      }),
    },
  };
}

const present = (facts: Record<string, Fact | undefined>): Record<string, Fact> =>
  Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, Fact] => entry[1] !== undefined),
  );

/** For an image of one even tone, the only true statement is measured. */
function withPlainSurface(facts: Facts, { measures, language }: Sources): Facts {
  const phrases = PHRASES[language];
  const text = phrases.plain(colorNames(measures, language)[0]!);
  const fact: Fact = { value: text, basis: 'measured', confidence: 1 };
  const title: Fact = { ...fact, value: text.replace(/[.。]$/u, ''), basis: 'observed' };
  return {
    ...facts,
    work: { title, ...facts.work },
    description: { ...facts.description, alt_text: fact, summary: { ...fact, basis: 'observed' } },
  };
}

function joined(statements: readonly Statement[], confidence: number, language: Language): Fact | undefined {
  const [first] = statements;
  if (!first) return undefined;
  const value = statements.map(({ text }) => text).join(language === 'ja' ? '' : ' ');
  const bases = statements.map((statement) => statement.basis);
  return { value, basis: first.basis, confidence, ...(bases.length > 1 && { statements: bases }) };
}

/** The subject without its article, as titles are written. "A few" is not an article. */
export function titleOf({ subject, action = '' }: Pick<Observations, 'subject' | 'action'>): string {
  const bare = subject.replace(/[.。!?]+$/u, '').replace(/^(?:an?(?!\s+(?:few|little)\b)|the)\s+/iu, '');
  const whole = action && !/[\p{Script=Han}\p{Script=Hiragana}]/u.test(bare) ? `${bare} ${action}` : bare;
  return capitalise(whole.length <= TITLE_CHARACTERS_MAX ? whole : cut(bare, TITLE_CHARACTERS_MAX));
}

/** Truncates at a word boundary. */
function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text.slice(0, charactersMax - 1).replace(/[\s,;:]+\S*$/u, '')}…`;
}

/**
 * Subject, action and setting in one sentence, then the visible text if there is room: W3C, "An alt Decision
 * Tree". Never begins with "image of".
 */
function altTextOf(observations: Observations, { language, basis }: Sources): Statement[] {
  const { quote, labelled, text } = PHRASES[language];
  const main = sentenceOf(observations, language);
  const [open, close] = quote;
  const lines = observations.visible_text ?? [];
  const room = ALT_CHARACTERS_MAX - main.length - text.length - 6;
  const read = lines.join(' / ');
  const isSaid = lines.every((line) => main.toLowerCase().includes(line.toLowerCase()));
  if (lines.length === 0 || isSaid || room < 8) return [{ text: main, basis }];
  return [
    { text: main, basis },
    { text: withOneStop(labelled(text, `${open}${cut(read, room)}${close}`)), basis },
  ];
}

/** Drops the full stop after a quotation that ends with punctuation: “Sale!” */
const withOneStop = (text: string): string => text.replace(/(?<=[.!?…。！？]\s?[”“»」])[.。]$/u, '');

function sentenceOf({ subject, action = '', setting = '' }: Observations, language: Language): string {
  const trim = (part: string) => part.replace(/[.。\s]+$/u, '');
  const parts = { subject: trim(subject), action: trim(action), setting: trim(setting) };
  const whole = PHRASES[language].sentence(parts);
  const fits = whole.length <= ALT_CHARACTERS_MAX;
  return capitalise(
    fits
      ? whole
      : PHRASES[language].sentence({
          ...parts,
          setting: '',
          subject: cut(parts.subject, ALT_CHARACTERS_MAX - 1),
        }),
  );
}

/** The observer's prose or sentence, then labelled facts, each with its basis. */
function descriptionOf({ observed, measures, record, language, basis }: Sources): Statement[] {
  const { observations } = observed;
  const { labelled, ...labels } = PHRASES[language];
  const { prose, style, mood, period, artist_signed: signed, people_count: people } = observations;
  const colors = colorNames(measures, language).slice(0, 3);
  const state = (label: string, value: string | undefined, of: Basis = basis): Statement[] =>
    value ? [{ text: labelled(label, value.replace(/[.。]+$/u, '')), basis: of }] : [];
  return [
    { text: closed(prose || sentenceOf(observations, language), language), basis },
    ...state(labels.people, people === undefined || people < 2 ? undefined : String(people)),
    ...state(labels.style, style),
    ...state(labels.mood, mood),
    ...state(labels.period, period),
    ...state(labels.signed, signed),
    ...state(labels.record, record && recordLine(record), 'record'),
    ...state(labels.colors, colors.join(language === 'ja' ? '、' : ', '), 'measured'),
  ];
}

const closed = (text: string, language: Language): string =>
  /[.!?…。！？]["”’»」]?$/u.test(text) ? text : `${text}${language === 'ja' ? '。' : '.'}`;

const recordLine = ({ title, artists, date }: ArtworkRecord): string =>
  [title, artists.map(({ name }) => name).join('; '), date].filter(Boolean).join(', ');

/** Names of the dominant colours: palette names in English, basic colours in other languages. */
function colorNames({ color }: Measures, language: Language): string[] {
  const names = PHRASES[language].colorNames;
  const shares = new Map<string, number>();
  for (const { name, share } of color.palette) {
    const shown = language === 'en' ? name : names[basicNameOf(name)];
    shares.set(shown, (shares.get(shown) ?? 0) + share);
  }
  return [...shares].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** Basic colour in a palette name: "dusty blue" is blue. */
function basicNameOf(name: string): NamedColor {
  for (const word of name.split(/[\s-]+/u).toReversed()) {
    const basic = BASIC_COLORS.find((color) => color === word) ?? NAMED_LIKE[word];
    if (basic) return basic;
  }
  return 'grey';
}

/** Basic colours of palette names that contain none. */
const NAMED_LIKE: Readonly<Record<string, NamedColor>> = {
  crimson: 'red',
  maroon: 'red',
  burgundy: 'red',
  magenta: 'pink',
  peach: 'orange',
  tan: 'brown',
  mustard: 'yellow',
  ochre: 'brown',
  buff: 'beige',
  cream: 'beige',
  beige: 'beige',
  ivory: 'beige',
  khaki: 'beige',
  teal: 'green',
  turquoise: 'blue',
  cyan: 'blue',
  violet: 'purple',
  lavender: 'purple',
  indigo: 'purple',
  aubergine: 'purple',
  plum: 'purple',
  mauve: 'purple',
};

const match = termMatcher(SUBJECT_TERMS);

/**
 * Keywords: objects, the term of the subject, style and colours. Terms of the vocabulary bring their broader
 * terms and ids.
 */
function keywordsOf({ observed, measures, record, language, basis }: Sources, confidence: number): Fact {
  const { observations: seen } = observed;
  const said = [
    ...(record?.tags ?? []),
    ...(seen.objects ?? []),
    ...(seen.themes ?? []),
    ...(seen.style?.split(/\s*[,;、]\s*/u) ?? []),
    ...(seen.mood ? [seen.mood] : []),
    ...(seen.named ?? []).map(({ name }) => name),
  ];
  const terms = [seen.subject, ...said].flatMap((words) => match(words) ?? []);
  const broader =
    language === 'en' ? terms.flatMap((term) => [term.term, ...term.broader.slice(0, BROADER_MAX)]) : [];
  const colors = colorNames(measures, language)
    .slice(0, 2)
    .map((name) => name.toLowerCase());
  const unique = new Map([...said, ...broader, ...colors].map((word) => [word.toLowerCase(), word]));
  const value = [...unique.values()].slice(0, KEYWORDS_MAX);
  const ids = Object.fromEntries(terms.flatMap(({ term, ids: known }) => (known ? [[term, known]] : [])));
  return { value, basis, confidence, ...(Object.keys(ids).length > 0 && { ids }) };
}

/** Adds the ids of entries that are terms of the vocabulary. */
function withIds(fact: Fact | undefined): Fact | undefined {
  if (!fact || !Array.isArray(fact.value)) return fact;
  const known = (fact.value as string[]).flatMap((words): [string, TermIds][] => {
    const ids = match(words)?.ids;
    return ids ? [[words, ids]] : [];
  });
  return known.length > 0 ? { ...fact, ids: Object.fromEntries(known) } : fact;
}

const MOVEMENT =
  /\b[\p{L}-]*(?:ism|ismus|isme|ismo|baroque|barock|barroco|barocco|gothic|gotik|rococo|rokoko|renaissance|rinascimento|renacimiento|art nouveau|jugendstil|art deco|bauhaus|ukiyo-e|pop art)\b|浮世絵|印象派|[\p{Script=Katakana}ー]+(?:主義|派)/giu;

/** Art movements named in a style. */
const movementsIn = (style = ''): string[] => [...new Set(style.match(MOVEMENT) ?? [])];

/** What is observed or recorded about the artist. Nothing is inferred from brushwork. */
function handOf({ observed, record, language, basis }: Sources): Statement[] {
  const { labelled, style: styleLabel, signed: signedLabel, record: recordLabel } = PHRASES[language];
  const { style, artist_signed: signed } = observed.observations;
  const artists = record?.artists.map(({ name }) => name).join('; ');
  return [
    ...(signed ? [{ text: labelled(signedLabel, signed), basis }] : []),
    ...(artists ? [{ text: labelled(recordLabel, artists), basis: 'record' as const }] : []),
    ...(style ? [{ text: labelled(styleLabel, style), basis }] : []),
  ];
}

/** Adds one line of measurements for composition and one for light, unless a model has written them. */
export function withMeasuredLines(facts: Facts, language: Language): Facts {
  const line = (
    section: Record<string, Fact | undefined>,
    labels: readonly MeasuredLabel[],
  ): Fact | undefined => {
    if (section.overview) return undefined;
    const parts = labels.flatMap((label) => {
      const value = section[label]?.value;
      if (value === undefined) return [];
      const shown = typeof value === 'number' ? `${value}%` : translateValue(String(value), language);
      return [`${PHRASES[language].fields[label]}${language === 'fr' ? ' : ' : ': '}${shown}`];
    });
    return parts.length > 0 ? { value: parts.join('; '), basis: 'measured', confidence: 0.7 } : undefined;
  };
  return {
    ...facts,
    composition: {
      ...facts.composition,
      ...present({ overview: line(facts.composition, COMPOSITION_LABELS) }),
    },
    light: { ...facts.light, ...present({ overview: line(facts.light, LIGHT_LABELS) }) },
  };
}
