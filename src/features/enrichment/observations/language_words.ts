import type { BasicColor } from '@atelier/imaging/analysis/measure_color.ts';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Language names and tags that clients send. */
export const LANGUAGE_NAMES: Readonly<Record<string, Language>> = {
  english: 'en',
  'en-us': 'en',
  'en-gb': 'en',
  german: 'de',
  deutsch: 'de',
  'de-de': 'de',
  french: 'fr',
  francais: 'fr',
  'fr-fr': 'fr',
  spanish: 'es',
  espanol: 'es',
  'es-es': 'es',
  italian: 'it',
  italiano: 'it',
  'it-it': 'it',
  japanese: 'ja',
  'ja-jp': 'ja',
};

/** Sentences and labels of responses in one language. All other text is the observer's. */
export interface Phrases {
  readonly notObserved: string;
  readonly style: string;
  readonly mood: string;
  readonly period: string;
  readonly signed: string;
  readonly people: string;
  readonly text: string;
  readonly record: string;
  readonly colors: string;
  /** Replaces the name of a person. */
  readonly person: string;
  /** Describes an image of one even tone. */
  readonly plain: (color: string) => string;
  readonly quote: readonly [open: string, close: string];
  /** "Label: value." */
  readonly labelled: (label: string, value: string) => string;
  /** Joins subject, action and setting to one sentence. */
  readonly sentence: (parts: { subject: string; action: string; setting: string }) => string;
  readonly colorNames: Readonly<Record<NamedColor, string>>;
  readonly fields: Readonly<Record<MeasuredLabel, string>>;
}

/** The basic colours, and beige, which none of them covers. */
export type NamedColor = BasicColor | 'beige';

export type MeasuredLabel =
  | 'format'
  | 'focal_point'
  | 'balance'
  | 'symmetry'
  | 'edge_direction'
  | 'empty_space_pct'
  | 'tonal_key'
  | 'contrast'
  | 'quality'
  | 'brightest_area';

const inSpaces = ({ subject, action, setting }: { subject: string; action: string; setting: string }) =>
  `${[subject, action, setting].filter(Boolean).join(' ')}.`;
const withColon = (label: string, value: string) => `${label}: ${value}.`;

const COLOR_ORDER = 'red orange yellow green blue purple pink brown black white grey beige'.split(
  ' ',
) as NamedColor[];

export const COMPOSITION_LABELS: readonly MeasuredLabel[] = [
  'format',
  'focal_point',
  'balance',
  'symmetry',
  'edge_direction',
  'empty_space_pct',
];
export const LIGHT_LABELS: readonly MeasuredLabel[] = ['tonal_key', 'contrast', 'quality', 'brightest_area'];
const LABEL_ORDER: readonly MeasuredLabel[] = [...COMPOSITION_LABELS, ...LIGHT_LABELS];

export const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    notObserved: 'Not observed.',
    style: 'Style',
    mood: 'Mood',
    period: 'Period',
    signed: 'Signed',
    people: 'People shown',
    text: 'Text',
    record: 'Museum record',
    colors: 'Main colours',
    person: 'a person',
    plain: (color) => `A plain ${color} surface.`,
    quote: ['“', '”'],
    labelled: withColon,
    sentence: inSpaces,
    colorNames: names('red orange yellow green blue purple pink brown black white grey beige'),
    fields: labels(
      'format|focal point|balance|symmetry|edges|plain area|key|contrast|quality|brightest area',
    ),
  },
  de: {
    notObserved: 'Nicht beobachtet.',
    style: 'Stil',
    mood: 'Stimmung',
    period: 'Zeit',
    signed: 'Signiert',
    people: 'Abgebildete Personen',
    text: 'Text',
    record: 'Museumsangabe',
    colors: 'Hauptfarben',
    person: 'eine Person',
    plain: (color) => `Eine einfarbige Fläche (${color}).`,
    quote: ['„', '“'],
    labelled: withColon,
    sentence: inSpaces,
    colorNames: names('Rot Orange Gelb Grün Blau Violett Rosa Braun Schwarz Weiß Grau Beige'),
    fields: labels(
      'Format|Blickpunkt|Gewichtung|Symmetrie|Kanten|leere Fläche|Tonlage|Kontrast|Licht|hellste Stelle',
    ),
  },
  fr: {
    notObserved: 'Non observé.',
    style: 'Style',
    mood: 'Ambiance',
    period: 'Époque',
    signed: 'Signé',
    people: 'Personnes représentées',
    text: 'Texte',
    record: 'Notice du musée',
    colors: 'Couleurs principales',
    person: 'une personne',
    plain: (color) => `Une surface unie (${color}).`,
    quote: ['« ', ' »'],
    labelled: (label, value) => `${label} : ${value}.`,
    sentence: inSpaces,
    colorNames: names('rouge orange jaune vert bleu violet rose brun noir blanc gris beige'),
    fields: labels(
      'format|point focal|équilibre|symétrie|contours|surface vide|tonalité|contraste|lumière|zone la plus claire',
    ),
  },
  es: {
    notObserved: 'No observado.',
    style: 'Estilo',
    mood: 'Ambiente',
    period: 'Época',
    signed: 'Firmado',
    people: 'Personas representadas',
    text: 'Texto',
    record: 'Ficha del museo',
    colors: 'Colores principales',
    person: 'una persona',
    plain: (color) => `Una superficie lisa (${color}).`,
    quote: ['«', '»'],
    labelled: withColon,
    sentence: inSpaces,
    colorNames: names('rojo naranja amarillo verde azul violeta rosa marrón negro blanco gris beige'),
    fields: labels(
      'formato|punto focal|equilibrio|simetría|bordes|área vacía|tonalidad|contraste|luz|zona más clara',
    ),
  },
  it: {
    notObserved: 'Non osservato.',
    style: 'Stile',
    mood: 'Atmosfera',
    period: 'Epoca',
    signed: 'Firmato',
    people: 'Persone raffigurate',
    text: 'Testo',
    record: 'Scheda del museo',
    colors: 'Colori principali',
    person: 'una persona',
    plain: (color) => `Una superficie uniforme (${color}).`,
    quote: ['«', '»'],
    labelled: withColon,
    sentence: inSpaces,
    colorNames: names('rosso arancione giallo verde blu viola rosa marrone nero bianco grigio beige'),
    fields: labels(
      'formato|punto focale|equilibrio|simmetria|contorni|area vuota|tonalità|contrasto|luce|zona più chiara',
    ),
  },
  ja: {
    notObserved: '観察されていません。',
    style: '様式',
    mood: '雰囲気',
    period: '時代',
    signed: '署名',
    people: '写っている人数',
    text: '文字',
    record: '美術館の記録',
    colors: '主な色',
    person: '人物',
    plain: (color) => `${color}一色の画面。`,
    quote: ['「', '」'],
    labelled: (label, value) => `${label}：${value}。`,
    sentence: ({ subject, action, setting }) =>
      `${[setting, action ? `${subject}が${action}` : subject].filter(Boolean).join('、')}。`,
    colorNames: names('赤 オレンジ 黄 緑 青 紫 ピンク 茶 黒 白 灰 ベージュ'),
    fields: labels('形|焦点|重心|対称性|輪郭の向き|余白|明暗の調子|コントラスト|光|最も明るい部分'),
  },
};

function names(words: string): Record<NamedColor, string> {
  const each = words.split(' ');
  return Object.fromEntries(COLOR_ORDER.map((color, at) => [color, each[at]])) as Record<NamedColor, string>;
}

function labels(words: string): Record<MeasuredLabel, string> {
  const each = words.split('|');
  return Object.fromEntries(LABEL_ORDER.map((label, at) => [label, each[at]])) as Record<
    MeasuredLabel,
    string
  >;
}

/** Measured values in de, fr, es, it, ja. Values not listed stay in English. */
const VALUES: Readonly<Record<string, readonly [string, string, string, string, string]>> = {
  'landscape format': ['Querformat', 'paysage', 'horizontal', 'orizzontale', '横長'],
  'portrait format': ['Hochformat', 'portrait', 'vertical', 'verticale', '縦長'],
  square: ['quadratisch', 'carré', 'cuadrado', 'quadrato', '正方形'],
  panorama: ['Panorama', 'panorama', 'panorámico', 'panoramico', 'パノラマ'],
  'tall strip': ['hoher Streifen', 'bande verticale', 'tira vertical', 'striscia verticale', '縦長の帯'],
  'upper left': ['oben links', 'en haut à gauche', 'arriba a la izquierda', 'in alto a sinistra', '左上'],
  'upper centre': ['oben Mitte', 'en haut au centre', 'arriba en el centro', 'in alto al centro', '上中央'],
  'upper right': ['oben rechts', 'en haut à droite', 'arriba a la derecha', 'in alto a destra', '右上'],
  'left of centre': [
    'links der Mitte',
    'à gauche du centre',
    'izquierda del centro',
    'a sinistra del centro',
    '中央左',
  ],
  centre: ['Mitte', 'centre', 'centro', 'centro', '中央'],
  'right of centre': [
    'rechts der Mitte',
    'à droite du centre',
    'derecha del centro',
    'a destra del centro',
    '中央右',
  ],
  'lower left': ['unten links', 'en bas à gauche', 'abajo a la izquierda', 'in basso a sinistra', '左下'],
  'lower centre': ['unten Mitte', 'en bas au centre', 'abajo en el centro', 'in basso al centro', '下中央'],
  'lower right': ['unten rechts', 'en bas à droite', 'abajo a la derecha', 'in basso a destra', '右下'],
  balanced: ['ausgewogen', 'équilibré', 'equilibrado', 'equilibrato', '均衡'],
  'heavier on the left': [
    'links schwerer',
    'plus lourd à gauche',
    'más peso a la izquierda',
    'più peso a sinistra',
    '左が重い',
  ],
  'heavier on the right': [
    'rechts schwerer',
    'plus lourd à droite',
    'más peso a la derecha',
    'più peso a destra',
    '右が重い',
  ],
  none: ['keine', 'aucune', 'ninguna', 'nessuna', 'なし'],
  'strong, about the vertical axis': [
    'stark, senkrechte Achse',
    'forte, axe vertical',
    'fuerte, eje vertical',
    'forte, asse verticale',
    '強い、垂直軸',
  ],
  'strong, about the horizontal axis': [
    'stark, waagrechte Achse',
    'forte, axe horizontal',
    'fuerte, eje horizontal',
    'forte, asse orizzontale',
    '強い、水平軸',
  ],
  'strong, about both axes': [
    'stark, beide Achsen',
    'forte, deux axes',
    'fuerte, ambos ejes',
    'forte, entrambi gli assi',
    '強い、両軸',
  ],
  'approximate, about the vertical axis': [
    'annähernd, senkrechte Achse',
    'approximative, axe vertical',
    'aproximada, eje vertical',
    'approssimativa, asse verticale',
    'おおよそ、垂直軸',
  ],
  'approximate, about the horizontal axis': [
    'annähernd, waagrechte Achse',
    'approximative, axe horizontal',
    'aproximada, eje horizontal',
    'approssimativa, asse orizzontale',
    'おおよそ、水平軸',
  ],
  'approximate, about both axes': [
    'annähernd, beide Achsen',
    'approximative, deux axes',
    'aproximada, ambos ejes',
    'approssimativa, entrambi gli assi',
    'おおよそ、両軸',
  ],
  level: ['waagrecht', 'horizontaux', 'horizontales', 'orizzontali', '水平'],
  upright: ['senkrecht', 'verticaux', 'verticales', 'verticali', '垂直'],
  'rising to the right': [
    'nach rechts steigend',
    'montant vers la droite',
    'suben a la derecha',
    'salgono a destra',
    '右上がり',
  ],
  'falling to the right': [
    'nach rechts fallend',
    'descendant vers la droite',
    'bajan a la derecha',
    'scendono a destra',
    '右下がり',
  ],
  'level and upright': [
    'waagrecht und senkrecht',
    'horizontaux et verticaux',
    'horizontales y verticales',
    'orizzontali e verticali',
    '水平と垂直',
  ],
  mixed: ['gemischt', 'mélangés', 'mixtos', 'misti', '混在'],
  'high key': ['hell', 'claire', 'clara', 'chiara', '明るい'],
  'middle key': ['mittel', 'moyenne', 'media', 'media', '中間'],
  'low key': ['dunkel', 'sombre', 'oscura', 'scura', '暗い'],
  'very low': ['sehr gering', 'très faible', 'muy bajo', 'molto basso', 'とても弱い'],
  low: ['gering', 'faible', 'bajo', 'basso', '弱い'],
  moderate: ['mittel', 'moyen', 'medio', 'medio', '中程度'],
  high: ['hoch', 'élevé', 'alto', 'alto', '強い'],
  'very high': ['sehr hoch', 'très élevé', 'muy alto', 'molto alto', 'とても強い'],
  even: ['gleichmäßig', 'uniforme', 'uniforme', 'uniforme', '均一'],
  soft: ['weich', 'douce', 'suave', 'morbida', '柔らかい'],
  contrasty: ['kontrastreich', 'contrastée', 'contrastada', 'contrastata', '明暗が強い'],
  spotlit: ['punktuell', 'en faisceau', 'focalizada', 'puntuale', 'スポット'],
  silhouetted: ['Gegenlicht', 'en silhouette', 'a contraluz', 'in controluce', 'シルエット'],
};

/** Translates a measured value; returns unknown values unchanged. */
export function translateValue(value: string, language: Language): string {
  const others: readonly Language[] = LANGUAGES.slice(1);
  return VALUES[value]?.[others.indexOf(language)] ?? value;
}

/** Words that are frequent in one language and absent from the others. */
const STOP_WORDS: Readonly<Record<Exclude<Language, 'ja'>, RegExp>> = {
  en: /\b(?:the|with|and|of|an|is|are|on|at|behind|from|by)\b/giu,
  de: /\b(?:der|das|ein|eine|einem|einer|einen|mit|und|auf|vor|im|am|ist|sitzt|steht|hinter)\b/giu,
  fr: /\b(?:le|les|une|des|du|avec|et|dans|sur|au|devant|derrière|est|son)\b|\bd['’]/giu,
  es: /\b(?:el|los|las|una|con|en|sobre|junto|del|y|está|ante)\b/giu,
  it: /\b(?:il|lo|gli|uno|con|nel|nella|sul|sulla|di|e|davanti|accanto|della)\b/giu,
};

/** Detects the language of a text by script and stop words; undefined if that is not conclusive. */
export function languageOf(text: string): Language | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  const counts = Object.entries(STOP_WORDS).map(
    ([language, words]) => [language as Language, text.match(words)?.length ?? 0] as const,
  );
  const [first, second] = counts.toSorted(([, one], [, other]) => other - one);
  return first![1] >= 2 && first![1] > second![1] ? first![0] : undefined;
}

/**
 * Words for basic colours by language, as whole words with their inflections. Names of flowers and fruit are
 * left out.
 */
export const COLOR_WORDS: Readonly<Record<Language, Readonly<Partial<Record<BasicColor, RegExp>>>>> = {
  en: words({
    red: 'red|crimson|scarlet',
    orange: 'orange',
    yellow: 'yellow',
    green: 'green',
    blue: 'blue',
    purple: 'purple|violet',
    pink: 'pink',
    brown: 'brown',
    black: 'black',
    white: 'white',
    grey: 'gr[ea]y',
  }),
  de: words({
    red: '(?:hell|dunkel)?rot(?:e[nrsm]?)?',
    orange: 'orange(?:farbene?[nrsm]?|ne[nrsm]?)?',
    yellow: '(?:hell|dunkel)?gelb(?:e[nrsm]?)?',
    green: '(?:hell|dunkel)?grün(?:e[nrsm]?)?',
    blue: '(?:hell|dunkel)?blau(?:e[nrsm]?)?',
    purple: 'lila|violett(?:e[nrsm]?)?',
    pink: 'rosa|rosafarbene?[nrsm]?|pink(?:e[nrsm]?)?',
    brown: '(?:hell|dunkel)?braun(?:e[nrsm]?)?',
    black: 'schwarz(?:e[nrsm]?)?',
    white: 'wei(?:ß|ss)(?:e[nrsm]?)?',
    grey: '(?:hell|dunkel)?grau(?:e[nrsm]?)?',
  }),
  fr: words({
    red: 'rouges?',
    yellow: 'jaunes?',
    green: 'verte?s?',
    blue: 'bleue?s?',
    purple: 'violette?s?',
    brown: 'brune?s?|marron',
    black: 'noire?s?',
    white: 'blanc(?:he)?s?',
    grey: 'grise?s?',
  }),
  es: words({
    red: 'roj[oa]s?',
    yellow: 'amarill[oa]s?',
    green: 'verdes?',
    blue: 'azul(?:es)?',
    purple: 'morad[oa]s?|violetas?',
    brown: 'marr(?:ón|ones)',
    black: 'negr[oa]s?',
    white: 'blanc[oa]s?',
    grey: 'gris(?:es)?',
  }),
  it: words({
    red: 'ross[oaie]|rosse',
    yellow: 'giall[oaie]',
    green: 'verd[ei]',
    blue: 'blu|azzurr[oaie]',
    purple: 'viola',
    brown: 'marron[ei]',
    black: 'ner[oaie]',
    white: 'bianc(?:o|a|hi|he)',
    grey: 'grigi[oae]?',
  }),
  ja: {
    red: /赤い?/gu,
    orange: /オレンジ色の?/gu,
    yellow: /黄色い?の?/gu,
    green: /緑色?の?/gu,
    blue: /青い?/gu,
    purple: /紫色?の?/gu,
    pink: /ピンク色?の?/gu,
    brown: /茶色い?の?/gu,
    black: /黒い?/gu,
    white: /白い?/gu,
    grey: /灰色の?/gu,
  },
};

function words(patterns: Partial<Record<BasicColor, string>>): Partial<Record<BasicColor, RegExp>> {
  return Object.fromEntries(
    Object.entries(patterns).map(([color, pattern]) => [
      color,
      new RegExp(`(?<![\\p{L}-])(?:${pattern})(?![\\p{L}-])`, 'giu'),
    ]),
  );
}

/** Words for the orientation of an image. */
export const FORMAT_WORDS: readonly (readonly [
  format: 'landscape' | 'portrait' | 'square',
  words: RegExp,
])[] = [
  [
    'portrait',
    /\bportrait[- ](?:format|orientation)|\bhochformat|\bformat portrait|\bformato vertical|縦長の(?:画像|写真|絵)/iu,
  ],
  [
    'landscape',
    /\blandscape[- ](?:format|orientation)|\bquerformat|\bformat paysage|\bformato (?:horizontal|orizzontale)|横長の(?:画像|写真|絵)/iu,
  ],
  [
    'square',
    /\bsquare[- ](?:format|image|picture|photo)|\bquadratisches? bild|\bformat carré|\bformato (?:cuadrado|quadrato)|正方形の(?:画像|写真|絵)/iu,
  ],
];

/** Claims that an image is monochrome. */
export const MONOCHROME_WORDS =
  /\bblack[- ]and[- ]white\b|\bmonochrome\b|\bgr[ea]yscale\b|\bschwarz[- ]?wei(?:ß|ss)|\bnoir et blanc|\bblanco y negro|\bbianco e nero|白黒|モノクロ/iu;
