import { DATASET_ROW_CHARACTERS_MAX } from '../limits.ts';
import { quoteValue, type Row } from './row.ts';

/**
 * JSON Lines: one object per line. Skips and reports a line that is not an object, or too long for a work.
 */
export async function* jsonLines(file: {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}): AsyncGenerator<Row> {
  let number = 0;
  for await (const line of lines(file.bytes)) {
    number += 1;
    const where = `${file.name}:${number}`;
    if (line === undefined) {
      yield { where, problem: `longer than ${DATASET_ROW_CHARACTERS_MAX} characters`, quote: '' };
    } else if (line.trim() !== '') yield objectIn(line, where);
  }
}

/** A row from JSON text. */
export function objectIn(text: string, where: string): Row {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { where, value: value as Record<string, unknown> };
    return { where, problem: 'not a JSON object', quote: quoteValue(text) };
  } catch {
    return { where, problem: 'not JSON', quote: quoteValue(text) };
  }
}

/** Lines without their line breaks; undefined for one that is too long. */
async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop()!;
    for (const part of parts) {
      yield isTooLong || part.length > DATASET_ROW_CHARACTERS_MAX ? undefined : part;
      isTooLong = false;
    }
    if (rest.length > DATASET_ROW_CHARACTERS_MAX) {
      isTooLong = true;
      rest = '';
    }
  }
  rest += decoder.decode();
  if (isTooLong) yield undefined;
  else if (rest) yield rest;
}
