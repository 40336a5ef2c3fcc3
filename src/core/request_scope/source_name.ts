import { AsyncLocalStorage } from 'node:async_hooks';

const names = new AsyncLocalStorage<string | undefined>();

/** Runs work whose results are made of a file with this name, and take it over. */
export const withSourceName = <T>(name: string | undefined, work: () => T): T => names.run(name, work);

/** The name of the file that the current work is made of; undefined where it has none. */
export const sourceName = (): string | undefined => names.getStore();
