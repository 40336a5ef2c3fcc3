import { describe } from 'vitest';
import type { Database } from '../../src/database/contract.ts';
import { createDatabaseLooks } from '../../src/dataset/looks/in_database/database_looks.ts';
import { createLookIndex } from '../../src/dataset/looks/look_index.ts';
import { placeLooks } from '../../src/dataset/looks/looks_in.ts';
import { createParts } from '../../src/dataset/search/in_database/ask_parts.ts';
import { createDatabaseWords } from '../../src/dataset/search/in_database/database_words.ts';
import { createProcessWords } from '../../src/dataset/search/in_process.ts';
import { placeWords } from '../../src/dataset/search/words_in.ts';
import { forEachDatabase, type Open } from './for_each_database.ts';

const PLACES = {
  'words and looks in the process': (database: Database) => {
    placeWords(database, createProcessWords(database));
    placeLooks(database, createLookIndex);
  },
  'words and looks in the database': (database: Database) => {
    const parts = createParts([database]);
    placeWords(database, createDatabaseWords(database, parts));
    placeLooks(database, (from, shipped) =>
      createDatabaseLooks(from, { parts, shipped, report: console.error }),
    );
  },
};

/** Runs a suite on each database and with the indexes of words and looks in each place they may have. */
export function forEachIndex(suite: (open: Open, name: Database['kind']) => void): void {
  forEachDatabase((name, open) => {
    for (const [place, choose] of Object.entries(PLACES)) {
      describe(place, () =>
        suite(async () => {
          const database = await open();
          choose(database);
          return database;
        }, name),
      );
    }
  });
}
