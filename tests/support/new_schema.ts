import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface Schema {
  /** Also the application_name of its connections. */
  readonly name: string;
  /** Value of DATABASE_URL: connections see only this schema. */
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty, uniquely named schema on a PostgreSQL server. */
export async function newSchema(serverUrl: string): Promise<Schema> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create schema ${name}`);
  const url = new URL(serverUrl);
  url.searchParams.set('options', `-c search_path=${name}`);
  url.searchParams.set('application_name', name);
  return { name, url: url.href, drop: () => onServer(serverUrl, `drop schema ${name} cascade`) };
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
