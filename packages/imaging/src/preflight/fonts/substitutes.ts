/** A bundled font that is metric-compatible with a common family. */
export interface Substitute {
  /** "Arimo" */
  readonly family: string;
  /** "Arimo Bold Italic" */
  readonly name: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isSerif: boolean;
  readonly isFixedPitch: boolean;
  /** Font files as packaged by Fontsource, one per script, the most likely first. */
  readonly files: readonly string[];
  /** Widths of the standard font of this style where they differ from the substitute's, in thousandths of an em. */
  readonly standardWidths: Readonly<Record<string, number>>;
}

interface Family {
  readonly name: string;
  readonly slug: string;
  /** Matches names without style, reduced to letters and digits. */
  readonly replaces: RegExp;
  readonly isSerif: boolean;
  readonly isFixedPitch: boolean;
}

const FAMILIES: readonly Family[] = [
  {
    name: 'Arimo',
    slug: 'arimo',
    replaces: /^(helvetica|arial|arimo|liberationsans|nimbussansl?|nimbussanl|freesans|texgyreheros)$/,
    isSerif: false,
    isFixedPitch: false,
  },
  {
    name: 'Tinos',
    slug: 'tinos',
    replaces:
      /^(times|timesroman|timesnewroman|tinos|liberationserif|nimbusroman(no9l)?|nimbusromno9l|freeserif|texgyretermes)$/,
    isSerif: true,
    isFixedPitch: false,
  },
  {
    name: 'Cousine',
    slug: 'cousine',
    replaces: /^(courier|couriernew|cousine|liberationmono|nimbusmonol?|nimbusmonps|freemono|texgyrecursor)$/,
    isSerif: false,
    isFixedPitch: true,
  },
];

const SCRIPTS = [
  'latin',
  'latin-ext',
  'greek',
  'cyrillic',
  'vietnamese',
  'hebrew',
  'greek-ext',
  'cyrillic-ext',
];

/**
 * Characters of the standard fonts with other widths in Arimo and Tinos, which follow Arial and Times New Roman. By
 * family, bold and italic. Source: Adobe Core 14 AFM files 4.1, compared with Fontsource 5.3.0.
 */
const STANDARD_WIDTHS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Arimo: { ƒ: 556, '·': 278, '¯': 333, '÷': 584, '±': 584, µ: 556, ď: 643, ť: 317, ľ: 299 },
  'Arimo Bold': { ƒ: 556, '·': 278, '¯': 333, '÷': 584, '±': 584, µ: 611, ď: 743, ť: 389, ľ: 400 },
  'Arimo Italic': { ƒ: 556, '·': 278, '¯': 333, '÷': 584, '±': 584, µ: 556, ď: 643, ť: 317, ľ: 299, ī: 278 },
  'Arimo Bold Italic': { ƒ: 556, '·': 278, '¯': 333, '÷': 584, '±': 584, µ: 611, ď: 743, ť: 389, ľ: 400 },
  Tinos: { '·': 250, '¯': 333, '÷': 564, '±': 564, µ: 500, ď: 588, ť: 326, ľ: 344 },
  'Tinos Bold': { '·': 250, '¯': 333, '÷': 570, '±': 570, µ: 556, ď: 672, ť: 416, ľ: 394 },
  'Tinos Italic': { '¯': 333, '÷': 675, '±': 675, µ: 500, ď: 544, ť: 300, ľ: 300, Ľ: 611 },
  'Tinos Bold Italic': { '¯': 333, '÷': 570, '±': 570, ď: 608, ť: 366, ľ: 382 },
};

const STYLE = /(bold|italic|ital|oblique|obli|regular|regu|normal|ps|mt|std)/g;

/**
 * Returns the substitute of a font that is not embedded.
 * @param baseFont name in the file: "ABCDEF+Arial,BoldItalic", "Times-Roman"
 * @returns undefined for families without a metric-compatible font
 */
export function substituteFor(baseFont: string): Substitute | undefined {
  const plain = baseFont
    .slice(0, 200)
    .replace(/^[A-Z]{6}\+/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const rest = plain.replace(STYLE, '');
  const family = FAMILIES.find(({ replaces }) => replaces.test(rest));
  if (!family) return undefined;
  const { slug, isSerif, isFixedPitch } = family;
  const isBold = plain.includes('bold');
  const isItalic = /ital|obli/.test(plain);
  const name = `${family.name}${isBold ? ' Bold' : ''}${isItalic ? ' Italic' : ''}`;
  const style = `${isBold ? 700 : 400}-${isItalic ? 'italic' : 'normal'}`;
  return {
    family: family.name,
    name,
    isBold,
    isItalic,
    isSerif,
    isFixedPitch,
    files: SCRIPTS.map((script) => `@fontsource/${slug}/files/${slug}-${script}-${style}.woff`),
    standardWidths: STANDARD_WIDTHS[name] ?? {},
  };
}
