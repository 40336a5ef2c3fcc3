import { JSON_LIMITS, type JsonLimits, type JsonScan, scanJson } from '@atelier/imaging/json/scan_json.ts';
import { AtelierError } from '../errors/atelier_error.ts';

/**
 * `JSON.parse` for untrusted text. Counts its structure first, so that a megabyte of empty arrays is refused before it becomes 300,000
 * objects. Duplicate names and `__proto__` are handled as by `JSON.parse`.
 * @param limits overrides of JSON_LIMITS
 * @throws SyntaxError as JSON.parse does; AtelierError payload_too_large
 */
export function parseBoundedJson(text: string | Uint8Array, limits: Partial<JsonLimits> = {}): unknown {
  const bytes = typeof text === 'string' ? Buffer.from(text) : asBuffer(text);
  requireBoundedJson(bytes, limits);
  return JSON.parse(typeof text === 'string' ? text : bytes.toString());
}

/**
 * Refuses JSON text whose structure exceeds a limit, without validating it. Returns its long strings.
 * @throws AtelierError payload_too_large
 */
export function requireBoundedJson(bytes: Buffer, limits: Partial<JsonLimits> = {}): JsonScan['longStrings'] {
  const all = { ...JSON_LIMITS, ...limits };
  const { excess, longStrings } = scanJson(bytes, all);
  if (excess) throw new AtelierError('payload_too_large', RULES[excess](all[excess].toLocaleString('en')));
  return longStrings;
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const RULES: Readonly<Record<keyof JsonLimits, (limit: string) => string>> = {
  values: (limit) => `The JSON has more than ${limit} values. Send shorter lists and objects.`,
  names: (limit) => `The JSON has more than ${limit} member names in all its objects. Send fewer fields.`,
  namesPerObject: (limit) => `An object in the JSON has more than ${limit} members. Send fewer fields.`,
  depth: (limit) => `The JSON is nested more than ${limit} levels deep. Send a flatter object.`,
  structureBytes: (limit) =>
    `The JSON has more than ${limit} bytes in addition to images and other long texts. Send fewer fields.`,
  escapes: (limit) =>
    `The strings of the JSON have more than ${limit} escape sequences. Send the text unescaped, or as a file to POST /api/uploads.`,
};

/** Whether a text is one JSON object within the default limits, without lone surrogates. */
export function isObjectText(text: string): boolean {
  try {
    const value = parseBoundedJson(text);
    return text.isWellFormed() && typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
