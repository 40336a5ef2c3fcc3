/** Minimum interval of restarts of a stopped embedded database. */
export const EMBEDDED_REOPEN_MS = 1_000;
export const DATABASE_CONNECTIONS_MAX = 10;
/** Also the wait for a free connection of the pool. */
export const DATABASE_CONNECT_TIMEOUT_MS = 4_000;
/** How long a starting server waits for its database. */
export const DATABASE_START_MS = 30_000;
/** After a statement has waited this long, a probe checks whether the server responds at all. */
export const DATABASE_SILENT_MS = 2_000;
export const DATABASE_PROBE_INTERVAL_MS = 1_000;
export const DATABASE_PROBE_TIMEOUT_MS = 2_000;
/** Retry-After while the database is unavailable. */
export const DATABASE_RETRY_SECONDS = 5;
/** For a PostgreSQL server; the embedded database has no timeout. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** Page cache of the embedded database; in WebAssembly it is allocated at startup. */
export const EMBEDDED_CACHE_MIB = 16;
