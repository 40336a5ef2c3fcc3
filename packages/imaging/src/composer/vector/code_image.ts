import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { sharp } from '../../codecs/sharp.ts';
import { isOpaque, type Raster } from '../../pixels/raster.ts';
import type { CodedImage } from './marks.ts';
import { inkRaster, type PageInks } from './page_inks.ts';

export interface ImageCoding {
  readonly format: 'svg' | 'pdf';
  /** Of images that were lossy before, 1 to 100. Absent: 92. */
  readonly quality?: number | undefined;
  /** Every image keeps its pixels. */
  readonly isLossless?: boolean | undefined;
  /** Of a PDF for a press; images of inks are coded without loss. */
  readonly inks?: PageInks | undefined;
}

const QUALITY = 92;
/** JPEG, WebP and the boxes of HEIF: files of photographs, which have lost something before. */
const LOSSY = /^(?:ffd8ff|52494646|.{8}66747970)/;

const deflated = promisify(deflate);

/**
 * Codes an image for a page: as JPEG where it came lossy and is opaque, without loss otherwise.
 * @param file that it was read from; absent: it was drawn
 */
export async function codeImage(
  raster: Raster,
  file: Uint8Array | undefined,
  { format, quality = QUALITY, isLossless = false, inks }: ImageCoding,
): Promise<CodedImage> {
  const { width, height, channels, data } = raster;
  const source = () => sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  const isWhole = isOpaque(raster);
  if (inks) {
    const rows = inkRaster(raster, file ? inks.photo : inks.drawn);
    return { kind: 'inks', width, height, file: await deflated(rows), opacity: await opacityOf() };
  }
  const isPhoto =
    !isLossless && file !== undefined && LOSSY.test(Buffer.from(file.subarray(0, 12)).toString('hex'));
  if (isPhoto && (isWhole || format === 'pdf')) {
    const jpeg = source().removeAlpha().jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer();
    return { kind: 'jpeg', width, height, file: await jpeg, opacity: await opacityOf() };
  }
  const colors = isWhole || format === 'pdf' ? source().removeAlpha() : source();
  const png = await colors.png({ compressionLevel: 6 }).toBuffer();
  return { kind: 'png', width, height, file: png, opacity: await opacityOf() };

  async function opacityOf(): Promise<Uint8Array | undefined> {
    if (isWhole || format === 'svg') return undefined;
    return source().extractChannel(3).toColourspace('b-w').png({ compressionLevel: 6 }).toBuffer();
  }
}
