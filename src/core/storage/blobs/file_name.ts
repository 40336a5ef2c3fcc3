/**
 * Encodes file names of clients as part of the unguessable name of a stored file: letters, digits and hyphens unchanged, other UTF-8 bytes
 * as `_` and two hex digits. The name therefore needs no database row, cannot break a header, and is covered by the signature of a link.
 */

/** Limit of the encoded text. With time, random part and extension, a name stays below the 255 bytes of file systems. */
const ENCODED_CHARACTERS_MAX = 120;
/** Limit of a name before cleaning; many times the stored length. */
const SENT_CHARACTERS_MAX = 500;
const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;
/** Windows device names, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The last segment of a path as a name that every system accepts; undefined if nothing is left of it. Control, invisible and bidirectional
 * characters are removed, because they could hide the file type.
 */
export function cleanFileName(text: string): string | undefined {
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  const plain = cut(last)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu, '')
    .replace(/[<>:"|?*]/g, '-')
    .replace(/^[. ]+|[. ]+$/g, '')
    .replace(DEVICE, '_$1');
  return plain === '' ? undefined : shorten(plain);
}

/** Cuts the middle out of a long name first: normalising a run of combining marks takes quadratic time. */
const cut = (name: string): string =>
  name.length > SENT_CHARACTERS_MAX
    ? name.slice(0, SENT_CHARACTERS_MAX) + (EXTENSION.exec(name.slice(-10))?.[0] ?? '')
    : name;

/**
 * Shortens a name to ENCODED_CHARACTERS_MAX encoded characters; it loses the end of its stem, not its extension. Each letter is encoded
 * once: a ZIP may contain a thousand names of thousands of letters.
 */
function shorten(name: string): string | undefined {
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  let room = ENCODED_CHARACTERS_MAX - encodeFileName(extension).length;
  let end = 0;
  for (const letter of name.slice(0, name.length - extension.length)) {
    room -= encodeFileName(letter).length;
    if (room < 0) break;
    end += letter.length;
  }
  const stem = name.slice(0, end).trimEnd();
  return stem === '' ? undefined : stem + extension;
}

/** The name without its extension. */
export const stemOfFileName = (name: string): string => name.replace(EXTENSION, '');

/** @param name as `cleanFileName` returns it */
export const encodeFileName = (name: string): string =>
  [...Buffer.from(name)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[A-Za-z0-9-]/.test(letter) ? letter : `_${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

/** Undefined for a text that is not the encoding of a clean name. */
export function decodeFileName(text: string): string | undefined {
  const bytes = Buffer.from(
    text.replace(/_([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  const name = bytes.toString('utf8');
  return cleanFileName(name) === name && encodeFileName(name) === text ? name : undefined;
}

/** `Content-Disposition` with a name (RFC 6266): an ASCII fallback for old clients, and the exact name. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string | undefined): string {
  if (name === undefined) return kind;
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${exact}`}`;
}
