/** Accent suffixes of glyph names, as combining characters. */
const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circumflex: '\u0302',
  tilde: '\u0303',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  dieresis: '\u0308',
  ring: '\u030a',
  hungarumlaut: '\u030b',
  caron: '\u030c',
  cedilla: '\u0327',
  ogonek: '\u0328',
};

/**
 * Alternating names and characters. Source: Adobe Glyph List for New Fonts 1.7, the characters of Latin, Greek and the
 * standard encodings.
 */
const NAMED = `
space   exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle ' parenleft ( parenright ) asterisk * plus + comma ,
hyphen - period . slash / zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 colon : semicolon ; less < equal = greater >
question ? at @ bracketleft [ backslash \\ bracketright ] asciicircum ^ underscore _ grave \` braceleft { bar | braceright } asciitilde ~
exclamdown ¡ cent ¢ sterling £ currency ¤ yen ¥ brokenbar ¦ section § dieresis ¨ copyright © ordfeminine ª guillemotleft « logicalnot ¬
sfthyphen - softhyphen - registered ® macron ¯ degree ° plusminus ± twosuperior ² threesuperior ³ acute ´ mu µ mu1 µ paragraph ¶
periodcentered · middot · cedilla ¸ onesuperior ¹ ordmasculine º guillemotright » onequarter ¼ onehalf ½ threequarters ¾ questiondown ¿
AE Æ ae æ Eth Ð eth ð multiply × Oslash Ø oslash ø Thorn Þ thorn þ germandbls ß divide ÷ Dcroat Đ dcroat đ Hbar Ħ hbar ħ dotlessi ı IJ Ĳ ij ĳ
kgreenlandic ĸ Lslash Ł lslash ł Ldot Ŀ ldot ŀ Eng Ŋ eng ŋ OE Œ oe œ Tbar Ŧ tbar ŧ longs ſ florin ƒ napostrophe ŉ
Gcommaaccent Ģ gcommaaccent ģ Kcommaaccent Ķ kcommaaccent ķ Lcommaaccent Ļ lcommaaccent ļ Ncommaaccent Ņ ncommaaccent ņ
Rcommaaccent Ŗ rcommaaccent ŗ Scommaaccent Ș scommaaccent ș Tcommaaccent Ț tcommaaccent ț Idot İ
circumflex ˆ caron ˇ breve ˘ dotaccent ˙ ring ˚ ogonek ˛ tilde ˜ hungarumlaut ˝ endash – emdash — quoteleft ‘ quoteright ’ quotesinglbase ‚
quotedblleft “ quotedblright ” quotedblbase „ dagger † daggerdbl ‡ bullet • ellipsis … perthousand ‰ guilsinglleft ‹ guilsinglright ›
fraction ⁄ Euro € trademark ™ partialdiff ∂ Delta ∆ product ∏ summation ∑ minus − radical √ infinity ∞ integral ∫ approxequal ≈ notequal ≠
lessequal ≤ greaterequal ≥ lozenge ◊ fi ﬁ fl ﬂ ff ﬀ ffi ﬃ ffl ﬄ Omega Ω
Alpha Α Beta Β Gamma Γ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ
Phi Φ Chi Χ Psi Ψ alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ nu ν xi ξ omicron ο pi π rho ρ
sigma σ sigma1 ς tau τ upsilon υ phi φ chi χ psi ψ omega ω Alphatonos Ά Epsilontonos Έ Etatonos Ή Iotatonos Ί Omicrontonos Ό
Upsilontonos Ύ Omegatonos Ώ alphatonos ά epsilontonos έ etatonos ή iotatonos ί omicrontonos ό upsilontonos ύ omegatonos ώ
afii61352 № afii00208 ―`;

const NAMES: ReadonlyMap<string, string> = new Map([
  ...[...NAMED.matchAll(/(\w+) (\S| (?= ))/g)].map(([, name, character]) => [name!, character!] as const),
  ...cyrillic(10_017, 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐЂЃЄЅІЇЈЉЊЋЌЎ'),
  ...cyrillic(10_065, 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяґђѓєѕіїјљњћќў'),
  ...cyrillic(10_145, 'Џ'),
  ...cyrillic(10_193, 'џ'),
]);

/** Glyph names of Cyrillic letters are numbered consecutively. */
function cyrillic(first: number, letters: string): (readonly [string, string])[] {
  return [...letters].map((letter, at) => [`afii${first + at}`, letter] as const);
}

/**
 * Returns the character of a glyph name: from the list, as a letter with an accent, or by its code point (`uni20AC`,
 * `u1F600`).
 * @returns undefined for names without a character, such as those of symbol fonts
 */
export function characterOf(name: string): string | undefined {
  const [plain = ''] = name.split('.');
  if (/^[A-Za-z]$/.test(plain)) return plain;
  const known = NAMES.get(plain);
  if (known !== undefined) return known;
  const [, number] = /^(?:uni([0-9A-F]{4})|u[0-9A-F]{4,6})$/.exec(plain) ?? [];
  const code = number ?? /^u([0-9A-F]{4,6})$/.exec(plain)?.[1];
  if (code !== undefined) return scalar(Number.parseInt(code, 16));
  const [, letter, accent] = /^(AE|ae|Oslash|oslash|[A-Za-z]|dotlessi)([a-z]+)$/.exec(plain) ?? [];
  const mark = accent !== undefined && Object.hasOwn(ACCENTS, accent) ? ACCENTS[accent] : undefined;
  if (letter === undefined || mark === undefined) return undefined;
  const composed = `${NAMES.get(letter) ?? letter}${mark}`.normalize('NFC');
  return [...composed].length === 1 ? composed : undefined;
}

const scalar = (code: number): string | undefined =>
  code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined;
