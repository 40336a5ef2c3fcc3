import type { Queryable, ScriptableDatabase } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import type { Telemetry } from './types.ts';

type Noting = Pick<Telemetry, 'span' | 'count' | 'observe'>;

/** Decorates a database: times statements and transactions, counts failures and records spans. */
export function observeDatabase<Kind extends ScriptableDatabase>(database: Kind, telemetry: Noting): Kind {
  const { kind } = database;
  const noted = async <T>(operation: 'query' | 'transaction', name: string, work: () => Promise<T>) => {
    const began = performance.now();
    try {
      return await telemetry.span(name, { 'db.system.name': 'postgresql', 'atelier.database': kind }, work);
    } catch (error) {
      if (isOfDatabase(error)) telemetry.count('atelier_database_errors_total', { kind: kindOf(error) });
      throw error;
    } finally {
      telemetry.observe('atelier_database_seconds', { operation }, (performance.now() - began) / 1000);
    }
  };
  const query: Queryable['query'] = (text, values) =>
    noted('query', summaryOf(text), () => database.query(text, values));
  const transaction: ScriptableDatabase['transaction'] = (work) =>
    noted('transaction', 'transaction', () =>
      database.transaction((tx) =>
        work({
          query: (text, values) => telemetry.span(summaryOf(text), {}, () => tx.query(text, values)),
          script: (text) => tx.script(text),
        }),
      ),
    );
  return { ...database, query, transaction };
}

/** Names the operation of a statement and its table or function. The statement text is ours, but long. */
function summaryOf(text: string): string {
  const [verb = 'statement'] = /^\w+/.exec(text.trimStart()) ?? [];
  const [, table] = /\b(?:from|into|update)\s+(?:only\s+)?([a-z_]+)/i.exec(text) ?? [];
  const [, called] = /^\s*select\s+([a-z_]+)\(/i.exec(text) ?? [];
  const about = called ?? table;
  return `${verb.toLowerCase()}${about ? ` ${about}` : ''}`;
}

/** An error from a transaction may also be a decision of its caller. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof AtelierError ? error.code === 'database_unavailable' : sqlStateOf(error) !== undefined;

const sqlStateOf = (error: unknown): string | undefined => {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

/** By SQLSTATE class: PostgreSQL, appendix A. */
function kindOf(error: unknown): string {
  if (error instanceof AtelierError) return 'unavailable';
  const state = sqlStateOf(error)!;
  if (/^(XX001|XX002|58P01)$/.test(state)) return 'damaged';
  if (state === '57014') return 'timeout';
  if (state.startsWith('40')) return 'conflict';
  if (state.startsWith('23')) return 'constraint';
  return /^(08|53|57)/.test(state) ? 'unavailable' : 'other';
}
