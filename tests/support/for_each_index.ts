import { describe } from 'vitest';
import type { Database } from '../../src/database/contract.ts';
import { createParts } from '../../src/dataset/search/in_database/ask_parts.ts';
import { createDatabaseWords } from '../../src/dataset/search/in_database/database_words.ts';
import { createProcessWords } from '../../src/dataset/search/in_process.ts';
import { placeWords } from '../../src/dataset/search/words_in.ts';
import { forEachDatabase, type Open } from './for_each_database.ts';

const PLACES = {
  'words in the process': createProcessWords,
  'words in the database': (database: Database) => createDatabaseWords(database, createParts([database])),
};

/** Runs a suite on each database and with the index of words in each place it may have. */
export function forEachIndex(suite: (open: Open, name: Database['kind']) => void): void {
  forEachDatabase((name, open) => {
    for (const [place, create] of Object.entries(PLACES)) {
      describe(place, () =>
        suite(async () => {
          const database = await open();
          placeWords(database, create(database));
          return database;
        }, name),
      );
    }
  });
}
