import type { Mark } from '../content/mark.ts';
import type { MarkRule } from './rule.ts';
import { DPI_LINE_ART, DPI_MIN, DPI_RECOMMENDED } from './thresholds.ts';

const DPI_MAX = 1200;

const isImage = (mark: Mark) => mark.kind === 'image' && mark.image !== undefined;
const isToned = ({ image }: Mark) => image !== undefined && !image.isStencil && image.bits > 1;
const round = (value: number) => Math.round(value);
const byObject = (mark: Mark): string => mark.image?.key ?? mark.object;
/** Deduplicates an image placed several times at one size, such as mirrored bleed. */
const bySize = (mark: Mark): string => `${byObject(mark)} at ${round(mark.dpi ?? 0)} dpi`;

/** Rules for images at their placed size. */
export const PLACED_IMAGE_RULES: readonly MarkRule[] = [
  {
    id: 'image_below_150_dpi',
    about: 'mark',
    severity: 'error',
    basis: 'Trade practice: at least 150 dpi at reading distance',
    deduplicationKey: bySize,
    check: (mark) =>
      isImage(mark) &&
      isToned(mark) &&
      mark.dpi! < DPI_MIN - 0.5 &&
      `It has ${round(mark.dpi!)} dpi at this size and will look blurred.`,
    remedy: 'Place a larger image, or make it smaller on the page (upscale_image adds pixels).',
  },
  {
    id: 'image_below_225_dpi',
    about: 'mark',
    severity: 'warning',
    basis: 'Trade practice: 225 to 300 dpi for offset',
    deduplicationKey: bySize,
    check: (mark) =>
      isImage(mark) &&
      isToned(mark) &&
      mark.dpi! >= DPI_MIN - 0.5 &&
      mark.dpi! < DPI_RECOMMENDED - 0.5 &&
      `It has ${round(mark.dpi!)} dpi at this size; 300 dpi is recommended.`,
    remedy: 'Place a larger image (upscale_image adds pixels).',
  },
  {
    id: 'line_art_below_550_dpi',
    about: 'mark',
    severity: 'warning',
    basis: 'Trade practice: at least 600 dpi for 1-bit images',
    deduplicationKey: bySize,
    check: (mark) =>
      isImage(mark) &&
      !isToned(mark) &&
      mark.image!.width * mark.image!.height > 64 &&
      mark.dpi! < DPI_LINE_ART &&
      `A 1-bit image has ${round(mark.dpi!)} dpi; its edges will look jagged.`,
    remedy: 'Scan it at 600 to 1200 dpi, or convert it to vectors (vectorize_image).',
  },
  {
    id: 'image_too_fine',
    about: 'mark',
    severity: 'info',
    basis: 'Trade practice: more than a press can reproduce',
    deduplicationKey: bySize,
    check: (mark) =>
      isImage(mark) &&
      isToned(mark) &&
      mark.dpi! > DPI_MAX &&
      mark.image!.width * mark.image!.height > 1e6 &&
      `It has ${round(mark.dpi!)} dpi at this size, more than is visible.`,
    remedy: 'Scale it down to 300 to 450 dpi.',
  },
  {
    id: 'image_16_bit',
    about: 'mark',
    severity: 'error',
    severityWithoutStandard: 'info',
    standards: ['pdfx1a', 'pdfx3', 'none'],
    basis: 'ISO 15930-1 to -6: no 16 bits per component (PDF 1.5); ISO 32000-1, 8.9.5.1',
    deduplicationKey: byObject,
    check: (mark) => isImage(mark) && mark.image!.bits === 16 && 'It has 16 bits per component.',
    remedy: 'Reduce it to 8 bits.',
  },
  {
    id: 'image_of_no_size',
    about: 'mark',
    severity: 'error',
    basis: 'ISO 32000-1, 8.9.5: width, height and bits',
    check: (mark) =>
      isImage(mark) &&
      (mark.image!.width === 0 || mark.image!.height === 0 || ![1, 2, 4, 8, 16].includes(mark.image!.bits)) &&
      'Its width, height or bits per component are invalid.',
    remedy: 'Place it again.',
  },
];
