import { ASSET_KEY_CHARACTERS_MAX } from '../../config/limits.ts';
import { invalidField } from '../../core/errors/atelier_error.ts';
import type { AssetLink } from './types.ts';

/**
 * Normalises a key: NFC, so that two encodings of the same letters are one key. Refuses control characters, line separators and
 * lone surrogates; everything else is valid, slashes and emoji included.
 * @throws AtelierError invalid_input
 */
export function assetKey(text: string): string {
  const key = text.normalize('NFC');
  if (key === '') throw invalidField('key', 'key is empty. Name the asset, for example "logo.png".');
  if (key.length > ASSET_KEY_CHARACTERS_MAX) {
    throw invalidField('key', `key has ${key.length} characters. The limit is ${ASSET_KEY_CHARACTERS_MAX}.`);
  }
  if (!isPlain(key))
    throw invalidField(
      'key',
      'key contains a control character or an unpaired surrogate. Use letters, digits, spaces and symbols.',
    );
  return key;
}

/**
 * As `assetKey`, for a key to be saved. Refuses bidirectional control characters: a key could look like another one, or hide its
 * file type. Existing assets with such keys stay readable.
 * @throws AtelierError invalid_input
 */
export function newAssetKey(text: string): string {
  const key = assetKey(text);
  if (!TURNS_TEXT.test(key)) return key;
  throw invalidField(
    'key',
    'key contains a bidirectional control character (such as U+202E), which can make it look like another key. Remove it.',
  );
}

/** The characters with the Unicode property Bidi_Control. */
const TURNS_TEXT = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** As `assetKey`, for a prefix of keys, which may be empty. */
export function assetKeyPrefix(text: string): string {
  const prefix = text.normalize('NFC');
  if (!isPlain(prefix))
    throw invalidField('prefix', 'prefix contains a control character or an unpaired surrogate.');
  return prefix;
}

/** A cursor is the last key of the previous page. */
export const cursorAfter = (key: string): string => Buffer.from(key).toString('base64url');

/** The key in a cursor. @throws AtelierError invalid_input */
export function keyOfCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (key !== '' && isPlain(key) && cursorAfter(key) === cursor) return key;
  throw invalidField(
    'cursor',
    'cursor is invalid. Send next_cursor of the previous page, or omit cursor for the first page.',
  );
}

const isPlain = (text: string): boolean => text.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(text);

/** The parts of a link to an asset; empty where the query lacks one. */
export function assetLinkIn(query: URLSearchParams): AssetLink {
  const part = (name: keyof AssetLink): string => query.get(name) ?? '';
  return {
    wallet: part('wallet'),
    key: part('key'),
    from: part('from'),
    made: part('made'),
    by: part('by'),
    exp: part('exp'),
    sig: part('sig'),
  };
}
