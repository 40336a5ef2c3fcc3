import {
  ANSWERS_BYTES_MAX,
  ASSETS_BYTES_MAX,
  BODY_BYTES_PER_SECOND_MIN,
  BODY_SPAN_MS,
  BYTES_IN_MEMORY_MAX,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  CPU_SECONDS_BURST,
  CPU_SECONDS_REFILL,
  DISK_FREE_BYTES_MIN,
  DISK_FREE_SHARE_MIN,
  HEADERS_TIMEOUT_MS,
  IDEMPOTENCY_LIFETIME_MS,
  KEPT_SHARE_PERCENT,
  MANIFESTS_BYTES_MAX,
  MEMORY_ADDRESS_SHARE,
  REFUSALS_PER_MINUTE,
  RESOURCE_BYTES_MAX,
  RESPONSE_STALL_MS,
  RESULT_LIFETIME_MS,
  RESULTS_BYTES_MAX,
  SPOOL_BYTES_MAX,
  UPLOAD_LIFETIME_MS,
  UPLOADS_BYTES_MAX,
  WORKSPACES_BYTES_MAX,
} from '../config/limits.ts';

const size = (bytes: number): string =>
  bytes >= 2 ** 30
    ? `${Math.round((bytes / 2 ** 30) * 10) / 10} GiB`
    : bytes >= 2 ** 20
      ? `${Math.round(bytes / 2 ** 20)} MiB`
      : `${bytes / 1024} KiB`;
const share = (bytes: number): string => size((bytes * KEPT_SHARE_PERCENT) / 100);
const percent = (part: number): string => `${part * 100} %`;
const hours = (ms: number): string => `${ms / 3_600_000} h`;
const NONE = '—';

/** Subject, per client, in total, setting, error. */
const ROWS: readonly (readonly [string, string, string, string, string])[] = [
  [
    'bytes of request bodies, images and responses in memory',
    `${size(BYTES_IN_MEMORY_MAX * MEMORY_ADDRESS_SHARE)} per address; 15/16 of it for a single call`,
    size(BYTES_IN_MEMORY_MAX),
    '`BYTES_IN_MEMORY_MAX`',
    '503 `busy`, after a wait',
  ],
  [
    'connections',
    `${CONNECTIONS_PER_ADDRESS_MAX} per address; 4, 16 and 64 times as many per IPv6 /64, /56 and /48`,
    String(CONNECTIONS_MAX),
    '`CONNECTIONS_PER_ADDRESS`, `CONNECTIONS_MAX`',
    '429, closed; of all clients: [eviction](#connections)',
  ],
  ['a request head', `complete in ${HEADERS_TIMEOUT_MS / 1000} s`, NONE, NONE, '408, closed'],
  [
    'an outgoing response',
    `the client reads part of it every ${RESPONSE_STALL_MS / 1000} s`,
    NONE,
    NONE,
    'closed',
  ],
  [
    'an incoming body',
    `at least ${size(BODY_BYTES_PER_SECOND_MIN)}/s, measured every ${BODY_SPAN_MS / 1000} s`,
    NONE,
    NONE,
    '408 `body_too_slow`',
  ],
  [
    'CPU time',
    `${CPU_SECONDS_BURST} CPU-seconds per address, refilled at ${CPU_SECONDS_REFILL} per second`,
    NONE,
    '`CPU_SECONDS_BURST`, `CPU_SECONDS_REFILL`',
    '429 `rate_limited`, bodies unread',
  ],
  [
    'client errors (400 to 428)',
    `${REFUSALS_PER_MINUTE} per minute and address`,
    NONE,
    '`REFUSALS_PER_MINUTE`',
    '429 `rate_limited`, bodies unread',
  ],
  ['a result read over MCP', size(RESOURCE_BYTES_MAX), NONE, NONE, 'an error that names the link'],
  [
    'uploads in progress',
    `${size(SPOOL_BYTES_MAX / 2)} per address`,
    size(SPOOL_BYTES_MAX),
    NONE,
    '503 `busy`',
  ],
  [
    `uploads, kept ${hours(UPLOAD_LIFETIME_MS)}`,
    share(UPLOADS_BYTES_MAX),
    size(UPLOADS_BYTES_MAX),
    '`UPLOADS_BYTES_MAX`',
    '429 `too_much_kept`, 503 `storage_full`',
  ],
  [
    `results, kept ${hours(RESULT_LIFETIME_MS)}`,
    share(RESULTS_BYTES_MAX),
    size(RESULTS_BYTES_MAX),
    '`RESULTS_BYTES_MAX`',
    'the same',
  ],
  [
    `stored responses for idempotency keys and jobs, kept ${hours(IDEMPOTENCY_LIFETIME_MS)}`,
    share(ANSWERS_BYTES_MAX),
    size(ANSWERS_BYTES_MAX),
    '`ANSWERS_BYTES_MAX`',
    'the same',
  ],
  [
    'assets, kept permanently',
    `${share(ASSETS_BYTES_MAX)} a day`,
    size(ASSETS_BYTES_MAX),
    '`ASSETS_BYTES_MAX`',
    'the same',
  ],
  [
    'C2PA manifests, kept permanently',
    `${share(MANIFESTS_BYTES_MAX)} a day`,
    size(MANIFESTS_BYTES_MAX),
    '`MANIFESTS_BYTES_MAX`',
    'the same; `infuse_metadata` still writes the manifest into the file',
  ],
  [
    'images in workspaces, kept as long as the workspace',
    `${share(WORKSPACES_BYTES_MAX)} a day`,
    size(WORKSPACES_BYTES_MAX),
    '`WORKSPACES_BYTES_MAX`',
    'the same; a call that has already run reports it, and its image remains a temporary result',
  ],
  [
    'free disk space',
    NONE,
    `${size(DISK_FREE_BYTES_MIN)}, or ${percent(DISK_FREE_SHARE_MIN)} of it where that is less`,
    '`DISK_FREE_MIN_BYTES`',
    '503 `storage_full`; reads still work',
  ],
];

/** Limits with their defaults, as a table for operators. */
export const boundsTable = (): string =>
  [
    '| Resource | Per client | Total | Setting | When exceeded |',
    '|---|---|---|---|---|',
    ...ROWS.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
