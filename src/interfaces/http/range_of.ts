import { AtelierError } from '../../core/errors/atelier_error.ts';

/** One range; a list of ranges gets the full response, as RFC 9110 (14.2) allows. */
const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The part of a file that a client requests (`Range`), so that it can resume a download: 206.
 * Undefined if the whole file is to be sent: no range, several, one that ends before it begins, or one of
 * another version (`If-Range`).
 * @param headers of the whole, including its strong ETag; sets Accept-Ranges
 * @throws AtelierError range_not_satisfiable
 */
export function rangeOf(
  request: Request,
  file: Uint8Array<ArrayBuffer> | Blob,
  headers: Headers,
): Response | undefined {
  headers.set('Accept-Ranges', 'bytes');
  const [, from = '', to = ''] = RANGE.exec(request.headers.get('range') ?? '') ?? [];
  const version = request.headers.get('if-range');
  const isRange = from === '' ? to !== '' : to === '' || Number(from) <= Number(to);
  if (!isRange || request.method !== 'GET') return undefined;
  if (version !== null && version !== headers.get('ETag')) return undefined;
  const size = file instanceof Blob ? file.size : file.length;
  // "-500" is the last 500 bytes.
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) {
    const detail = `The file has ${size} bytes. The requested range is outside it. Omit Range to get the complete file.`;
    throw new AtelierError('range_not_satisfiable', detail, {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  headers.set('Content-Range', `bytes ${first}-${last}/${size}`);
  headers.set('Content-Length', `${last - first + 1}`);
  const part = file instanceof Blob ? file.slice(first, last + 1).stream() : file.subarray(first, last + 1);
  return new Response(part, { status: 206, headers });
}

/** Whether the client already has this version (`If-None-Match`). */
export function knowsVersion(request: Request, etag: string): boolean {
  const known = (request.headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
