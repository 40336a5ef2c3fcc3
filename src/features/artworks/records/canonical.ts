import { hash } from 'node:crypto';
import type { ArtworkRecord } from './record.ts';

/** One text for one record: JSON with sorted keys (the part of RFC 8785 that strings, integers and null need). */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text && ','}${canonical(member)}`;
    return `[${text}]`;
  }
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members).sort())
    text += `${text && ','}${JSON.stringify(key)}:${canonical(members[key])}`;
  return `{${text}}`;
}

/** sha256 of a record, in hex. */
export const recordSha256 = (record: ArtworkRecord): string => hash('sha256', canonical(record));

/** A record as it is written. */
export interface PreparedRecord {
  readonly record: ArtworkRecord;
  /** The record as canonical JSON. */
  readonly json: string;
  readonly sha256: string;
}

export function prepareRecord(record: ArtworkRecord): PreparedRecord {
  const json = canonical(record);
  return { record, json, sha256: hash('sha256', json) };
}
