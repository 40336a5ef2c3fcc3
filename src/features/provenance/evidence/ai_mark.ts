import type { AiOrigin } from '@atelier/imaging/metadata/rights/origin.ts';

const START = 'AI';
const SEPARATOR = '|';

/** The text of a watermark that names the machine: `AI|system|version|provider|time|id`. */
export function writeAiMark(origin: Required<Omit<AiOrigin, 'sourceType'>>) {
  const { system, version, provider, at, id } = origin;
  const start = [START, system, version, provider, at, ''].join(SEPARATOR);
  return { payload: start + id, start };
}

/** Undefined for any other text. */
export function readAiMark(payload: string): AiOrigin | undefined {
  const [start, system, version, provider, at, id, ...more] = payload.split(SEPARATOR);
  if (start !== START || !system || !version || !provider || !at || !id || more.length > 0) return undefined;
  return Number.isNaN(Date.parse(at)) ? undefined : { system, version, provider, at, id };
}
