import { cleanFileName, contentDisposition } from '../../core/storage/blobs/file_name.ts';
import type { BytesAnswer, StoredFileAnswer } from './operation.ts';

/** Types a browser shows without running anything in them, given the policy below. */
const SHOWN =
  /^(image\/(png|apng|jpeg|webp|avif|gif|tiff|x-icon|svg\+xml)|application\/pdf|text\/plain)(;|$)/i;

/** Types a page of ours would run or dress itself in, were it made to name such a file: its policy trusts this server's addresses. */
const PROGRAM = /\/(x-)?(java|ecma|j|live)script|^text\/css/i;

/**
 * Bytes that a stranger chose, answered so that a browser shows them at most: no script, no guessing of types, no page
 * of ours around them; whatever could be a page is offered for download.
 */
export const strangersFile = (
  bytes: Uint8Array | string,
  contentType: string,
  cacheControl: string,
): BytesAnswer => ({ bytes, ...strangersHead(contentType, cacheControl) });

/** Shown by a store, whose answer has no policy, such a file would run what is in it. */
const PAGE = /^image\/svg/i;

/** The same of a file on the disk, or in a store that may answer it itself. */
export const strangersStoredFile = (
  { name, ...file }: Pick<StoredFileAnswer, 'bytes' | 'version' | 'sha256' | 'contentType'> & NamedFile,
  cacheControl: string,
): StoredFileAnswer => ({
  ...file,
  ...strangersHead(file.contentType, cacheControl, name),
  directDisposition: contentDisposition(
    SHOWN.test(file.contentType) && !PAGE.test(file.contentType) ? 'inline' : 'attachment',
    name && cleanFileName(name),
  ),
});

interface NamedFile {
  /** What it is called when it is saved: a name or a path of a client. */
  readonly name?: string | undefined;
}

/** Type and headers of such a file; a program or style is bytes. */
export const strangersHead = (contentType: string, cacheControl: string, name?: string) => ({
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
