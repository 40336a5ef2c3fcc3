import { cleanFileName, contentDisposition } from '../../core/storage/blobs/file_name.ts';
import type { BytesAnswer, StoredFileAnswer } from './operation.ts';

/** Types that a browser displays without running scripts, given the policy below. */
const SHOWN =
  /^(image\/(png|apng|jpeg|webp|avif|gif|tiff|x-icon|svg\+xml)|application\/pdf|text\/plain)(;|$)/i;

/** Scripts and styles, which a page of this server could be made to load: its policy trusts URLs of this server. */
const PROGRAM = /\/(x-)?(java|ecma|j|live)script|^text\/css/i;

/**
 * Serves untrusted bytes so that a browser at most displays them: no scripts, no type sniffing, no framing; possible pages are sent as
 * downloads.
 */
export const untrustedFile = (
  bytes: Uint8Array | string,
  contentType: string,
  cacheControl: string,
): BytesAnswer => ({ bytes, ...untrustedHeaders(contentType, cacheControl) });

/** Types with scripts that would run when the object store serves them, because it sends no policy. */
const PAGE = /^image\/svg/i;

/** The same for a file on disk or in an object store that may serve it directly. */
export const untrustedStoredFile = (
  { name, ...file }: Pick<StoredFileAnswer, 'bytes' | 'version' | 'sha256' | 'contentType'> & NamedFile,
  cacheControl: string,
): StoredFileAnswer => ({
  ...file,
  ...untrustedHeaders(file.contentType, cacheControl, name),
  directDisposition: contentDisposition(
    SHOWN.test(file.contentType) && !PAGE.test(file.contentType) ? 'inline' : 'attachment',
    name && cleanFileName(name),
  ),
});

interface NamedFile {
  /** File name for saving: a name or path from a client. */
  readonly name?: string | undefined;
}

/** Type and headers of an untrusted file; scripts and styles become application/octet-stream. */
export const untrustedHeaders = (contentType: string, cacheControl: string, name?: string) => ({
  contentType: PROGRAM.test(contentType) ? 'application/octet-stream' : contentType,
  headers: {
    'Cache-Control': cacheControl,
    'Content-Disposition': contentDisposition(
      SHOWN.test(contentType) ? 'inline' : 'attachment',
      name && cleanFileName(name),
    ),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
  },
});
