import { JSON_DEPTH_MAX } from './limits.ts';

/**
 * Serialises a JSON value in canonical form (RFC 8785, JSON Canonicalization Scheme): no white space, members in the order of their UTF-16 code
 * units, numbers and strings as in ECMAScript.
 * @throws TypeError for values without a JSON form: lone surrogates, non-finite numbers, nesting deeper than JSON_DEPTH_MAX levels
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > JSON_DEPTH_MAX) throw new TypeError('the value is nested too deep');
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => `${canonicalText(name)}:${canonicalJson(inner, depth + 1)}`);
  return `{${members.join(',')}}`;
}

function canonicalText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('a text holds half a surrogate pair');
  return JSON.stringify(text);
}
