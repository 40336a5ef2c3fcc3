import { isAscii } from 'node:buffer';
import { requireBoundedJson } from '../json/parse_bounded_json.ts';
import { LongText } from './long_text.ts';

/** Stands for a long string; no client can know it. */
const MARK = `long:${crypto.randomUUID()}:`;

/**
 * `JSON.parse` of a request body in UTF-8, within JSON_LIMITS and several times faster where a base64 image makes up most of it: long
 * strings without escapes are cut out, the rest is parsed, and they are put back.
 * A raw line break in such a string, which JSON forbids, is accepted: it is the commonest defect of base64 in requests.
 * Under the names in `asBytes`, in the outermost object only, a long string in ASCII is a LongText.
 * @param onRelease called when a LongText is released
 * @throws SyntaxError as JSON.parse does; AtelierError payload_too_large
 */
export function parseJson(
  bytes: Buffer,
  asBytes: readonly string[] = [],
  onRelease: () => void = () => {},
): unknown {
  const long = requireBoundedJson(bytes);
  if (long.length === 0) return JSON.parse(textOf(bytes));
  const pieces: string[] = [];
  let end = 0;
  for (const [index, { from, to }] of long.entries()) {
    pieces.push(textOf(bytes.subarray(end, from)), MARK, String(index));
    end = to;
  }
  pieces.push(textOf(bytes.subarray(end)));
  const kept: [Record<string, unknown>, string][] = [];
  const root = JSON.parse(pieces.join(''), function (this: Record<string, unknown>, key, value) {
    if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
    const { from, to } = long[Number(value.slice(MARK.length))]!;
    const text = bytes.subarray(from, to);
    if (!asBytes.includes(key) || !isAscii(text)) return textOf(text);
    kept.push([this, key]);
    return new LongText(text, onRelease);
  });
  // Which object is the outermost is known only at the end.
  for (const [holder, name] of kept) if (holder !== root) holder[name] = String(holder[name]);
  return root;
}

/**
 * `parseJson` for a body that owns its buffer and is not used afterwards. Its memory is released at once, or with the last LongText:
 * many bodies arrive faster than garbage is collected.
 */
export function parseBody(bytes: Buffer, asBytes: readonly string[] = []): unknown {
  let inUse = 1;
  const release = () => {
    inUse -= 1;
    if (inUse === 0) (bytes.buffer as ArrayBuffer).transfer(0);
  };
  try {
    const value = parseJson(bytes, asBytes, release);
    if (typeof value === 'object' && value !== null)
      inUse += Object.values(value).filter((member) => member instanceof LongText).length;
    return value;
  } finally {
    release();
  }
}

/** Decoding ASCII as Latin-1 is a copy; as UTF-8 it is ten times slower. */
const textOf = (bytes: Buffer): string =>
  isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
