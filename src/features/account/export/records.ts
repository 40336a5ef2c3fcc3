import { createHash } from 'node:crypto';
import type { Queryable } from '../../../core/database/types.ts';
import { RECORDS_A_FILE } from './limits.ts';
import {
  type ReceiptRow,
  selectKeyNames,
  selectPosts,
  selectReceipts,
  selectRegistrations,
} from './store.ts';

/** A file of JSON lines in an archive. */
export interface RecordFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The text, made anew: many receipts are not kept in memory. */
  read(): Promise<Buffer>;
}

/**
 * What is told of a wallet beside its assets. Receipts are only ever added to, so those up to a moment are the same whenever they are
 * read; everything else is small, and read once.
 */
export async function readRecords(database: Queryable, wallet: string, until: Date): Promise<RecordFile[]> {
  const files: RecordFile[] = [];
  const add = (name: string, text: Buffer, read: RecordFile['read']) => {
    if (text.length === 0) return;
    const number = files.filter((file) => file.name.startsWith(`${name}-`)).length + 1;
    const sha256 = createHash('sha256').update(text).digest('hex');
    files.push({
      name: `${name}-${String(number).padStart(4, '0')}.jsonl`,
      sha256,
      bytes: text.length,
      read,
    });
  };
  let after: ReceiptRow | undefined;
  for (;;) {
    const page = { wallet, until, after, limit: RECORDS_A_FILE };
    const rows = await selectReceipts(database, page);
    const read = async () => linesOf((await selectReceipts(database, page)).map(receiptOf));
    add('receipts', linesOf(rows.map(receiptOf)), read);
    after = rows.at(-1);
    if (rows.length < RECORDS_A_FILE) break;
  }
  for (const [name, select] of SMALL) {
    const rows = await select(database, wallet);
    for (let at = 0; at < rows.length; at += RECORDS_A_FILE) {
      const text = linesOf(rows.slice(at, at + RECORDS_A_FILE));
      add(name, text, async () => text);
    }
  }
  return files;
}

const SMALL = [
  ['hashes', selectRegistrations],
  ['posts', selectPosts],
  ['keys', selectKeyNames],
] as const;

const receiptOf = ({ id, receipt }: ReceiptRow) => ({ id, receipt });

const linesOf = (rows: readonly object[]): Buffer =>
  Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
