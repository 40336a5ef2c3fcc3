/** How often an embedded database that has stopped is opened again where it is asked. */
export const EMBEDDED_REOPEN_MS = 1_000;
export const DATABASE_CONNECTIONS_MAX = 10;
/** Also for a free connection of the pool. */
export const DATABASE_CONNECT_TIMEOUT_MS = 4_000;
/** A statement that waits for longer makes us ask whether the server is there at all. */
export const DATABASE_SILENT_MS = 2_000;
export const DATABASE_LOOK_MS = 1_000;
export const DATABASE_PROBE_TIMEOUT_MS = 2_000;
/** When callers are told to come back. */
export const DATABASE_RETRY_SECONDS = 5;
/** On a PostgreSQL server; the embedded database has no such timeout. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** What the embedded database keeps of its files; in WebAssembly all of it is taken at the start. */
export const EMBEDDED_CACHE_MIB = 16;
