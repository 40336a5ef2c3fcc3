import { readFile } from 'node:fs/promises';
import { type ArtworkRecord, parseRecord } from '../record.ts';

const FILE = new URL('./works.jsonl', import.meta.url);

/**
 * The starter catalogue: well-known works, written down from general knowledge, so that searching works on a fresh machine
 * without a network. One record a line. @throws Error where a line is no record
 */
export async function loadStarter(): Promise<ArtworkRecord[]> {
  const text = await readFile(FILE, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseRecord(JSON.parse(line)));
}
