import type { Measures } from '@atelier/imaging/analysis/analyse_picture.ts';
import type { BasicColor } from '@atelier/imaging/analysis/measure_color.ts';
import type { ArtworkRecord } from '../../artworks/records/record.ts';
import { SENTENCE_END } from './clean.ts';
import { COLOR_WORDS, FORMAT_WORDS, type Language, MONOCHROME_WORDS } from './language_words.ts';
import { COLOR_SHARE_MIN } from './limits.ts';
import type { Observations } from './observation_fields.ts';

/** A statement of the observer that other evidence contradicts. */
export interface Disagreement {
  readonly field: string;
  readonly observed: string;
  readonly found: string;
  readonly basis: 'measured' | 'model' | 'record';
}

export interface Reconciled {
  /** Without the parts that the pixels contradict. */
  readonly observations: Observations;
  readonly disagreements: readonly Disagreement[];
}

/** A line of text recognised in the image. */
export interface ReadLine {
  readonly text: string;
}

interface Evidence {
  readonly measures: Measures;
  readonly record: ArtworkRecord | undefined;
  readonly language: Language;
  /** Text lines recognised in the image; absent if no text recognition ran. */
  readonly lines?: readonly ReadLine[] | undefined;
}

/**
 * Compares observations with what was measured, detected and recorded. Measurements take precedence; both
 * values are reported.
 */
export function reconcile(sent: Observations, evidence: Evidence): Reconciled {
  const { observations, disagreements } = withoutAbsentColors(sent, evidence);
  return {
    observations,
    disagreements: [
      ...disagreements,
      ...blankness(sent, evidence),
      ...formats(sent, evidence),
      ...monochrome(sent, evidence),
      ...people(sent, evidence),
      ...writing(sent, evidence),
      ...recorded(sent, evidence),
    ],
  };
}

/** Fields whose colour words describe the image. */
const COLORED = ['subject', 'action', 'setting', 'prose', 'objects'] as const;

/** Removes colour words from phrases, and sentences from prose, if the colour does not occur in the image. */
function withoutAbsentColors(sent: Observations, { measures, language }: Evidence): Reconciled {
  // "Black-and-white" is not the colour of an object.
  if (MONOCHROME_WORDS.test(JSON.stringify(sent))) return { observations: sent, disagreements: [] };
  const disagreements: Disagreement[] = [];
  const absent = absentColors(measures, language);
  const found = `measured: ${topColors(measures)}`;
  const check = (field: string, text: string): string => {
    let kept = text;
    for (const [color, words] of absent) {
      const said = text.match(words);
      if (!said) continue;
      disagreements.push({
        field,
        observed: said[0].trim(),
        found: `no ${color}; ${found}`,
        basis: 'measured',
      });
      kept = field === 'prose' ? withoutSentences(kept, words) : withoutWords(kept, words);
    }
    return kept;
  };
  const entries = COLORED.flatMap((field): [string, unknown][] => {
    const value = sent[field];
    if (value === undefined) return [];
    return [
      [field, typeof value === 'string' ? check(field, value) : value.map((each) => check(field, each))],
    ];
  });
  const checked = Object.fromEntries(entries.filter(([, value]) => value !== ''));
  const { prose: _, ...others } = sent;
  return {
    observations: { ...others, ...checked, subject: String(checked.subject || sent.subject) },
    disagreements,
  };
}

const absentColors = ({ color }: Measures, language: Language): [BasicColor, RegExp][] =>
  Object.entries(COLOR_WORDS[language]).flatMap(([name, words]): [BasicColor, RegExp][] =>
    color.basic[name as BasicColor] < COLOR_SHARE_MIN ? [[name as BasicColor, words]] : [],
  );

const topColors = ({ color }: Measures): string =>
  color.palette
    .slice(0, 3)
    .map(({ name, share }) => `${name} ${Math.round(share)}%`)
    .join(', ');

const withoutWords = (text: string, words: RegExp): string =>
  text.replace(words, '').replace(/\s+/gu, ' ').trim();

const withoutSentences = (text: string, words: RegExp): string =>
  text
    .split(SENTENCE_END)
    .filter((sentence) => sentence.match(words) === null)
    .join(' ');

/** Nothing can be seen in an image of one even tone. */
const blankness = ({ subject }: Observations, { measures }: Evidence): Disagreement[] =>
  measures.isBlank
    ? [{ field: 'subject', observed: subject, found: 'the image is one even tone', basis: 'measured' }]
    : [];

function formats(sent: Observations, { measures: { width, height } }: Evidence): Disagreement[] {
  const ratio = width / height;
  const is = ratio > 1.06 ? 'landscape' : ratio < 1 / 1.06 ? 'portrait' : 'square';
  const text = [sent.subject, sent.style, sent.prose].filter(Boolean).join('. ');
  return FORMAT_WORDS.flatMap(([format, words]) => {
    const said = words.exec(text)?.[0];
    if (said === undefined || format === is) return [];
    return [{ field: 'prose', observed: said, found: `${width} × ${height} px, ${is}`, basis: 'measured' }];
  });
}

/** OKLab chroma above which an image is visibly coloured. */
const COLORED_MIN = 0.05;

function monochrome(sent: Observations, { measures: { color } }: Evidence): Disagreement[] {
  const said = MONOCHROME_WORDS.exec([sent.subject, sent.style, sent.prose].join('. '))?.[0];
  if (said === undefined || color.meanChroma < COLORED_MIN) return [];
  return [{ field: 'style', observed: said, found: `the image is ${color.colorfulness}`, basis: 'measured' }];
}

/**
 * Detectors miss people but rarely invent them, so only more detected faces or figures than people count as a
 * disagreement.
 */
function people({ people_count: count }: Observations, { measures }: Evidence): Disagreement[] {
  const { faces = [], objects = [] } = measures;
  const persons = objects.filter(({ kind }) => kind === 'person').length;
  const found = Math.max(faces.length, persons);
  if (count === undefined || found <= count) return [];
  const what = persons > faces.length ? ['person', 'people'] : ['face', 'faces'];
  return [
    {
      field: 'people_count',
      observed: String(count),
      found: `at least ${found} ${what[found === 1 ? 0 : 1]} detected`,
      basis: 'model',
    },
  ];
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Recognised text that the observer does not quote. */
function writing({ visible_text: said = [] }: Observations, { lines = [] }: Evidence): Disagreement[] {
  const observed = lettersOf(said.join(''));
  const missing = lines.map(({ text }) => text).filter((text) => !observed.includes(lettersOf(text)));
  if (said.length === 0 || missing.length === 0) return [];
  return [
    {
      field: 'visible_text',
      observed: said.join(' / ').slice(0, 200),
      found: `also read: ${missing.join(' / ').slice(0, 200)}`,
      basis: 'model',
    },
  ];
}

function recorded(sent: Observations, { record }: Evidence): Disagreement[] {
  if (!record) return [];
  const artists = record.artists.map(({ name }) => name).join('; ');
  const { artist_signed: signed, period } = sent;
  const surname = (name: string) => lettersOf(name.split(/\s+/u).at(-1) ?? '');
  const isOther = signed && artists && !lettersOf(artists).includes(surname(signed));
  const centuries = period === undefined ? [] : centuriesIn(period);
  const { year_from: from, year_to: to } = record;
  const isElsewhen =
    centuries.length > 0 &&
    from !== null &&
    to !== null &&
    !centuries.some((one) => one >= century(from) && one <= century(to));
  return [
    ...(isOther
      ? [{ field: 'artist_signed', observed: signed, found: artists, basis: 'record' } as const]
      : []),
    ...(isElsewhen
      ? [{ field: 'period', observed: period!, found: record.date, basis: 'record' } as const]
      : []),
  ];
}

const century = (year: number): number => Math.ceil(year / 100);

/**
 * Centuries named in "17th century", "17. Jahrhundert", "XVIIe siècle", "siglo XVII", "17世紀", or derived from
 * years.
 */
function centuriesIn(text: string): number[] {
  const years = [...text.matchAll(/\b(1\d{3}|20\d{2})s?\b/gu)].map(([, year]) => century(Number(year)));
  const ordinals = [
    ...text.matchAll(/\b(\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:century|centuries|Jahrhundert|Jh\.|世紀)/giu),
  ].map(([, number]) => Number(number));
  return [...years, ...ordinals];
}
