import { ASSET_KEY_CHARACTERS_MAX } from '../../config/limits.ts';
import { invalidField } from '../../core/errors/atelier_error.ts';

/**
 * The one form a key is kept in: NFC, so that keys that look alike in two encodings of the same letters are one key.
 * Control characters, line separators and halves of characters are refused; everything else, slashes and emoji too, is fine.
 * @throws AtelierError invalid_input
 */
export function assetKey(text: string): string {
  const key = text.normalize('NFC');
  if (key === '') throw invalidField('key', 'key is empty. Name the asset, for example "logo.png".');
  if (key.length > ASSET_KEY_CHARACTERS_MAX) {
    throw invalidField(
      'key',
      `key has ${key.length} characters; at most ${ASSET_KEY_CHARACTERS_MAX} are kept.`,
    );
  }
  if (!isPlain(key))
    throw invalidField(
      'key',
      'key holds a control character or half a character. Use letters, digits, spaces and signs.',
    );
  return key;
}

/**
 * As `assetKey` for a key that is to be kept. Characters that turn the direction of text are refused: a key could look like
 * another one, or hide what kind of file it names. Nothing kept before is out of reach for it.
 * @throws AtelierError invalid_input
 */
export function newAssetKey(text: string): string {
  const key = assetKey(text);
  if (!TURNS_TEXT.test(key)) return key;
  throw invalidField(
    'key',
    'key holds a character that turns the direction of text (such as U+202E), by which it could look like another key. Leave it out.',
  );
}

/** The characters of Unicode with the property Bidi_Control. */
const TURNS_TEXT = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** As `assetKey` for the beginning of keys, which may be empty. */
export function assetKeyPrefix(text: string): string {
  const prefix = text.normalize('NFC');
  if (!isPlain(prefix)) throw invalidField('prefix', 'prefix holds a control character or half a character.');
  return prefix;
}

/** A cursor is the last key of the page before. */
export const cursorAfter = (key: string): string => Buffer.from(key).toString('base64url');

/** @throws AtelierError invalid_input */
export function keyOfCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (key !== '' && isPlain(key) && cursorAfter(key) === cursor) return key;
  throw invalidField(
    'cursor',
    'cursor is not one of ours. Send next_cursor of the page before, or nothing for the first page.',
  );
}

const isPlain = (text: string): boolean => text.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(text);
