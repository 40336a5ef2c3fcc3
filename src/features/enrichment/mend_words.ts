import { parseBoundedJson } from '../../core/json/parse_bounded_json.ts';
import { type Words, wordsSchema } from './words_schema.ts';

/** Long enough for any answer that is worth mending. */
const CHARACTERS_MAX = 100_000;

/**
 * Reads an answer that is nearly in form: a JSON object inside other text or a fence, lists written as one text, members
 * that may be unknown left out. Nothing where the words that carry an answer are not there.
 */
export function mendWords(answer: string): Words | undefined {
  const parsed = objectIn(answer.slice(0, CHARACTERS_MAX));
  if (!parsed) return undefined;
  const members = Object.fromEntries(
    Object.entries(wordsSchema.shape).map(([name, schema]) => [
      name,
      mendMember(parsed[name], schema.safeParse([]).success, schema.safeParse(null).success),
    ]),
  );
  const isNumber = typeof parsed.confidence === 'number' && Number.isFinite(parsed.confidence);
  const mended = wordsSchema.safeParse({ ...members, confidence: isNumber ? parsed.confidence : UNSURE });
  return mended.success && mended.data.description !== '' && mended.data.alt_text !== ''
    ? mended.data
    : undefined;
}

/** The confidence of a model that did not say how sure it is. */
const UNSURE = 0.5;

function mendMember(value: unknown, isList: boolean, mayBeUnknown: boolean): unknown {
  if (isList)
    return Array.isArray(value)
      ? value.map(String)
      : typeof value === 'string'
        ? value.split(/\s*[,;]\s*/)
        : [];
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return mayBeUnknown ? null : '';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) return undefined;
  try {
    const value = parseBoundedJson(text.slice(from, to + 1));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
