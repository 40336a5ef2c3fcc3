import { hash } from 'node:crypto';
import type { ArtworkRecord } from './record.ts';

/**
 * Canonical text of a value: JSON with sorted keys (the subset of RFC 8785 for strings, integers and null).
 */
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

/** A record prepared for writing. */
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
