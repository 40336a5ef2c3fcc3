import type { Queryable, ScriptableDatabase } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import type { Objects, Store } from '../storage/objects/types.ts';
import type { EngineName } from '../workers/engines.ts';
import { lengthOf } from '../workers/predict_seconds.ts';
import type { PixelControl, Pixels, RunSeconds } from '../workers/types.ts';
import { wrapPixels } from '../workers/wrap_pixels.ts';
import type { Part, Telemetry } from './types.ts';

type DatabaseTelemetry = Pick<Telemetry, 'span' | 'count' | 'observe'>;

/** Decorates a database: times statements and transactions, counts failures and records spans. */
export function observeDatabase<Kind extends ScriptableDatabase>(
  database: Kind,
  telemetry: DatabaseTelemetry,
): Kind {
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

type Operation = 'write' | 'read' | 'remove';

/** Operation type per function; full scans belong to maintenance and are not timed. */
const OPERATIONS = {
  write: 'write',
  add: 'write',
  addFile: 'write',
  replace: 'write',
  make: 'write',
  read: 'read',
  open: 'read',
  sizeOf: 'read',
  remove: 'remove',
  removeIfOlder: 'remove',
} as const satisfies Partial<Record<keyof Objects, Operation>>;

/** Decorates a store: times writes, reads and deletions, and counts failures. */
export function observeStore(store: Store, telemetry: Pick<Telemetry, 'span' | 'count' | 'observe'>): Store {
  const noted = async (operation: Operation, kind: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    try {
      return await telemetry.span(`storage ${operation}`, { 'atelier.kind': kind }, work);
    } catch (error) {
      telemetry.count('atelier_storage_errors_total', { operation });
      throw error;
    } finally {
      telemetry.observe('atelier_storage_seconds', { operation }, (performance.now() - began) / 1000);
    }
  };
  const objectsOf = (kind: string): Objects => {
    const objects = store.objectsOf(kind);
    const timed = Object.entries(OPERATIONS).map(([name, operation]) => {
      const work = objects[name as keyof typeof OPERATIONS] as (...sent: unknown[]) => Promise<unknown>;
      return [name, (...sent: unknown[]) => noted(operation, kind, () => work.apply(objects, sent))];
    });
    return { ...objects, ...Object.fromEntries(timed) };
  };
  return { ...store, objectsOf };
}

type PixelTelemetry = Pick<Telemetry, 'span' | 'count' | 'addPart'>;

/** Decorates the workers: counts every run, times it for its tool and records a span. */
export function observePixels(pixels: Pixels, telemetry: PixelTelemetry): Pixels {
  return wrapPixels(pixels, {
    run: (engine, input, control) =>
      observeRun(
        telemetry,
        { engine, control, predictedSeconds: pixels.predict(engine, input, control) },
        (watched) => pixels.run(engine, input, watched),
      ),
    reserve(input, control, work) {
      const asked = performance.now();
      return pixels.reserve(input, control, (within) => {
        telemetry.addPart('waiting', (performance.now() - asked) / 1000);
        return work(within);
      });
    },
  });
}

interface Run {
  readonly engine: EngineName;
  readonly control: PixelControl;
  /** CPU seconds. */
  readonly predictedSeconds: number;
}

function observeRun<T>(
  telemetry: PixelTelemetry,
  { engine, control, predictedSeconds }: Run,
  run: (watched: PixelControl) => Promise<T>,
): Promise<T> {
  return telemetry.span(`engine ${engine}`, { 'atelier.pixels': control.pixels }, async (span) => {
    const asked = performance.now();
    const length = lengthOf(engine, predictedSeconds);
    let started: number | undefined;
    let spent: RunSeconds | undefined;
    const watched: PixelControl = {
      ...control,
      onStart() {
        started = performance.now();
        control.onStart?.();
      },
      onSpent(parts) {
        spent = parts;
        control.onSpent?.(parts);
      },
    };
    const count = (outcome: string) => telemetry.count('atelier_engine_runs_total', { engine, outcome });
    try {
      const output = await run(watched);
      count('ok');
      return output;
    } catch (error) {
      count(outcomeOf(error));
      throw error;
    } finally {
      // Recorded here: the callbacks run in the call that freed the memory, which may be another one.
      const ended = performance.now();
      const waiting = ((started ?? ended) - asked) / 1000;
      const parts = partsOf({ waiting, spent, ranSeconds: (ended - (started ?? ended)) / 1000 });
      for (const [part, seconds] of parts) telemetry.addPart(part, seconds);
      if (started !== undefined) {
        const count = (kind: 'predicted' | 'spent', seconds: number) =>
          telemetry.count('atelier_engine_cpu_seconds_total', { engine, length, kind }, seconds);
        count('predicted', predictedSeconds);
        count('spent', spent?.cpu ?? 0);
      }
      span.set(Object.fromEntries(parts.map(([part, seconds]) => [`atelier.${part}_s`, seconds])));
    }
  });
}

function partsOf({
  waiting,
  spent,
  ranSeconds,
}: {
  waiting: number;
  spent: RunSeconds | undefined;
  ranSeconds: number;
}): [Part, number][] {
  const { decoding = 0, engine = ranSeconds, encoding = 0 } = spent ?? {};
  const all = { waiting, decoding, engine, encoding };
  return (Object.entries(all) as [Part, number][]).filter(([, seconds]) => seconds > 0);
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof AtelierError)) return 'failed';
  if (error.code === 'busy' || error.code === 'timed_out') return error.code;
  return error.status < 500 ? 'refused' : 'failed';
}
