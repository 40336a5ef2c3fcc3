import type { PictureFormat } from '../../codecs/read_header.ts';
import { riffChunks } from '../../metadata/containers/riff_chunks.ts';
import { entryOf, readIfd } from '../../metadata/tiff/ifd.ts';
import { pngChunks } from '../../pixels/png_chunks.ts';

const SUBFILE_TAG = 254;
/** Bit of NewSubfileType: a smaller copy of another page. TIFF 6.0, section 8. */
const REDUCED = 1;

/** Whether a file holds frames or pages beside its first picture, which marking that alone would lose. */
export function hasMorePictures(bytes: Uint8Array, format: PictureFormat): boolean {
  if (format === 'png') return pngChunks(bytes).chunks.some(({ type }) => type === 'acTL');
  if (format === 'webp') return riffChunks(bytes).chunks.filter(({ type }) => type === 'ANMF').length > 1;
  if (format !== 'tiff') return false;
  const { next = 0 } = readIfd(bytes) ?? {};
  const second = next > 0 ? readIfd(bytes, next) : undefined;
  const [kind = 0] = entryOf(second, SUBFILE_TAG)?.data.filter((byte) => byte > 0) ?? [];
  return second !== undefined && (kind & REDUCED) === 0;
}
