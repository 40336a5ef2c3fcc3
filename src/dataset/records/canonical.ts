import { createHash } from 'node:crypto';
import type { ArtworkRecord } from './record.ts';

/** One text for one record: JSON with sorted keys (the part of RFC 8785 that strings, integers and null need). */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/** sha256 of a record, in hex. */
export const recordSha256 = (record: ArtworkRecord): string =>
  createHash('sha256').update(canonical(record)).digest('hex');
