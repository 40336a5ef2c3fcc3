import { EngineError } from '../errors/engine_error.ts';
import {
  DEFAULT_FAMILY,
  FALLBACKS,
  FAMILIES,
  type Fallback,
  type Family,
  findFamily,
  fontFiles,
} from './families.ts';
import { type Font, openFont } from './font.ts';

/** Reads a font file by a path from `fontFiles`; undefined if its package is not installed. */
export type ReadFont = (path: string) => Uint8Array | undefined;

/** Maximum bytes of fonts that stay open between texts. A colour emoji font alone exceeds this and is closed with the next font. */
const OPEN_BYTES_MAX = 24 * 1024 * 1024;
const opened = new Map<string, Font>();
const absent = new Set<string>();

/** Opens a font file, which stays open for the next text. @returns undefined where its package is not installed */
export function openFontFile(path: string, readFont: ReadFont): Font | undefined {
  const known = opened.get(path);
  if (known) {
    opened.delete(path);
    opened.set(path, known);
    return known;
  }
  const file = absent.has(path) ? undefined : readFont(path);
  if (!file) {
    absent.add(path);
    return undefined;
  }
  const font = openFont(path, file);
  opened.set(path, font);
  closeOldest();
  return font;
}

/** Fonts of texts in progress stay referenced. */
function closeOldest(): void {
  let bytes = [...opened.values()].reduce((sum, font) => sum + font.bytes, 0);
  for (const [path, font] of opened) {
    if (bytes <= OPEN_BYTES_MAX || opened.size === 1) return;
    opened.delete(path);
    bytes -= font.bytes;
  }
}

/** Fonts for one text: the chosen family and its fallbacks. */
export interface FontChoice {
  /** The first file of the chosen family, whose metrics apply to empty lines. */
  readonly primary: Font;
  readonly family: string;
  /** The requested name, if another family replaced it. */
  readonly replaced?: string;
  /** The first font with all these characters. */
  find(characters: readonly number[], grapheme: string): { font: Font; family: string } | undefined;
}

export interface FontWish {
  /** Family or style. Default: the default family. */
  readonly font?: string | undefined;
  /** 100 to 900. */
  readonly weight: number;
  /** BCP 47; selects the font of Chinese characters. */
  readonly language?: string | undefined;
}

/**
 * @param text without a language, determines the preferred fonts of East Asia
 * @throws EngineError invalid_input for an unknown family
 */
export function chooseFonts(
  { font, weight, language }: FontWish,
  text: string,
  readFont: ReadFont,
): FontChoice {
  const found = font === undefined ? { family: DEFAULT_FAMILY, isReplaced: false } : findFamily(font);
  if (!found) throw unknownFamily(font!);
  const { family, isReplaced } = found;
  const fallbacks = orderFallbacks(language ?? languageIn(text));
  const primary = openFontFile(fontFiles(family, weight)[0]!, readFont);
  if (!primary) throw new Error(`the package of the font ${family.name} is not installed`);
  const lookIn = (one: Family | Fallback, characters: readonly number[]) => {
    for (const path of fontFiles(one, weight)) {
      const file = openFontFile(path, readFont);
      if (file && characters.every((codePoint) => file.covers(codePoint)))
        return { font: file, family: one.name };
    }
    return undefined;
  };
  return {
    primary,
    family: family.name,
    ...(isReplaced && { replaced: font! }),
    find(characters, grapheme) {
      const fitting = fallbacks.filter((one) => one.characters.test(grapheme));
      const isEmoji = EMOJI.test(grapheme);
      const families: (Family | Fallback)[] = isEmoji
        ? [...fitting.filter((one) => one.isEmoji), family]
        : [family, ...fitting, DEFAULT_FAMILY];
      for (const one of families) {
        const fit = lookIn(one, characters);
        if (fit) return fit;
      }
      return undefined;
    },
  };
}

/** Emoji presentation by default, or by a variation selector. */
const EMOJI = /\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}/u;

function languageIn(text: string): NonNullable<Fallback['language']> {
  if (/[\p{sc=Hira}\p{sc=Kana}]/u.test(text)) return 'ja';
  return /\p{sc=Hang}/u.test(text) ? 'ko' : 'zh';
}

function orderFallbacks(language: string): readonly Fallback[] {
  const isPreferred = (one: Fallback): boolean =>
    one.language !== undefined && language.startsWith(one.language);
  return [...FALLBACKS.filter(isPreferred), ...FALLBACKS.filter((one) => !isPreferred(one))];
}

const unknownFamily = (name: string): EngineError =>
  new EngineError(
    'invalid_input',
    `font: there is no family "${name.slice(0, 60)}". Send one of ${FAMILIES.map((one) => one.name).join(', ')}, or sans, serif, hand or mono.`,
  );
