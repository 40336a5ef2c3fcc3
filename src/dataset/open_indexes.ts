import type { Config } from '../config.ts';
import type { Database, Queryable, ScriptableDatabase } from '../database/contract.ts';
import type { Reserve } from '../services/visits/contract.ts';
import { reserveNothing } from '../services/visits/visits.ts';
import { INDEX_PART_WAIT_MS } from './limits.ts';
import { createDatabaseLooks } from './looks/in_database/database_looks.ts';
import { placeLooks } from './looks/looks_in.ts';
import { createCellSearch } from './meaning/in_database/cell_search.ts';
import { placeVectors } from './meaning/vectors_in.ts';
import { createParts } from './search/in_database/ask_parts.ts';
import { createDatabaseWords } from './search/in_database/database_words.ts';
import { placeWords } from './search/words_in.ts';

interface Around {
  /** Hears why something was not put into an index. */
  report(error: unknown): void;
  /** Counts bytes that a search is about to load; absent: nobody does. */
  readonly reserve?: Reserve;
}

interface Opened {
  /** Ends the connections to where the index is. */
  close(): Promise<void>;
}

/** Where parts of an index are asked, beside or in place of the database. @throws Error where there is nothing they could be replicas of */
export function replicasOf({ DATABASE_URL, INDEX_DATABASE_URLS: urls }: Config): readonly string[] {
  if (urls.length > 0 && DATABASE_URL === undefined)
    throw new Error('INDEX_DATABASE_URLS needs DATABASE_URL: an embedded database has no replicas.');
  return urls;
}

/** Places the indexes of words, vectors and looks where the settings want them. @throws Error where replicas are named and there is nothing they could be of */
export function openIndexes(
  config: Config,
  database: Database,
  { report, reserve = reserveNothing }: Around,
): Opened {
  const { WORDS_INDEX, VECTORS_INDEX, LOOKS_INDEX, DATABASE_URL } = config;
  const urls = replicasOf(config);
  const servers = (urls.length > 0 ? urls : DATABASE_URL ? [DATABASE_URL] : []).map(openLater);
  const parts = createParts(servers.length > 0 ? servers : [database]);
  if (WORDS_INDEX === 'database') placeWords(database, createDatabaseWords(database, parts));
  if (VECTORS_INDEX === 'database')
    placeVectors(database, (from, model) => createCellSearch(from, { parts, model, report }));
  if (LOOKS_INDEX === 'database')
    placeLooks(database, (from, shipped) => createDatabaseLooks(from, { parts, shipped, report, reserve }));
  return {
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** A server that is connected to when it is first asked, and again after that has failed: a replica that is away stops nobody's start. */
function openLater(databaseUrl: string): Queryable & Opened {
  let opening: Promise<ScriptableDatabase> | undefined;
  const open = () => {
    opening ??= connect(databaseUrl).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    query: async (text, values) => (await open()).query(text, values),
    close: async () => {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

/** The client is loaded only where there is a server. A statement ends with the wait for it. */
async function connect(databaseUrl: string): Promise<ScriptableDatabase> {
  const { openPostgresql } = await import('../database/postgresql.ts');
  return openPostgresql(databaseUrl, { statementMs: INDEX_PART_WAIT_MS });
}
