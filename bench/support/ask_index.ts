import type { Database } from '../../src/database/contract.ts';
import { openDatabase } from '../../src/database/open.ts';
import { readEdition } from '../../src/dataset/editions/edition_store.ts';
import { createParts } from '../../src/dataset/search/in_database/ask_parts.ts';
import { createDatabaseWords } from '../../src/dataset/search/in_database/database_words.ts';
import { createProcessWords } from '../../src/dataset/search/in_process.ts';
import { type FiltersAsked, readFilters } from '../../src/dataset/search/read_filters.ts';
import { search } from '../../src/dataset/search/search.ts';
import { placeWords } from '../../src/dataset/search/words_in.ts';

/** A process of its own that searches in one place of the index, so that its memory can be told from another's. */
export interface Asked {
  readonly url: string;
  readonly place: keyof typeof PLACES;
  readonly rounds: number;
  readonly questions: readonly { readonly query: string; readonly filters?: FiltersAsked }[];
}

export interface Told {
  /** To the first answer, with all that has to be made before. */
  readonly seconds: number;
  readonly times: readonly number[];
  readonly found: readonly { readonly ids: readonly string[]; readonly total: number }[];
  /** Bytes the process held more after the last search than before the first. */
  readonly bytes: number;
}

const WAIT_MS = 60_000;
const PLACES = {
  process: createProcessWords,
  database: (database: Database) => createDatabaseWords(database, createParts([database], WAIT_MS)),
};

process.once('message', async ({ url, place, rounds, questions }: Asked) => {
  const database = await openDatabase({ dataDir: 'unused', databaseUrl: url });
  placeWords(database, PLACES[place](database));
  const { number } = (await readEdition(database))!;
  const ask = ({ query, filters }: Asked['questions'][number]) =>
    search(database, number, { query, limit: 10, ...(filters && { filters: readFilters(filters) }) });
  const before = heldBytes();
  const begun = performance.now();
  await untilReady(() => ask(questions[0]!));
  const seconds = (performance.now() - begun) / 1000;
  const found: { ids: string[]; total: number }[] = [];
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const question of questions) {
      const started = performance.now();
      const { hits, total } = await ask(question);
      // The first round reads what has to be read once.
      if (round > 0) times.push(performance.now() - started);
      else found.push({ ids: hits.map(({ record }) => record.id), total });
    }
  }
  process.send!({ seconds, times, found, bytes: heldBytes() - before } satisfies Told);
  await database.close();
  process.disconnect();
});

/** What is in use after everything else was let go of. */
function heldBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A search gives up sooner than an index of many works is made. */
async function untilReady(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'busy') throw error;
    }
  }
}
