import { isAscii } from 'node:buffer';
import { AtelierError } from '../errors/atelier_error.ts';
import { JSON_STRUCTURE_BYTES_MAX } from './limits.ts';
import { LongText } from './long_text.ts';

/** Below this, JSON.parse on the whole text is as fast. */
const LONG_CHARACTERS = 64 * 1024;
/** Stands for a long string; nobody outside can know it. */
const MARK = `long:${crypto.randomUUID()}:`;

/**
 * `JSON.parse` of UTF-8 bytes, several times faster where a picture in base64 makes up most of them: long strings without
 * escapes are cut out by searching for their closing quote, the rest is parsed, and they are put back. What is left beside
 * long strings is bounded, because millions of small values would hold up everybody else.
 * A raw line break in such a string, which JSON forbids, is let through: it is the commonest slip with base64.
 * Under the names in `asBytes`, in the outermost object only, a long string in ASCII is a LongText.
 * @throws SyntaxError as JSON.parse does; AtelierError payload_too_large
 */
export function parseJson(bytes: Buffer, asBytes: readonly string[] = []): unknown {
  const long = bytes.length < LONG_CHARACTERS ? [] : longStrings(bytes);
  const plain = long.filter(({ from, to }) => !bytes.subarray(from, to).includes(BACKSLASH));
  if (plain.length === 0) return JSON.parse(textOf(bytes));
  const pieces: string[] = [];
  let end = 0;
  for (const [index, { from, to }] of plain.entries()) {
    pieces.push(textOf(bytes.subarray(end, from)), MARK, String(index));
    end = to;
  }
  pieces.push(textOf(bytes.subarray(end)));
  const kept: [Record<string, unknown>, string][] = [];
  const root = JSON.parse(pieces.join(''), function (this: Record<string, unknown>, key, value) {
    if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
    const { from, to } = plain[Number(value.slice(MARK.length))]!;
    const text = bytes.subarray(from, to);
    if (!asBytes.includes(key) || !isAscii(text)) return textOf(text);
    kept.push([this, key]);
    return new LongText(text);
  });
  // Which object is the outermost is known only at the end.
  for (const [holder, name] of kept) if (holder !== root) holder[name] = String(holder[name]);
  return root;
}

const tooMuchStructure = (): AtelierError =>
  new AtelierError(
    'payload_too_large',
    `Beside pictures and other long texts the body may have at most ${JSON_STRUCTURE_BYTES_MAX / 2 ** 20} MiB. Send fewer fields.`,
  );

interface Span {
  readonly from: number;
  readonly to: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Where the contents of long strings lie. Outside strings valid JSON has no quotes, so every pair of them is a string.
 * @throws AtelierError payload_too_large when too much lies beside them
 */
function longStrings(bytes: Buffer): Span[] {
  const found: Span[] = [];
  let inside = 0;
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    if (open - inside > JSON_STRUCTURE_BYTES_MAX) throw tooMuchStructure();
    const close = closingQuote(bytes, open + 1);
    if (close < 0) break;
    if (close - open > LONG_CHARACTERS && !isKey(bytes, close)) {
      found.push({ from: open + 1, to: close });
      inside += close - open - 1;
    }
    open = bytes.indexOf(QUOTE, close + 1);
  }
  if (bytes.length - inside > JSON_STRUCTURE_BYTES_MAX) throw tooMuchStructure();
  return found;
}

/** A name is followed by a colon; JSON.parse gives its reviver no way to put a name back. */
const isKey = (bytes: Buffer, close: number): boolean =>
  /^\s*:/.test(bytes.toString('latin1', close + 1, close + 100));

/** The next quote with an even number of backslashes before it; -1 when there is none. */
function closingQuote(bytes: Buffer, from: number): number {
  for (let quote = bytes.indexOf(QUOTE, from); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH && quote - 1 - backslashes >= from) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return -1;
}

/** Decoding ASCII as Latin-1 is a copy; as UTF-8 it is ten times slower. */
const textOf = (bytes: Buffer): string =>
  isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
