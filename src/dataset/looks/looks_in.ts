import type { Database } from '../../database/contract.ts';
import { createLookIndex, type LookIndex, type ShippedLook } from './look_index.ts';

/** Opens the index of the looks of a database. */
type Place = (database: Database, shipped: readonly ShippedLook[]) => LookIndex;

const PLACED = new WeakMap<Database, Place>();

/** The index of the looks of a database: in this process, unless it was placed elsewhere. */
export const looksIn: Place = (database, shipped) =>
  (PLACED.get(database) ?? createLookIndex)(database, shipped);

/** From now on looks of a database are found there. Said once, before the dataset is opened. */
export function placeLooks(database: Database, place: Place): void {
  PLACED.set(database, place);
}
