import { roundTo } from '../../pixels/round_to.ts';
import { PERSON_BY_FACE } from '../../vision/limits.ts';
import { FACE_NETWORK, WRITING_NETWORK } from '../../vision/network_names.ts';
import type { Measures } from '../analyse_picture.ts';
import type { Color, NamedColor } from '../measure_color.ts';
import type { Light } from '../measure_light.ts';
import type { Tone } from '../measure_tone.ts';
import { atPlace, placeName } from '../places.ts';
import {
  compositionOverview,
  figureOf,
  formatName,
  furtherFocus,
  heightWords,
  horizonOf,
  mirroredAxis,
} from './composition_words.ts';
import {
  closeSentence,
  contextKeywords,
  fitSentences,
  sentencesOf,
  tellingSentences,
} from './context_words.ts';
import {
  capitalise,
  dropUndefined,
  type Fact,
  type Facts,
  type FactValue,
  joinWords,
  measuredFact,
  percent,
  spellNumber,
  type TermIds,
} from './facts.ts';
import { type Given, oneLine } from './given.ts';
import { moodOf, surfaceOverview, themesOf } from './reading_words.ts';
import {
  addArticle,
  isAboutPeople,
  isColourless,
  isMadeAs,
  joinSeen,
  nounOf,
  PERSON,
  peopleKeywords,
  peopleSeenBy,
  peopleSentences,
  placesToSay,
  shownIn,
  subjectClause,
  termWords,
  thingsToSay,
} from './subject_words.ts';

interface ColorWord {
  readonly name: string;
  /** Percent, summed over all entries of that name. */
  readonly share: number;
}

/** The palette by colour name, largest share first. Tones with the same name count as one colour. */
function colorWords(palette: readonly NamedColor[]): ColorWord[] {
  const shares = new Map<string, number>();
  for (const { name, share } of palette) shares.set(name, (shares.get(name) ?? 0) + share);
  return [...shares].map(([name, share]) => ({ name, share })).sort((one, other) => other.share - one.share);
}

/** The smallest set of colours that covers three quarters of the image, at most four. */
function leadingColors(palette: readonly NamedColor[]): ColorWord[] {
  const words = colorWords(palette);
  let covered = 0;
  const count = words.findIndex(({ share }) => {
    covered += share;
    return covered >= 75;
  });
  return words.slice(0, Math.min(4, Math.max(1, count + 1)));
}

/** The vivid accent colour, unless it is already a leading colour. */
const accentBeside = (color: Color, leading: readonly ColorWord[]): NamedColor | undefined =>
  color.accent && !leading.some(({ name }) => name === color.accent!.name) ? color.accent : undefined;

/** After "The palette is colourful and warm". */
const HARMONY: Record<Color['harmony']['scheme'], string> = {
  achromatic: '',
  'one hue': ', nearly all of one hue',
  'neighbouring hues': ', of hues that lie next to each other',
  'complementary hues': ', built on two opposite hues',
  'a main hue with a complementary accent': ', with one main hue and a touch of its opposite',
  'two opposed families of hue': ', with two opposite families of hue',
  'half the colour circle': '',
  'hues all around the circle': ', with hues of every kind',
};

/** "muted and warm". A palette with neither warm nor cool hues gets no temperature. */
function paletteWords({ colorfulness, temperature, warm, cool }: Color): string {
  if (colorfulness === 'colourless') return 'almost without colour';
  if (temperature === 'neutral') return `${colorfulness} and nearly neutral`;
  if (temperature !== 'mixed') return `${colorfulness} and ${temperature}`;
  return Math.min(warm, cool) > BOTH ? `${colorfulness} and balanced between warm and cool` : colorfulness;
}

/** Minimum share of each temperature for a balanced palette. */
const BOTH = 0.25;

/** Two sentences on colour; one for greys. */
export function colorOverview(color: Color): string {
  const leading = leadingColors(color.palette);
  const names = joinWords(leading.map(({ name, share }) => `${name} (${wholePercent(share)})`));
  const accent = accentBeside(color, leading);
  const carry = leading.length === 1 ? 'fills most of the picture' : 'make up most of the picture';
  const shares = `${capitalise(names)} ${carry}${accent ? `; ${accent.name} (${wholePercent(accent.share)}) is a vivid accent` : ''}.`;
  return color.harmony.scheme === 'achromatic'
    ? `${shares} There is no hue in it.`
    : `${shares} The palette is ${paletteWords(color)}${color.temperature === 'neutral' ? '' : HARMONY[color.harmony.scheme]}.`;
}

/** Shares of warm and cool hues, for long descriptions; undefined for greyscale. */
const hueShares = ({ harmony, warm, cool }: Color): string | undefined =>
  harmony.scheme === 'achromatic'
    ? undefined
    : `Warm hues cover ${Math.round(100 * warm)}% of the surface and cool hues ${Math.round(100 * cool)}%.`;

const wholePercent = (share: number): string => `${Math.max(1, Math.round(share))}%`;

/** Shares of tones, for long descriptions. */
const toneShares = ({ shadows, midtones, highlights }: Tone): string =>
  `Shadows cover ${part(shadows)} of the surface, midtones ${part(midtones)} and highlights ${part(highlights)}.`;

const part = (value: number): string => (value < 0.01 ? 'under 1%' : `${Math.round(100 * value)}%`);

const KEY: Record<Tone['key'], string> = {
  'low key': 'It is dark overall (low key)',
  'middle key': 'Dark and light tones are in balance',
  'high key': 'It is light overall (high key)',
};

const CONTRAST: Record<Tone['contrast'], string> = {
  'very low': 'with hardly any contrast',
  low: 'with little contrast',
  moderate: 'with moderate contrast',
  high: 'with strong contrast',
  'very high': 'with contrast from black to white',
};

/** Light qualities for which tone is more informative than contrast. */
const QUALITY: Partial<Record<Light['quality'], string>> = {
  spotlit: 'Only a small part of it is lit.',
  silhouetted: 'Nearly everything is either light or dark, close to a silhouette.',
};

/** Two or three short sentences on tone and light. */
export function lightOverview({ tone, light }: Pick<Measures, 'tone' | 'light'>): string {
  return [
    `${keyWords(tone)}, ${CONTRAST[tone.contrast]}.`,
    QUALITY[light.quality],
    directionSentence(light) ?? areasSentence(light),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** A key that is neither dark nor light may mean that both are rare. */
const keyWords = ({ key, midtones }: Tone): string =>
  key === 'middle key' && midtones >= MIDTONES_MANY ? 'Middle tones prevail' : KEY[key];

const MIDTONES_MANY = 0.6;

/** "lightest at the upper right", appended to other visual properties; undefined if no region is lighter than others. */
function lightPlace({ lighterTowards, brightest, darkest }: Light): string | undefined {
  if (lighterTowards) return `lighter towards ${TOWARDS[lighterTowards.side] ?? lighterTowards.side}`;
  return brightest === darkest ? undefined : `lightest ${atPlace(brightest)}`;
}

/** Empty if the shading has no direction. */
const directionSentence = ({ from }: Light): string | undefined =>
  from && `The shading suggests light from ${from.side}.`;

const TOWARDS: Partial<Record<NonNullable<Light['lighterTowards']>['side'], string>> = {
  above: 'the top',
  below: 'the bottom',
};

function areasSentence({ lighterTowards, brightest, darkest }: Light): string | undefined {
  if (lighterTowards)
    return `It grows lighter towards ${TOWARDS[lighterTowards.side] ?? lighterTowards.side}.`;
  return brightest === darkest
    ? undefined
    : `It is lightest ${atPlace(brightest)} and darkest ${atPlace(darkest)}.`;
}

const BRIEF_CHARACTERS = 300;
const SUMMARY_SUBJECTS_MAX = 8;
const SUMMARY_THINGS_MAX = 5;

/** Catalogue summary: title and subject, the brief, and one sentence on the visual properties. */
function summaryOf(measures: Measures, given: Given): string {
  const shown = shownSentence(measures, given);
  const brief = briefSentence(given, 'it');
  if (measures.isBlank) {
    const [{ name }] = measures.color.palette as [NamedColor];
    return spoken([namingClause(measures, given, ` of nothing but ${name}`), brief]);
  }
  const looks = looksOf(measures);
  if (!shown && !brief) return spoken([namingClause(measures, given, looks && `, ${looks}`)]);
  const isNamed = shown !== undefined || Object.values(namesOf(given)).some(Boolean);
  return spoken([
    ...(isNamed
      ? [shown ?? namingClause(measures, given, ''), brief]
      : [briefSentence(given, `this ${whatOf(measures, given)}`)]),
    looks ? `The picture is ${looks}.` : undefined,
  ]);
}

/** Full description, section by section, for people who cannot see the image. */
function describeAtLength(measures: Measures, given: Given): string {
  if (measures.isBlank) return summaryOf(measures, given);
  return spoken([
    shownSentence(measures, given) ?? namingClause(measures, given, ''),
    briefSentence(given, 'it'),
    shownIn(measures).things.length > 0 ? peopleSentences(measures) : undefined,
    colorOverview(measures.color),
    hueShares(measures.color),
    lightOverview(measures),
    toneShares(measures.tone),
    compositionOverview(measures),
    furtherFocus(measures),
    surfaceOverview(measures),
    `Going by tone and colour alone, its mood is ${moodOf(measures).words}.`,
  ]);
}

const spoken = (sentences: readonly (string | undefined)[]): string =>
  sentences.filter((sentence) => sentence !== undefined).join(' ');

/** "“Cypresses” by Vincent van Gogh (1889) shows trees and clouds."; undefined without detected subjects. */
function shownSentence(measures: Measures, given: Given): string | undefined {
  const { title, from } = namesOf(given);
  const things = thingsToSay(measures).slice(0, SUMMARY_THINGS_MAX);
  const all = [...things, ...placesToSay(measures).slice(0, 1)].map((subject) => termWords(subject).words);
  if (title && all.length > 0) return `“${title}”${from} shows ${joinWords(all)}.`;
  const clause = subjectClause(
    measures,
    title ? `“${title}”${from}` : `this ${whatOf(measures, given)}${from}`,
    SUMMARY_THINGS_MAX,
  );
  return clause && `${capitalise(clause)}.`;
}

/** "“Cypresses” by Vincent van Gogh (1889) is a tall artwork", or "This is a tall artwork by …", followed by `more`. */
function namingClause(measures: Measures, given: Given, more: string): string {
  const { title, from } = namesOf(given);
  const what = whatOf(measures, given);
  const named = addArticle(what);
  return title ? `“${title}”${from} is ${named}${more}.` : `This is ${named}${from}${more}.`;
}

function namesOf(given: Given): { title: string; from: string } {
  const [title = '', artist = '', year = ''] = [given.title, given.artist_name, given.creation_year].map(
    oneLine,
  );
  return { title, from: `${artist && ` by ${artist}`}${year && ` (${year})`}` };
}

const whatOf = (measures: Measures, given: Given): string =>
  `${measures.isBlank ? '' : DEPTH[measures.tone.key]}${SHAPE[formatName(measures)]} ${nounOf(measures, given)}`;

const DEPTH = { 'low key': 'dark, ', 'middle key': '', 'high key': 'light-toned, ' } as const;
/** "Portrait-format" could be read as the genre. */
const SHAPE: Record<string, string> = {
  'landscape format': 'wide',
  'portrait format': 'upright',
  square: 'square',
  panorama: 'panoramic',
  'tall strip': 'tall, narrow',
};

/** "mainly in beige and ochre, high in contrast and lightest at the upper left"; empty for greyscale without distinctive properties. */
function looksOf(measures: Measures): string {
  const leading = leadingColors(measures.color.palette).slice(0, 3);
  const accent = accentBeside(measures.color, leading);
  const colors = `mainly in ${joinWords(leading.map(({ name }) => name))}${accent ? `, with a touch of ${accent.name}` : ''}`;
  const tones = [LOOKS_CONTRAST[measures.tone.contrast], lightPlace(measures.light)]
    .filter(Boolean)
    .join(' and ');
  return [...(isColourless(measures) ? [] : [colors]), ...(tones ? [tones] : [])].join(', ');
}

const LOOKS_CONTRAST: Partial<Record<Measures['tone']['contrast'], string>> = {
  'very low': 'almost without contrast',
  low: 'low in contrast',
  high: 'high in contrast',
  'very high': 'high in contrast',
};

/**
 * @param it the subject of the sentence: what the brief came with
 */
function briefSentence({ context, museum }: Given, it: string): string | undefined {
  if (museum && museum.subjects.length > 0)
    return `${museum.name} lists as subjects: ${museum.subjects.slice(0, SUMMARY_SUBJECTS_MAX).map(oneLine).join(', ')}.`;
  const told = fitSentences(sentencesOf(context), BRIEF_CHARACTERS);
  return told ? `The brief given with ${it} says: “${told.replace(/[.]$/u, '')}”.` : undefined;
}

/** Screen readers read alt text without a pause. Longer text belongs in the description. */
const ALT_CHARACTERS_MAX = 125;
/** Minimum length reserved for the client's own description, regardless of the title's length. */
const TOLD_CHARACTERS_MIN = 40;
const THINGS_MAX = 3;

/**
 * Alt text: names, the subject according to the client or a museum, detected subjects, and visual properties if there is room. Whole
 * sentences, without "image of". Source: W3C, "An alt Decision Tree" and WCAG 2.2, 1.1.1.
 */
function altText(measures: Measures, given: Given): string {
  const named = nameOf(given);
  const told = toldOf(
    given,
    Math.max(TOLD_CHARACTERS_MIN, ALT_CHARACTERS_MAX - (named ? named.length + 2 : 0)),
  );
  const known = [named, told].filter(Boolean).map(closeSentence);
  const isKnown = (term: string) => wordsOf(known.join(' ')).includes(wordsOf(term));
  const { things, scenes } = shownIn(measures);
  const [leader = scenes[0]] = things;
  const seen = leader && isKnown(leader.term) ? [] : seenSentences(measures, given);
  const looks =
    known.length > 0 || seen.length > 0 ? colorSentences(measures) : looksSentences(measures, given);
  let text = known.join(' ');
  for (const wordings of [seen, looks]) {
    const fitting = wordings.find((wording) => joined(text, wording).length <= ALT_CHARACTERS_MAX);
    if (fitting !== undefined) text = joined(text, fitting);
  }
  return text || looks.at(-1)!;
}

/** Lower case, with a space around each word. */
const wordsOf = (text: string): string =>
  ` ${(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')} `;

const joined = (text: string, more: string): string => (text ? `${text} ${more}` : more);

/** "Cypresses by Vincent van Gogh (1889)"; empty without input. */
function nameOf(given: Given): string {
  const [title, artist, year] = [given.title, given.artist_name, given.creation_year].map(oneLine);
  return [title, artist && (title ? `by ${artist}` : `By ${artist}`), year && `(${year})`]
    .filter(Boolean)
    .join(' ');
}

/** The subject according to the client or a museum; of a museum's subjects only the first few. */
function toldOf({ museum, context }: Given, charactersMax: number): string {
  if (museum)
    return museum.subjects.length > 0
      ? `Subjects: ${museum.subjects.slice(0, 5).map(oneLine).join(', ')}`
      : '';
  return fitSentences(tellingSentences(context), charactersMax);
}

/** Wordings from longest to shortest; empty without detected subjects. */
function seenSentences(measures: Measures, given: Given): string[] {
  const dark = measures.tone.key === 'low key' ? 'dark ' : '';
  const noun = nounOf(measures, given);
  return [THINGS_MAX, 2, 1].flatMap((count) => {
    const clause = subjectClause(measures, `this ${dark}${noun}`, count);
    return clause ? [`${capitalise(clause)}.`] : [];
  });
}

/** Colours as a sentence. For greyscale, which the image type already states, the lightest region. */
function colorSentences(measures: Measures): string[] {
  const { brightest, darkest } = measures.light;
  if (measures.isBlank || (isColourless(measures) && brightest === darkest)) return [];
  if (isColourless(measures))
    return [` and darkest ${atPlace(darkest)}`, ''].map(
      (more) => `The picture is lightest ${atPlace(brightest)}${more}.`,
    );
  const names = leadingColors(measures.color.palette).map(({ name }) => name);
  return [3, 2, 1].map((count) => {
    const some = names.slice(0, count);
    return some.length > 1 ? `The main colours are ${joinWords(some)}.` : `The main colour is ${some[0]}.`;
  });
}

/** Wordings of the visual properties for an unknown subject, longest to shortest. */
function looksSentences(measures: Measures, given: Given): string[] {
  const noun = nounOf(measures, given);
  if (measures.isBlank) return [`This ${noun} is one plain field of ${measures.color.palette[0]!.name}.`];
  const dark =
    measures.tone.key === 'low key' ? 'dark ' : measures.tone.key === 'high key' ? 'light-toned ' : '';
  const form = formSentence(measures, noun);
  if (form) return [...colorSentences(measures).map((colors) => `${form} ${colors}`), form];
  const names = colorWords(measures.color.palette).map(({ name }) => name);
  const { brightest, darkest } = measures.light;
  const where = brightest === darkest ? '' : `lightest ${atPlace(brightest)}`;
  const places = where ? [`${where} and darkest ${atPlace(darkest)}`, where, ''] : [''];
  return places.map((place) =>
    isColourless(measures)
      ? `This ${dark}${noun} is ${place || `mainly ${joinWords(names.slice(0, 2))}`}.`
      : `This ${dark}${noun} is mainly ${joinWords(names.slice(0, 3))}${place && `, ${place}`}.`,
  );
}

/** Composition, where words can convey it. */
function formSentence(measures: Measures, noun: string): string | undefined {
  const { subject } = measures;
  const [horizon, figure] = [horizonOf(measures), figureOf(measures)];
  if (subject.textLines > 0) return `Lines of writing fill part of this ${noun}.`;
  if (figure)
    return `One form or group stands out from the plain ground of this ${noun}, ${atPlace(figure.place)}.`;
  if (horizon) return `A level line, like a horizon, crosses this ${noun} ${heightWords(horizon.height)}.`;
  return subject.pattern ? `One motif repeats across this ${noun}.` : undefined;
}

const KEYWORDS_MAX = 24;
const COLORS_MAX = 3;
/** Number of broader terms of a subject, nearest first: "cat", "mammal", "animal". */
const BROADER_MAX = 3;
const MUSEUM_SUBJECTS_MAX = 6;

/**
 * Search keywords as a picture editor would choose them: names, subjects of the brief, detected subjects with broader terms, genre,
 * technique, colours.
 */
function keywordsOf(measures: Measures, given: Given): string[] {
  const { things, scenes, genres } = shownIn(measures);
  const words = [
    oneLine(given.title),
    oneLine(given.artist_name),
    given.creation_year,
    ...contextKeywords(given.context),
    ...(given.museum?.subjects
      .slice(0, MUSEUM_SUBJECTS_MAX)
      .map((subject) => oneLine(subject).toLowerCase()) ?? []),
    ...[...things, ...scenes].map(({ term }) => term),
    ...peopleKeywords(measures),
    ...(measures.writing?.length || measures.subject.textLines > 0 ? ['text'] : []),
    ...[...things, ...scenes].flatMap(({ broader }) => broader.slice(0, BROADER_MAX)),
    ...genres.map(({ term }) => term),
    ...techniqueWords(measures, given),
    ...colorWords(measures.color.palette)
      .slice(0, COLORS_MAX)
      .map(({ name }) => name)
      .filter(() => !isColourless(measures)),
  ];
  return dropDoubles(words).slice(0, KEYWORDS_MAX);
}

/** Searchable terms for measured techniques. */
const techniqueWords = (measures: Measures, { content_type }: Given): string[] => [
  ...(content_type === 'photo'
    ? ['photography']
    : shownIn(measures).genres.some(isMadeAs)
      ? []
      : ['artwork']),
  ...(isColourless(measures) ? ['black and white'] : []),
  ...(measures.light.quality === 'spotlit' && /high/u.test(measures.tone.contrast) ? ['chiaroscuro'] : []),
  ...(measures.light.quality === 'silhouetted' ? ['silhouette'] : []),
  ...(mirroredAxis(measures) ? ['symmetry'] : []),
  ...(measures.subject.pattern ? ['pattern'] : []),
];

function dropDoubles(words: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const word of words) if (word && !kept.has(word.toLowerCase())) kept.set(word.toLowerCase(), word);
  return [...kept.values()];
}

/** Higher counts are written in digits. */
const SPELLED_OUT_MAX = 12;

/**
 * Detected writing, without its text. A network takes precedence over the measurement of regular lines. If a network finds none, nothing is
 * stated, because it misses short words.
 */
export function writingFact({
  writing = [],
  subject,
}: Pick<Measures, 'writing' | 'subject'>): Fact | undefined {
  const [largest] = writing;
  if (!largest)
    return subject.textLines > 0
      ? measuredFact(`${capitalise(countLines(subject.textLines))} of marks as regular as writing.`, 0.6)
      : undefined;
  const where = atPlace(placeName({ x: largest.x + largest.width / 2, y: largest.y + largest.height / 2 }));
  return {
    value:
      writing.length === 1
        ? `A line of writing or more ${where}.`
        : `At least ${countLines(writing.length)} of writing, the largest ${where}.`,
    basis: 'model',
    confidence: roundTo(Math.max(...writing.map(({ score }) => score)), 2),
    by: WRITING_NETWORK,
  };
}

/** Content that some readers may not want to see. */
export const contentHintFact = ({ rating }: Pick<Measures, 'rating'>): Fact | undefined =>
  rating && {
    value: `May show ${rating.hint}.`,
    basis: 'model',
    confidence: roundTo(rating.confidence, 2),
    by: rating.by,
  };

function countLines(count: number): string {
  const lines = count > SPELLED_OUT_MAX ? String(count) : spellNumber(count);
  return `${lines} ${count === 1 ? 'line' : 'lines'}`;
}

const SUBJECTS_MAX = 12;

/** Facts about the subject. */
export function descriptionFacts(measures: Measures, given: Given): Facts['description'] {
  const { horizon, pattern, figure } = measures.subject;
  const themes = themesOf(measures);
  const { things, scenes, genres } = shownIn(measures);
  const shown = [...things, ...personByFace(measures), ...scenes, ...genres].slice(0, SUBJECTS_MAX);
  const terms = shown.map(({ term }) => term);
  const subjects = seenFact(terms, shown);
  const keywords = keywordsOf(measures, given);
  return dropUndefined({
    summary: spokenFact(measures, summaryOf(measures, given)),
    alt_text: spokenFact(measures, altText(measures, given)),
    extended_description: spokenFact(measures, describeAtLength(measures, given)),
    keywords: { ...spokenFact(measures, keywords), ...idsOf(measures, keywords) },
    themes: themes.length > 0 ? { ...spokenFact(measures, themes), confidence: 0.4 } : undefined,
    subjects: subjects && { ...subjects, ...idsOf(measures, terms) },
    setting: seenFact(scenes.map(({ term }) => term).join(', '), scenes),
    people: seenFact(peopleSentences(measures) ?? '', peopleSeenBy(measures)),
    horizon:
      horizon &&
      measuredFact(
        `${heightWords(horizon.height)}, ${Math.round(100 * horizon.height)}% from the top`,
        horizon.confidence,
      ),
    writing: writingFact(measures),
    content_hint: contentHintFact(measures),
    repeating_pattern:
      pattern &&
      measuredFact(
        `a motif every ${percent(pattern.stepX)}% of the width and ${percent(pattern.stepY)}% of the height`,
        pattern.likeness,
      ),
    figure_on_plain_ground:
      figure && measuredFact(`${figure.place}, ${percent(figure.share)}% of the surface`, figure.confidence),
  });
}

/** A face implies a person, unless a network has named the person already. */
const personByFace = ({ faces, subjects = [] }: Measures): (Witness & { term: string })[] =>
  isAboutPeople({ faces, subjects }) &&
  !subjects.some(({ term, broader }) => [term, ...broader].some((word) => PERSON.test(word)))
    ? [{ term: 'person', by: FACE_NETWORK, confidence: PERSON_BY_FACE }]
    : [];

type Witness = { readonly by: string; readonly confidence: number };

/**
 * Facts from networks; undefined without any.
 * @param confidenceMax upper limit of the confidence, 0 to 1
 */
export function seenFact(
  value: FactValue,
  witnesses: readonly Witness[],
  confidenceMax = 1,
): Fact | undefined {
  const seen = joinSeen(witnesses);
  if (!seen || String(value) === '') return undefined;
  const confidence = roundTo(Math.min(confidenceMax, seen.confidence), 2);
  return { value, basis: 'model', confidence, by: seen.by };
}

/** A fact derived from measurements and, if available, from networks. */
function spokenFact(measures: Measures, value: FactValue): Fact {
  const fact = measuredFact(value, 0.8);
  const { things, scenes, genres } = shownIn(measures);
  const seen = joinSeen([...peopleSeenBy(measures), ...things, ...scenes, ...genres]);
  return seen
    ? {
        ...fact,
        basis: 'model',
        confidence: roundTo(Math.min(fact.confidence, seen.confidence), 2),
        by: seen.by,
      }
    : fact;
}

/** Vocabulary ids of the words that are terms. */
function idsOf({ subjects = [] }: Measures, words: readonly string[]): { ids?: Record<string, TermIds> } {
  const known = subjects.flatMap(({ term, ids }) =>
    ids && words.includes(term) ? [[term, ids] as const] : [],
  );
  return known.length > 0 ? { ids: Object.fromEntries(known) } : {};
}
