import { brokenPicture } from '../codecs/headers/header.ts';
import { IMAGE_SIDE_PX_MAX } from '../codecs/limits.ts';
import { jxlSize } from '../decoders/jxl.ts';
import { PDF_DPI } from '../decoders/limits.ts';
import { largestPreview } from '../decoders/raw_preview.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { type FileIdentity, type SampleModel, UNKNOWN_COLOR } from './file_identity.ts';
import { withDecodeErrors } from './identify_file.ts';
import { identifyHeif } from './read_heif.ts';
import { cameraRawIn } from './read_tiff.ts';

/** Formats that sharp does not support, but a decoder in `decoders/` does. */
export const FOREIGN_FORMATS = ['heic', 'bmp', 'ico', 'psd', 'svg', 'pdf', 'jxl', 'raw'] as const;
export type ForeignFormat = (typeof FOREIGN_FORMATS)[number];

const STARTS: readonly [ForeignFormat, RegExp][] = [
  ['raw', /^(FUJIFILMCCD-RAW|IIU\0|IIR[OS]|MMOR|.{4}ftypcrx )/s],
  ['heic', /^.{4}ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)/s],
  ['bmp', /^BM.{4}\0\0\0\0/s],
  ['jxl', /^(\xff\x0a|\0\0\0\x0cJXL )/],
  ['pdf', /^%PDF-/],
  ['psd', /^8BPS/],
  ['ico', /^\0\0[\x01\x02]\0/],
];
const HEAD_BYTES = 1024;

/** Detects one of these formats by its signature; undefined for everything else. */
export function foreignFormatOf(bytes: Uint8Array): ForeignFormat | undefined {
  if (isPngOrJpeg(bytes)) return undefined;
  const head = latin1(bytes, 0, HEAD_BYTES);
  if (/^(II\*\0|MM\0\*)/.test(head)) return cameraRawIn(bytes) === undefined ? undefined : 'raw';
  if (/^.{4}ftyp(mif1|msf1|miaf).{0,60}(avif|avis)/s.test(head)) return undefined;
  const start = STARTS.find(([, pattern]) => pattern.test(head))?.[0];
  return (
    start ??
    (/^(\xef\xbb\xbf)?\s*(<\?xml|<!--|<!DOCTYPE svg|<svg)/i.test(head) && /<svg[\s>]/i.test(head)
      ? 'svg'
      : undefined)
  );
}

/** Nearly all files, which need not be matched against the patterns. */
const isPngOrJpeg = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x89 ? bytes[1] === 0x50 && bytes[4] === 0x0d : bytes[0] === 0xff && bytes[1] === 0xd8;

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);

/**
 * Reads the properties of the image from the header alone.
 * @throws EngineError undecodable_image, unsupported_image; nothing else, for any bytes
 */
export function identifyForeign(format: ForeignFormat, bytes: Uint8Array): FileIdentity {
  return withDecodeErrors(bytes, () =>
    READERS[format](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  );
}

const READERS: Readonly<Record<ForeignFormat, (file: Buffer) => FileIdentity>> = {
  heic: identifyHeif,
  bmp: (file) => identityOf(bmpSize(file), { compression: 'BMP' }),
  ico: (file) =>
    identityOf(icoSize(file), { compression: 'icon', extra: ['alpha'], pages: file.readUInt16LE(4) }),
  psd: identifyPsd,
  svg: (file) => identityOf(svgSize(file), { compression: 'SVG', extra: ['alpha'] }),
  pdf: (file) => identityOf(pdfSize(file), { compression: 'PDF' }),
  jxl: (file) => identityOf(jxlSize(file), { compression: 'JPEG XL' }),
  raw: (file) => identityOf(rawSize(file), { compression: cameraRawIn(file) ?? 'camera raw' }),
};

interface Facts {
  readonly compression: string;
  readonly bits?: number;
  readonly model?: SampleModel;
  readonly channels?: number;
  readonly extra?: FileIdentity['samples']['extra'];
  readonly pages?: number;
}

function identityOf(
  { width, height }: Size,
  { compression, bits = 8, model = 'rgb', channels = 3, extra = [], pages = 1 }: Facts,
): FileIdentity {
  return {
    width,
    height,
    orientation: 1,
    samples: { bits, channels, model, extra },
    color: UNKNOWN_COLOR,
    hasLocation: false,
    pages: pages > 1 ? { used: 1, of: pages, losesOthers: true } : undefined,
    compression,
    faults: [],
  };
}

/** Size from BITMAPCOREHEADER or any later header; a negative height means top-down rows. */
const bmpSize = (file: Buffer): Size =>
  file.readUInt32LE(14) === 12
    ? { width: file.readUInt16LE(18), height: file.readUInt16LE(20) }
    : { width: file.readInt32LE(18), height: Math.abs(file.readInt32LE(22)) };

/** The largest size in the directory; 0 encodes 256. */
function icoSize(file: Buffer): Size {
  const sides = Array.from({ length: Math.min(256, file.readUInt16LE(4)) }, (_, entry) => ({
    width: file.readUInt8(6 + 16 * entry) || 256,
    height: file.readUInt8(7 + 16 * entry) || 256,
  }));
  const [first, ...others] = sides;
  if (!first) throw brokenPicture('the icon file contains no image');
  return others.reduce(
    (best, one) => (one.width * one.height > best.width * best.height ? one : best),
    first,
  );
}

const PSD_MODELS: Readonly<Record<number, readonly [SampleModel, number]>> = {
  0: ['mask', 1],
  1: ['grey', 1],
  2: ['palette', 1],
  3: ['rgb', 3],
  4: ['cmyk', 4],
  8: ['grey', 1],
  9: ['lab', 3],
};

function identifyPsd(file: Buffer): FileIdentity {
  const [model, colors] = PSD_MODELS[file.readUInt16BE(24)] ?? (['other', 1] as const);
  const channels = file.readUInt16BE(12);
  const size = { width: file.readUInt32BE(18), height: file.readUInt32BE(14) };
  const extra = channels > colors ? (['alpha'] as const) : [];
  return identityOf(size, { compression: 'Photoshop', bits: file.readUInt16BE(22), model, channels, extra });
}

const PX_PER_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
};
/** Default size of browsers for an SVG without dimensions. CSS Images 3, 5.1 */
const SVG_DEFAULT: Size = { width: 300, height: 150 };
const SVG_HEAD_BYTES = 64 * 1024;
/** An entity that refers to entities. Drawing programs declare plain entities for their namespaces. */
const NESTED_ENTITY = /<!ENTITY\s+[^\s"']{1,100}\s+(?:"[^"<>]*&\w+;|'[^'<>]*&\w+;)/;

/** Size from the attributes of the root element; approximate, because the decoder decides. */
function svgSize(file: Buffer): Size {
  const head = file.toString('latin1', 0, SVG_HEAD_BYTES);
  if (NESTED_ENTITY.test(head))
    throw new EngineError(
      'undecodable_image',
      'The entities of this SVG refer to each other and can expand without limit. Save it again without entities.',
    );
  const [root = ''] = /<svg\b[^>]{0,20000}/i.exec(head) ?? [];
  const side = (name: string): number | undefined => {
    const [, digits, unit = ''] =
      new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)\\s*(px|pt|pc|mm|cm|in)?\\s*["']`).exec(root) ?? [];
    return digits ? Number(digits) * (PX_PER_UNIT[unit] ?? 1) : undefined;
  };
  const [, boxWidth, boxHeight] =
    /\sviewBox\s*=\s*["'][\d.eE+-]+[\s,]+[\d.eE+-]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(root) ?? [];
  const width = side('width') ?? Number(boxWidth ?? SVG_DEFAULT.width);
  const height = side('height') ?? Number(boxHeight ?? SVG_DEFAULT.height);
  return bounded({ width, height });
}

const bounded = ({ width, height }: Size): Size => ({
  width: Math.max(1, Math.min(2 * IMAGE_SIDE_PX_MAX, Math.round(width) || 1)),
  height: Math.max(1, Math.min(2 * IMAGE_SIDE_PX_MAX, Math.round(height) || 1)),
});

/** A4 in points, used if the first page box is in a compressed object. */
const PDF_DEFAULT: Size = { width: 595, height: 842 };
const PDF_SCANNED_BYTES = 1024 * 1024;

/** Size of the first page box in the file at the rendering resolution; approximate, because the decoder decides. */
function pdfSize(file: Buffer): Size {
  const text = file.toString('latin1', 0, PDF_SCANNED_BYTES);
  const box =
    /\/MediaBox\s{0,9}\[\s{0,9}([\d.-]{1,12})\s{1,9}([\d.-]{1,12})\s{1,9}([\d.-]{1,12})\s{1,9}([\d.-]{1,12})/.exec(
      text,
    );
  const [left, bottom, right, top] = (box?.slice(1) ?? [0, 0, PDF_DEFAULT.width, PDF_DEFAULT.height]).map(
    Number,
  );
  const unit = Number(/\/UserUnit\s{1,9}([\d.]{1,9})/.exec(text)?.[1] ?? 1);
  const pixels = (points: number) => (points / 72) * PDF_DPI * unit;
  return bounded({ width: pixels(Math.abs(right! - left!)), height: pixels(Math.abs(top! - bottom!)) });
}

/** Size of the preview that is decoded. */
function rawSize(file: Buffer): Size {
  const preview = largestPreview(file);
  if (!preview)
    throw new EngineError(
      'unsupported_image',
      'This is a camera RAW file without a preview, and sensor data is not supported. Export it from your RAW program as JPEG or TIFF.',
    );
  return { width: preview.width, height: preview.height };
}
