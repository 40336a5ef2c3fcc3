import { messages, type PGlite, protocol, types } from '@electric-sql/pglite';

/** Statements the embedded database keeps parsed; each costs it some ten kilobytes. */
const KEPT_MAX = 256;

const { serialize } = protocol;

interface Statement {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  readonly columns: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/**
 * Runs statements of the embedded database, each parsed at its first use only, and sent there as one message afterwards:
 * 15 µs for a look-up by key instead of 86. One call at a time.
 * Message formats: PostgreSQL's documentation, "Frontend/Backend Protocol", extended query.
 */
export function createPreparedStatements(database: PGlite) {
  /** By their text, the least recently used first. */
  const kept = new Map<string, Statement>();
  let count = 0;

  const send = async (...parts: Uint8Array[]) =>
    (await database.execProtocol(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false })).messages;

  async function prepare(text: string): Promise<Statement> {
    count += 1;
    const name = `statement_${count}`;
    const described = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const parameters = described.find((message) => message instanceof messages.ParameterDescriptionMessage);
    const row = described.find((message) => message instanceof messages.RowDescriptionMessage);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_MAX && oldest !== undefined) {
      await send(serialize.close({ type: 'S', name: kept.get(oldest)!.name }));
      kept.delete(oldest);
    }
    return { name, parameterTypes: parameters?.dataTypeIDs ?? [], columns: row?.fields ?? [] };
  }

  return {
    /** Rows of one statement; values and rows as PGlite.query has them. @throws the database's error, with its SQLSTATE as `code` */
    async query(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
      const statement = kept.get(text) ?? (await prepare(text));
      kept.delete(text);
      kept.set(text, statement);
      const { name, parameterTypes, columns } = statement;
      const answer = await send(
        serialize.bind({
          statement: name,
          values: values.map((value, index) => wire(database, value, parameterTypes[index]!)),
        }),
        serialize.execute(),
      );
      const done = answer.find((message) => message instanceof messages.CommandCompleteMessage);
      if (/^(CREATE|ALTER|DROP)/.test(done?.text ?? '')) await forget();
      return answer
        .filter((message) => message instanceof messages.DataRowMessage)
        .map(({ fields }) => rowOf(database, fields, columns));
    },
    forget,
  };

  /** To be called after tables have changed: what was parsed before may not fit them. */
  async function forget(): Promise<void> {
    kept.clear();
    await database.exec('deallocate all');
  }
}

function wire({ serializers }: PGlite, value: unknown, type: number): string | null {
  if (value === null || value === undefined) return null;
  return serializers[type]?.(value) ?? String(value);
}

function rowOf({ parsers }: PGlite, fields: readonly (string | null)[], columns: Statement['columns']) {
  const row: Record<string, unknown> = {};
  for (const [index, { name, dataTypeID }] of columns.entries()) {
    row[name] = types.parseType(fields[index]!, dataTypeID, parsers);
  }
  return row;
}
