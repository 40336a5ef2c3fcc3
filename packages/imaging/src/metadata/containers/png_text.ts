import { inflateSync } from 'node:zlib';
import type { Chunk } from '../../pixels/png_chunks.ts';
import { XMP_BYTES_MAX } from '../limits.ts';

export const XMP_KEYWORD = 'XML:com.adobe.xmp';
/** ImageMagick's and ExifTool's keyword for IPTC-IIM, which PNG does not define. */
export const IIM_KEYWORD = 'Raw profile type iptc';

export interface PngText {
  readonly keyword: string;
  readonly data: Buffer;
  readonly encoding: 'latin1' | 'utf8';
}

export const isTextChunk = ({ type }: Chunk): boolean => /^(tEXt|zTXt|iTXt)$/.test(type);

/** Reads a tEXt, zTXt or iTXt chunk; undefined for other chunks, and for one that is damaged or inflates beyond the limit. PNG 3rd edition, 11.3.3 */
export function pngText({ type, data }: Chunk): PngText | undefined {
  const end = data.indexOf(0);
  if (end < 1) return undefined;
  const keyword = data.toString('latin1', 0, end);
  const after = data.subarray(end + 1);
  if (type === 'tEXt') return { keyword, data: after, encoding: 'latin1' };
  if (type === 'zTXt') return pngTextOf(inflateText(after.subarray(1)), keyword, 'latin1');
  if (type !== 'iTXt') return undefined;
  const language = after.indexOf(0, 2);
  const translated = language < 0 ? -1 : after.indexOf(0, language + 1);
  if (translated < 0) return undefined;
  const text = after.subarray(translated + 1);
  return pngTextOf(after[0] === 0 ? text : inflateText(text), keyword, 'utf8');
}

const pngTextOf = (data: Buffer | undefined, keyword: string, encoding: PngText['encoding']) =>
  data && { keyword, data, encoding };

function inflateText(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: XMP_BYTES_MAX });
  } catch {
    return undefined;
  }
}

/** The bytes of a "Raw profile type …": a line feed, name, length, then hexadecimal lines. */
export function rawProfile(data: Buffer): Buffer | undefined {
  const [head, length] = /^\n?\S+\s+(\d{1,9})\s/.exec(data.toString('latin1', 0, 200)) ?? [];
  if (head === undefined) return undefined;
  const bytes = Buffer.from(data.toString('latin1', head.length).replace(/\s+/g, ''), 'hex');
  return bytes.length === Number(length) ? bytes : undefined;
}
