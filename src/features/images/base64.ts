import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import { mistakeIn } from './mistakes.ts';

/** `data:image/png;name=f.png;base64,` */
const DATA_URL_HEAD = /^data:[^,]{0,1000},/i;
const IS_BASE64 = /;\s*base64\s*,$/i;

/**
 * Bytes of base64 in either alphabet, with or without padding, line breaks or a `data:` prefix. Anything else is refused:
 * Node's decoder skips what it does not know, and half a picture is worse than none.
 * @throws AtelierError invalid_input, payload_too_large (before decoding)
 */
export function decodeBase64(text: string, field: string, maxBytes: number): Uint8Array {
  // Generous, for line breaks; the exact size is known after decoding.
  if (text.length > maxBytes * 1.5 + 2000) throw tooLarge(field, maxBytes);
  const bytes = decodeTolerantly(payloadOf(text, field));
  if (bytes === undefined) throw notBase64(text, field);
  if (bytes.length === 0) throw invalidField(field, `${field} is empty. Send the bytes of a file as base64.`);
  if (bytes.length > maxBytes) throw tooLarge(field, maxBytes);
  return bytes;
}

/** Short enough for V8's space of young objects, where a string costs next to nothing; whole groups of four. */
const PIECE_CHARACTERS = 32 * 1024;

/**
 * The same from the ASCII bytes of a text, without ever making one long string of it. Nothing for text with line breaks,
 * mistakes, or more than `maxBytes` in it: `decodeBase64` reads it or says what is wrong.
 */
export function decodeUnbrokenBase64(ascii: Buffer, maxBytes: number): Uint8Array | undefined {
  const [head = ''] = DATA_URL_HEAD.exec(ascii.toString('latin1', 0, 1100)) ?? [];
  if (head && !IS_BASE64.test(head)) return undefined;
  const payload = ascii.subarray(head.length);
  const digits = payload.length - paddingOf(payload.toString('latin1', payload.length - 2));
  const bytes = Buffer.allocUnsafeSlow(Math.floor((digits * 3) / 4));
  if (digits % 4 === 1 || bytes.length === 0 || bytes.length > maxBytes) return undefined;
  let written = 0;
  for (let at = 0; at < digits; at += PIECE_CHARACTERS) {
    const end = Math.min(at + PIECE_CHARACTERS, digits);
    const piece = bytes.write(payload.toString('latin1', at, end), written, 'base64');
    if (piece !== Math.floor(((end - at) * 3) / 4)) return undefined;
    written += piece;
  }
  return bytes;
}

export const tooLarge = (field: string, maxBytes: number): AtelierError =>
  new AtelierError('payload_too_large', `${field} has more than ${maxBytes} bytes. Send a smaller file.`);

function payloadOf(text: string, field: string): string {
  if (!/^data:/i.test(text)) return text;
  const head = DATA_URL_HEAD.exec(text);
  if (head && IS_BASE64.test(head[0])) return text.slice(head[0].length);
  throw invalidField(
    field,
    `The data: URL in ${field} is not base64. Send data:image/png;base64,… or the base64 alone.`,
  );
}

/** Nothing when a character does not belong: then fewer bytes come out than the length promises. */
function decodeTolerantly(payload: string): Buffer | undefined {
  return (
    decodeExactly(payload) ?? (/\s/.test(payload) ? decodeExactly(payload.replace(/\s+/g, '')) : undefined)
  );
}

function decodeExactly(payload: string): Buffer | undefined {
  const digits = payload.length - paddingOf(payload);
  if (digits % 4 === 1) return undefined;
  const bytes = Buffer.from(payload, 'base64');
  return bytes.length === Math.floor((digits * 3) / 4) ? bytes : undefined;
}

const paddingOf = (payload: string): number => (payload.endsWith('==') ? 2 : payload.endsWith('=') ? 1 : 0);

function notBase64(text: string, field: string): AtelierError {
  const mistake = mistakeIn(text);
  if (mistake) return invalidField(field, `${field} ${mistake}`);
  const payload = text.replace(DATA_URL_HEAD, '');
  const at = payload.replace(/=+\s*$/, '').search(/[^A-Za-z0-9+/_\-\s]/);
  const detail =
    at < 0 ? 'it ends in the middle' : `character ${JSON.stringify(payload[at])} at position ${at}`;
  return invalidField(
    field,
    `${field} is not valid base64 (${detail}). Send the bytes of the file as base64, or a handle such as https://… or upload:<id>.`,
  );
}
