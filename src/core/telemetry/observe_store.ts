import type { Objects, Store } from '../storage/objects/types.ts';
import type { Telemetry } from './types.ts';

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
