import type { Database } from '../../../database/contract.ts';
import { readLiveSince } from '../../live/live_store.ts';
import type { WrittenRow } from '../../records/record_store.ts';
import { languageOf, wordsOfRecord } from '../fields.ts';
import type { Stems } from '../stems.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { WordWriter } from '../word_index.ts';
import { EVERY_WORK } from './plan_query.ts';
import { columnsOf, rowOf } from './text_rows.ts';
import { countWords, writeTexts } from './text_store.ts';

/** Works a transaction: more of them count each word once; on the embedded database everybody waits for one. */
const WORKS_A_TRANSACTION = { embedded: 100, postgresql: 2000 };

/** Writes works of a museum into the parts as they come, each lot in one transaction with the counts of its words. */
export function createTextWriter(
  database: Database,
  stems: Stems,
  museum: string,
  vocabulary?: Vocabulary,
): WordWriter {
  const language = languageOf(museum);
  const most = WORKS_A_TRANSACTION[database.kind];
  let waiting: WrittenRow[] = [];
  let first = Number.POSITIVE_INFINITY;
  const write = async (works: readonly WrittenRow[]) => {
    const cut = works.map((work) => ({ work, fields: wordsOfRecord(work.record) }));
    const words = cut.flatMap(({ fields }) =>
      fields.flatMap(({ parts, areNames }) => (areNames ? [] : parts.flat())),
    );
    const stem = await stems.of(language, words);
    const rows = cut.map(({ work, fields }) => {
      vocabulary?.add(fields);
      return rowOf(work, stem, fields);
    });
    await database.transaction(async (tx) => {
      const written = await writeTexts(
        tx,
        rows.map(({ row }) => row),
      );
      const counts = new Map([[EVERY_WORK, written.size]]);
      for (const { row, lexemes } of rows) {
        if (!written.has(row.number)) continue;
        for (const word of lexemes) counts.set(word, (counts.get(word) ?? 0) + 1);
      }
      if (written.size > 0) await countWords(tx, language, counts);
    });
  };
  return {
    get first() {
      return first;
    },
    async add(works) {
      for (const { number } of works) first = Math.min(first, number);
      waiting.push(...works);
      while (waiting.length >= most) {
        await write(waiting.slice(0, most));
        waiting = waiting.slice(most);
      }
    },
    async finish() {
      if (waiting.length > 0) await write(waiting);
      waiting = [];
      return [];
    },
  };
}

const ROWS_AT_A_TIME = 500;
/** Who asked earlier may write later. */
const OVERLAP_MS = 60_000;

/** Takes up what museums have answered about single works, on from where the last call ended. Doing it again changes nothing. */
export function createAnswerFollower(
  database: Database,
  write: (rows: ReturnType<typeof answered>[]) => Promise<void>,
) {
  let known = { edition: 0, askedAt: new Date(0) };
  return async (edition: number): Promise<void> => {
    const begin = known.edition === edition ? known.askedAt.getTime() - OVERLAP_MS : 0;
    let last = { askedAt: new Date(Math.max(0, begin)), id: '' };
    for (;;) {
      const rows = await readLiveSince(database, edition, last, ROWS_AT_A_TIME);
      if (rows.length > 0) await write(rows.map(answered));
      last = rows.at(-1) ?? last;
      if (rows.length < ROWS_AT_A_TIME) break;
    }
    if (known.edition !== edition || last.askedAt > known.askedAt) known = { edition, askedAt: last.askedAt };
  };
}

const answered = ({ number, record }: WrittenRow) => ({
  ...{ number, year_from: record.year_from, year_to: record.year_to },
  ...columnsOf(record),
});
