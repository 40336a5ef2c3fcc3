import { IMAGE_BYTES_MAX } from '../limits.ts';
import { COST } from '../work_budget.ts';
import { type ColorSpace, GRAY, readColorSpace } from './color_space.ts';
import type { PdfDocument } from './document.ts';
import { isDictionary, type PdfDictionary, PdfStream } from './values.ts';

/** ISO 32000-1, 8.9 */
export interface PdfImage {
  /** Equal for the same object of the file. */
  readonly key: string;
  readonly stream: PdfStream;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  /** Stencil mask, painted with the current colour. */
  readonly isStencil: boolean;
  readonly space: ColorSpace;
  readonly filters: readonly string[];
  readonly hasSoftMask: boolean;
  /** Whether Decode inverts every component. */
  readonly isInverted: boolean;
}

/** Abbreviated keys of inline images. */
const ABBREVIATIONS: Record<string, string> = {
  Width: 'W',
  Height: 'H',
  BitsPerComponent: 'BPC',
  ColorSpace: 'CS',
  ImageMask: 'IM',
  Decode: 'D',
};

/** Reads an image XObject or an inline image. */
export function readImage(
  document: PdfDocument,
  stream: PdfStream,
  { key, spaces }: { key: string; spaces: PdfDictionary | undefined },
): PdfImage {
  document.work.spend(COST.resource);
  const entry = (name: string) =>
    stream.dictionary.get(name) ?? stream.dictionary.get(ABBREVIATIONS[name] ?? name);
  const number = (name: string): number => {
    const value = document.resolve(entry(name));
    return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0;
  };
  const isStencil = document.resolve(entry('ImageMask')) === true;
  const named = entry('ColorSpace');
  const space = named === undefined ? GRAY : readColorSpace(document, named, spaces);
  const decode = document.numbers(entry('Decode'));
  const softMask = document.resolve(entry('SMask'));
  return {
    key,
    stream,
    width: number('Width'),
    height: number('Height'),
    bits: isStencil ? 1 : number('BitsPerComponent') || 8,
    isStencil,
    space,
    filters: document.filters(stream.dictionary),
    hasSoftMask: softMask instanceof PdfStream || isDictionary(softMask) || number('SMaskInData') > 0,
    isInverted: decode.length > 1 && decode[0]! > decode[1]! && space.family !== 'Indexed',
  };
}

/** Samples of an image, each from 0 to 1, or an index for Indexed spaces. */
export interface Samples {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** Whether rows are missing at the end. */
  readonly isTruncated: boolean;
  at(x: number, y: number): number[];
}

/** Reads the samples of an image. Undefined for image filters and for images that are too large. */
export function readSamples(document: PdfDocument, image: PdfImage): Samples | 'broken' | undefined {
  const { width, height, bits, space } = image;
  const components = image.isStencil ? 1 : space.components;
  const rowBytes = Math.ceil((width * components * bits) / 8);
  if (![1, 2, 4, 8, 16].includes(bits) || rowBytes * height > IMAGE_BYTES_MAX || rowBytes === 0)
    return undefined;
  const { data, codec, problem } = document.decode(image.stream, IMAGE_BYTES_MAX);
  if (codec || problem === 'too_large' || problem === 'unknown_filter') return undefined;
  if (data.length < rowBytes) return 'broken';
  const full = space.family === 'Indexed' ? 1 : 2 ** bits - 1;
  const sample = (row: number, index: number): number => {
    if (bits === 8) return data[row + index] ?? 0;
    if (bits === 16) return ((data[row + 2 * index] ?? 0) << 8) | (data[row + 2 * index + 1] ?? 0);
    const bit = index * bits;
    return ((data[row + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
  };
  return {
    width,
    height: Math.min(height, Math.floor(data.length / rowBytes)),
    components,
    isTruncated: data.length < rowBytes * height,
    at: (x, y) =>
      Array.from({ length: components }, (_, index) => {
        const share = sample(y * rowBytes, x * components + index) / full;
        return image.isInverted ? 1 - share : share;
      }),
  };
}
