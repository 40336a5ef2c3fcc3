import { noSuchPage } from '../decoders/bounds.ts';
import { EngineError } from '../errors/engine_error.ts';
import { type Ifd, readIfd } from '../metadata/tiff/ifd.ts';

/** Largest number of directories followed. */
const DIRECTORIES_MAX = 500;

/**
 * Reduces a TIFF to one page: the header points to the page's directory, which ends the chain.
 * @param page from 1
 * @returns the file and its number of pages
 * @throws EngineError unsuitable_image for a page that the file does not have
 */
export function tiffOfPage(
  bytes: Uint8Array,
  page: number,
): { readonly bytes: Uint8Array; readonly of: number } {
  const chain = directoriesOf(bytes);
  const chosen = chain[page - 1];
  if (!chosen) throw noSuchPage(page, chain.length);
  if (chain.length === 1) return { bytes, of: 1 };
  const copy = Buffer.from(bytes);
  const { little, big, offset, entries } = chosen;
  const end = offset + (big ? 8 + 20 * entries.length : 2 + 12 * entries.length);
  const write = (value: number, at: number) => {
    if (big) copy[little ? 'writeBigUInt64LE' : 'writeBigUInt64BE'](BigInt(value), at);
    else copy[little ? 'writeUInt32LE' : 'writeUInt32BE'](value, at);
  };
  write(offset, big ? 8 : 4);
  write(0, end);
  return { bytes: copy, of: chain.length };
}

function directoriesOf(bytes: Uint8Array): readonly Ifd[] {
  const chain: Ifd[] = [];
  const seen = new Set<number>();
  for (let ifd = readIfd(bytes); ifd && !seen.has(ifd.offset) && chain.length < DIRECTORIES_MAX; ) {
    seen.add(ifd.offset);
    chain.push(ifd);
    ifd = ifd.next > 0 ? readIfd(bytes, ifd.next) : undefined;
  }
  return chain;
}

/** Rejects a page number above 1 for a format without pages. @throws EngineError unsuitable_image */
export function refuseFurtherPage(page: number, format: string): void {
  if (page === 1) return;
  throw new EngineError(
    'unsuitable_image',
    `Page ${page} does not exist: a ${format.toUpperCase()} has one image. Send a PDF or TIFF, or leave out pages.`,
    { errors: [{ field: 'pages', code: 'out_of_range', message: '1', got: page }] },
  );
}
