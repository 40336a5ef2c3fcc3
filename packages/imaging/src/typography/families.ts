/** A font family as packaged by Fontsource: one WOFF file per weight and character subset. */
export interface Family {
  readonly name: string;
  /** The package is @fontsource/<slug>. */
  readonly slug: string;
  readonly style: 'sans' | 'serif' | 'hand' | 'mono';
  readonly weights: readonly number[];
  /** Most likely first: a file is opened only if no earlier one has a character. */
  readonly subsets: readonly string[];
}

const LATIN = ['latin', 'latin-ext'];
const hundreds = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / 100 + 1 }, (_, at) => from + 100 * at);

/** Families that clients may request. */
export const FAMILIES: readonly Family[] = [
  {
    name: 'Inter',
    slug: 'inter',
    style: 'sans',
    weights: hundreds(100, 900),
    subsets: [...LATIN, 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext', 'greek-ext'],
  },
  {
    name: 'Manrope',
    slug: 'manrope',
    style: 'sans',
    weights: hundreds(200, 800),
    subsets: [...LATIN, 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext'],
  },
  {
    name: 'Atkinson Hyperlegible',
    slug: 'atkinson-hyperlegible',
    style: 'sans',
    weights: [400, 700],
    subsets: LATIN,
  },
  {
    name: 'Playfair Display',
    slug: 'playfair-display',
    style: 'serif',
    weights: hundreds(400, 900),
    subsets: [...LATIN, 'cyrillic', 'vietnamese'],
  },
  {
    name: 'Caveat',
    slug: 'caveat',
    style: 'hand',
    weights: hundreds(400, 700),
    subsets: [...LATIN, 'cyrillic', 'cyrillic-ext'],
  },
  {
    name: 'JetBrains Mono',
    slug: 'jetbrains-mono',
    style: 'mono',
    weights: hundreds(100, 800),
    subsets: [...LATIN, 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext'],
  },
];

export const DEFAULT_FAMILY = FAMILIES[0]!;

/** A family for characters that the chosen one lacks. */
export interface Fallback extends Omit<Family, 'style'> {
  /** Characters that it covers. */
  readonly characters: RegExp;
  /** Language that prefers it if several fallbacks cover the same characters. */
  readonly language?: 'zh' | 'ja' | 'ko';
  readonly isEmoji?: true;
}

const noto = (name: string, slug: string, characters: RegExp): Fallback => ({
  name: `Noto Sans ${name}`,
  slug: `noto-sans-${slug}`,
  weights: hundreds(100, 900),
  subsets: [slug],
  characters,
});

/** Han, kana, hangul, and punctuation of East Asia. */
const EAST_ASIAN =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\u3000-\u303f\u30a0\u30fb-\u30ff\uff00-\uffef]/u;
const eastAsian = (
  name: string,
  [slug, subset]: readonly [string, string],
  weights: readonly number[],
  language: 'zh' | 'ja' | 'ko',
): Fallback => ({ name, slug, weights, subsets: [subset], characters: EAST_ASIAN, language });

/**
 * In order of preference. The Noto families of East Asia are used if the operator has installed their packages (54 to 82 MB each); the smaller ones
 * after them are bundled.
 */
export const FALLBACKS: readonly Fallback[] = [
  noto('Arabic', 'arabic', /\p{sc=Arab}/u),
  noto('Hebrew', 'hebrew', /\p{sc=Hebr}/u),
  noto('Devanagari', 'devanagari', /[\p{sc=Deva}\u0964\u0965]/u),
  noto('Bengali', 'bengali', /\p{sc=Beng}/u),
  noto('Tamil', 'tamil', /\p{sc=Taml}/u),
  noto('Thai', 'thai', /\p{sc=Thai}/u),
  eastAsian('Noto Sans SC', ['noto-sans-sc', 'chinese-simplified'], hundreds(100, 900), 'zh'),
  eastAsian('ZCOOL XiaoWei', ['zcool-xiaowei', 'chinese-simplified'], [400], 'zh'),
  eastAsian('Noto Sans JP', ['noto-sans-jp', 'japanese'], hundreds(100, 900), 'ja'),
  eastAsian('Sawarabi Gothic', ['sawarabi-gothic', 'japanese'], [400], 'ja'),
  eastAsian('Noto Sans KR', ['noto-sans-kr', 'korean'], hundreds(100, 900), 'ko'),
  eastAsian('Gowun Dodum', ['gowun-dodum', 'korean'], [400], 'ko'),
  {
    name: 'Noto Color Emoji',
    slug: 'noto-color-emoji',
    weights: [400],
    subsets: ['emoji'],
    characters: /[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Regional_Indicator}]|\u20e3/u,
    isEmoji: true,
  },
];

/** Common families that are not bundled, with the style of their replacement. */
const REPLACED: Readonly<Record<string, Family['style']>> = {
  ...styleOf(
    'sans',
    'sans,sansserif,systemui,default,arial,helvetica,helveticaneue,roboto,opensans,verdana,tahoma,',
  ),
  ...styleOf(
    'sans',
    'segoeui,calibri,notosans,lato,montserrat,poppins,sourcesans,futura,impact,ubuntu,trebuchetms',
  ),
  ...styleOf(
    'serif',
    'serif,times,timesnewroman,georgia,garamond,notoserif,merriweather,baskerville,lora,palatino',
  ),
  ...styleOf(
    'hand',
    'hand,handwriting,handwritten,cursive,script,comicsansms,comicsans,brushscript,pacifico',
  ),
  ...styleOf(
    'mono',
    'mono,monospace,monospaced,courier,couriernew,consolas,menlo,monaco,firacode,sourcecodepro',
  ),
};
/** Words for a style, which are not part of a family name. */
const STYLE_WORDS =
  /^(sans|sansserif|systemui|default|serif|hand|handwriting|handwritten|cursive|script|mono|monospaced?)$/;

function styleOf(style: Family['style'], names: string): Record<string, Family['style']> {
  const entries = names.split(',').filter((name) => name !== '');
  return Object.fromEntries(entries.map((name) => [name, style]));
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Resolves a family name, a style (`serif`), or a common family, which is replaced by one of the same style.
 * @returns undefined for an unknown name
 */
export function findFamily(
  name: string,
): { readonly family: Family; readonly isReplaced: boolean } | undefined {
  const wanted = plain(name);
  const family = FAMILIES.find((one) => plain(one.name) === wanted);
  if (family) return { family, isReplaced: false };
  const style = Object.hasOwn(REPLACED, wanted) ? REPLACED[wanted] : undefined;
  const replacement = style && FAMILIES.find((one) => one.style === style);
  return replacement && { family: replacement, isReplaced: !STYLE_WORDS.test(wanted) };
}

/** Package-relative paths of the files of a family, in the nearest weight. */
export function fontFiles({ slug, weights, subsets }: Omit<Family, 'style'>, weight: number): string[] {
  const nearest = weights.reduce((best, one) =>
    Math.abs(one - weight) < Math.abs(best - weight) ? one : best,
  );
  return subsets.map((subset) => `@fontsource/${slug}/files/${slug}-${subset}-${nearest}-normal.woff`);
}
