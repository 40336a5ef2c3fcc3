import type { Mark } from '../content/mark.ts';
import { containsBox, expandBox, intersection, pointsOf } from '../content/matrix.ts';
import { ALL_INKS, inksOf, isBlackOnly } from '../pdf/inks.ts';
import { trimOf } from '../pdf/pages.ts';
import { ANY_PDFX, type MarkRule } from './rule.ts';

const SMALL_TEXT_PT = 12;
const TINY_TEXT_PT = 5;
const SAFE_MM = 3;

const inks = ({ paint }: Mark) =>
  paint.pattern === undefined && paint.values.length > 0 ? inksOf(paint.space, paint.values) : undefined;
const fontOf = ({ font }: Mark): string => font?.name ?? 'no font';
const round = (value: number) => Math.round(value);
const isShown = (mark: Mark): boolean => !mark.isInvisible;

/** Rules for text and fonts. */
export const TEXT_RULES: readonly MarkRule[] = [
  {
    id: 'font_not_embedded',
    about: 'mark',
    severity: 'error',
    basis: 'ISO 15930: all fonts embedded; ISO 32000-1, 9.9',
    deduplicationKey: fontOf,
    check: ({ kind, font, isInvisible }) =>
      kind === 'text' &&
      !isInvisible &&
      font &&
      !font.isEmbedded &&
      `The font ${font.name.slice(0, 80)} (${font.kind.slice(0, 20)}) is not embedded; another font will be printed.`,
    remedy: 'Embed the font when exporting, or convert the text to outlines.',
  },
  {
    id: 'font_empty',
    about: 'mark',
    severity: 'error',
    basis: 'ISO 32000-1, 9.9: embedded font programs',
    deduplicationKey: fontOf,
    check: ({ kind, font }) =>
      kind === 'text' &&
      font?.isFileEmpty &&
      `The embedded file of the font ${font.name.slice(0, 80)} is empty.`,
    remedy: 'Embed the font again.',
  },
  {
    id: 'font_type3',
    about: 'mark',
    severity: 'warning',
    basis: 'Trade practice: glyphs are drawings, often coarse bitmaps; ISO 32000-1, 9.6.5',
    deduplicationKey: fontOf,
    check: ({ kind, font }) =>
      kind === 'text' &&
      font?.kind === 'Type3' &&
      `The font ${font.name.slice(0, 80)} is a Type 3 font: its glyphs are drawings or bitmaps.`,
    remedy: 'Use an outline font (OpenType, TrueType, Type 1).',
  },
  {
    id: 'font_missing',
    about: 'mark',
    severity: 'error',
    basis: 'ISO 32000-1, 9.3: text needs a font',
    check: ({ kind, font }) => kind === 'text' && !font && 'Text has no font.',
    remedy: 'Export it again.',
  },
  {
    id: 'text_invisible',
    about: 'mark',
    severity: 'info',
    basis: 'Trade practice: OCR text of a scan; ISO 32000-1, 9.3.6',
    deduplicationKey: () => 'text',
    check: ({ isInvisible }) => isInvisible && 'It has invisible text, as in scans with OCR.',
    remedy: 'Check whether the text is meant to be printed.',
  },
  {
    id: 'text_tiny',
    about: 'mark',
    severity: 'warning',
    basis: 'Trade practice: at least 5 pt',
    check: (mark) =>
      mark.kind === 'text' &&
      isShown(mark) &&
      (mark.fontSize ?? 99) < TINY_TEXT_PT - 0.05 &&
      `Text of ${round(10 * mark.fontSize!) / 10} pt is hard to print and to read.`,
    remedy: `Set it in ${TINY_TEXT_PT} pt or more.`,
  },
  {
    id: 'text_rich_black',
    about: 'mark',
    severity: 'warning',
    basis: 'Trade practice: small black text in one ink, because misregistration shows coloured edges',
    check: (mark) => {
      const found =
        mark.kind === 'text' && isShown(mark) && (mark.fontSize ?? 99) <= SMALL_TEXT_PT
          ? inks(mark)
          : undefined;
      const others = [...(found ?? [])].filter(([ink, share]) => ink !== 'Black' && share > 0.02).length;
      return (
        found &&
        !found.has(ALL_INKS) &&
        (found.get('Black') ?? 0) > 0.7 &&
        others > 0 &&
        `Black text of ${round(mark.fontSize!)} pt uses ${others + 1} inks.`
      );
    },
    remedy: 'Set small black text in black only (0, 0, 0, 100); rich black is for large areas.',
  },
  {
    id: 'text_black_knocks_out',
    about: 'mark',
    severity: 'info',
    standards: ANY_PDFX,
    basis: 'Trade practice: black text overprints, because misregistration shows paper around it',
    deduplicationKey: () => 'text',
    check: (mark) => {
      const found =
        mark.kind === 'text' && isShown(mark) && !mark.overprint && (mark.fontSize ?? 99) <= SMALL_TEXT_PT
          ? inks(mark)
          : undefined;
      return found && isBlackOnly(found) && 'Small black text knocks out instead of overprinting.';
    },
    remedy: 'Set black text to overprint; on white paper it makes no difference.',
  },
  {
    id: 'text_near_cut',
    about: 'mark',
    severity: 'warning',
    basis: 'Trade practice: 3 mm between text and trim',
    check: (mark, _criteria, { page }) => {
      if (mark.kind !== 'text' || !isShown(mark)) return false;
      const trim = trimOf(page);
      const touches = intersection(mark.box, trim) !== undefined;
      return (
        touches &&
        !containsBox(mark.box, expandBox(trim, -pointsOf(SAFE_MM) / page.userUnit)) &&
        `Text is less than ${SAFE_MM} mm from the trim.`
      );
    },
    remedy: `Move it at least ${SAFE_MM} mm inside the trim.`,
  },
];
