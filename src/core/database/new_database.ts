import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from './embedded.ts';
import { openPostgresql } from './postgresql.ts';
import type { ScriptableDatabase } from './types.ts';

/** A database without tables beside the one in use, which it replaces once complete. */
export interface NewDatabase {
  readonly database: ScriptableDatabase;
  /**
   * Closes this database and replaces the other one with it. On PostgreSQL this happens here, in one transaction. An embedded
   * database is a folder, which the caller moves. Returns the schema that holds the previous contents, if there were any.
   */
  replacePrevious(): Promise<{ schemaAside?: string }>;
  /** Closes and deletes it. */
  discard(): Promise<void>;
}

interface Place {
  /** Folder of the new embedded database. */
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  /** Suffix of the schema that keeps the previous contents. */
  readonly asideName: string;
}

/** @throws Error if the role may not create it */
export async function openNewDatabase({ folder, databaseUrl, asideName }: Place): Promise<NewDatabase> {
  if (databaseUrl) return openNewSchema(databaseUrl, asideName);
  const database = await openEmbedded(folder, { isBare: true });
  return {
    database,
    replacePrevious: async () => {
      await database.close();
      return {};
    },
    discard: async () => {
      await database.close();
      await rm(join(folder, 'database'), { recursive: true, force: true });
    },
  };
}

/** Tables cannot be replaced in one step, but a schema can. An empty schema is filled in place. */
async function openNewSchema(databaseUrl: string, asideName: string): Promise<NewDatabase> {
  const present = await openPostgresql(databaseUrl, { statementMs: 0 });
  try {
    const [place] = await present.query<{ schema: string; quoted: string; tables: number }>(
      `select current_schema() as schema, quote_ident(current_schema()) as quoted,
         (select count(*) from pg_class
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')) as tables`,
    );
    const { schema, quoted, tables } = place!;
    if (tables === 0)
      return {
        database: present,
        replacePrevious: () => present.close().then(() => ({})),
        discard: () => present.close(),
      };
    const [names] = await present.query<{ beside: string; aside: string }>(
      'select quote_ident($1) as beside, quote_ident($2) as aside',
      [`${schema}_new`, `${schema}_${asideName}`],
    );
    const { beside, aside } = names!;
    const drop = () => present.query(`drop schema if exists ${beside} cascade`);
    await drop();
    await present.query(`create schema ${beside}`);
    const database = await openPostgresql(databaseUrl, { statementMs: 0, schema: beside });
    return {
      database,
      async replacePrevious() {
        await database.close();
        await present.transaction(async (tx) => {
          await tx.query(`alter schema ${quoted} rename to ${aside}`);
          await tx.query(`alter schema ${beside} rename to ${quoted}`);
        });
        await present.close();
        return { schemaAside: aside };
      },
      async discard() {
        await database.close();
        await drop();
        await present.close();
      },
    };
  } catch (error) {
    await present.close();
    throw error;
  }
}
