/**
 * Names of files as clients know them, as part of the unguessable name under which bytes lie: letters, digits and hyphens as they are,
 * other bytes of UTF-8 as `_` and two hex digits. So a name needs no row, no header can be broken with it, and a link that is signed
 * has it signed as well.
 */

/** Of the encoded text. With time, random part and extension a name stays below the 255 bytes of file systems. */
const ENCODED_CHARACTERS_MAX = 120;
/** Of a name as it is sent, before it is cleaned; many times what is kept. */
const SENT_CHARACTERS_MAX = 500;
const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;
/** Names that Windows gives to devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The last part of a path as a name that every system takes; undefined where nothing is left of it. Control, invisible and
 * bidirectional characters are removed: with them a name could hide its type.
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

/** The middle of a long name is left out first: normalising a run of combining marks takes the square of its length. */
const cut = (name: string): string =>
  name.length > SENT_CHARACTERS_MAX
    ? name.slice(0, SENT_CHARACTERS_MAX) + (EXTENSION.exec(name.slice(-10))?.[0] ?? '')
    : name;

/**
 * At most ENCODED_CHARACTERS_MAX encoded; what is too long loses the end of its stem, not its extension. Each letter is encoded once:
 * a ZIP brings a thousand names of thousands of letters.
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

export const stemOfFileName = (name: string): string => name.replace(EXTENSION, '');

/** @param name as `cleanFileName` returns it */
export const encodeFileName = (name: string): string =>
  [...Buffer.from(name)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[A-Za-z0-9-]/.test(letter) ? letter : `_${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

/** Undefined for a text that `encodeFileName` does not make of a clean name. */
export function decodeFileName(text: string): string | undefined {
  const bytes = Buffer.from(
    text.replace(/_([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  const name = bytes.toString('utf8');
  return cleanFileName(name) === name && encodeFileName(name) === text ? name : undefined;
}

/** `Content-Disposition` with a name (RFC 6266): in ASCII for old clients, and exactly. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string | undefined): string {
  if (name === undefined) return kind;
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${exact}`}`;
}
