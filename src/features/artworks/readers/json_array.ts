import { DATASET_ROW_CHARACTERS_MAX } from '../limits.ts';
import { objectIn } from './lines.ts';
import type { Row } from './row.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Streams the objects of one large JSON array: finds the bounds of each and parses it with JSON.parse. Nested
 * objects are part of their parents.
 */
export async function* jsonArray(file: {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}): AsyncGenerator<Row> {
  const decoder = new TextDecoder();
  let number = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let text = '';
  let isTooLong = false;
  for await (const chunk of file.bytes) {
    const part = decoder.decode(chunk, { stream: true });
    let from = depth > 0 ? 0 : -1;
    for (let at = 0; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE) inString = true;
      else if (code === OPEN) {
        if (depth === 0) from = at;
        depth += 1;
      } else if (code === CLOSE && depth > 0) {
        depth -= 1;
        if (depth > 0) continue;
        number += 1;
        yield rowOf(isTooLong ? undefined : text + part.slice(from, at + 1), `${file.name} object ${number}`);
        [text, isTooLong, from] = ['', false, -1];
      }
    }
    if (from >= 0 && !isTooLong) text += part.slice(from);
    if (text.length > DATASET_ROW_CHARACTERS_MAX) [text, isTooLong] = ['', true];
  }
  if (depth > 0) {
    yield {
      where: `${file.name} object ${number + 1}`,
      problem: 'the file ends inside it',
      quote: text.slice(0, 80),
    };
  }
}

const rowOf = (text: string | undefined, where: string): Row =>
  text === undefined
    ? { where, problem: `longer than ${DATASET_ROW_CHARACTERS_MAX} characters`, quote: '' }
    : objectIn(text, where);
