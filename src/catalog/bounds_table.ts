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

/** Subject, per caller, in total, setting, error. */
const ROWS: readonly (readonly [string, string, string, string, string])[] = [
  [
    'bytes in memory, of bodies, pictures and answers',
    `${size(BYTES_IN_MEMORY_MAX * MEMORY_ADDRESS_SHARE)} an address; fifteen sixteenths of it for a single call`,
    size(BYTES_IN_MEMORY_MAX),
    '`BYTES_IN_MEMORY_MAX`',
    '503 `busy`, after a wait',
  ],
  [
    'connections',
    `${CONNECTIONS_PER_ADDRESS_MAX} an address; 4, 16 and 64 times as many an IPv6 /64, /56 and /48`,
    String(CONNECTIONS_MAX),
    '`CONNECTIONS_PER_ADDRESS`, `CONNECTIONS_MAX`',
    '429, closed; of all clients: [eviction](#connections)',
  ],
  ['a request head', `complete in ${HEADERS_TIMEOUT_MS / 1000} s`, NONE, NONE, '408, closed'],
  [
    'a response on its way',
    `the client takes some of it in each ${RESPONSE_STALL_MS / 1000} s`,
    NONE,
    NONE,
    'closed',
  ],
  [
    'a body on its way',
    `${size(BODY_BYTES_PER_SECOND_MIN)} a second in each ${BODY_SPAN_MS / 1000} s, or more`,
    NONE,
    NONE,
    '408 `body_too_slow`',
  ],
  [
    'CPU time',
    `${CPU_SECONDS_BURST} CPU-seconds an address, refilled at ${CPU_SECONDS_REFILL} per second`,
    NONE,
    '`CPU_SECONDS_BURST`, `CPU_SECONDS_REFILL`',
    '429 `rate_limited`, bodies unread',
  ],
  [
    'mistakes (400 to 428)',
    `${REFUSALS_PER_MINUTE} a minute and address`,
    NONE,
    '`REFUSALS_PER_MINUTE`',
    '429 `rate_limited`, bodies unread',
  ],
  ['a result read over MCP', size(RESOURCE_BYTES_MAX), NONE, NONE, 'an error that names the link'],
  [
    'uploads that are arriving',
    `${size(SPOOL_BYTES_MAX / 2)} an address`,
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
    `answers for keys and of jobs, kept ${hours(IDEMPOTENCY_LIFETIME_MS)}`,
    share(ANSWERS_BYTES_MAX),
    size(ANSWERS_BYTES_MAX),
    '`ANSWERS_BYTES_MAX`',
    'the same',
  ],
  [
    'assets, kept for good',
    `${share(ASSETS_BYTES_MAX)} a day`,
    size(ASSETS_BYTES_MAX),
    '`ASSETS_BYTES_MAX`',
    'the same',
  ],
  [
    'C2PA manifests, kept for good',
    `${share(MANIFESTS_BYTES_MAX)} a day`,
    size(MANIFESTS_BYTES_MAX),
    '`MANIFESTS_BYTES_MAX`',
    'the same; a picture that is being infused gets its manifest all the same',
  ],
  [
    'images in workspaces, kept as long as the workspace',
    `${share(WORKSPACES_BYTES_MAX)} a day`,
    size(WORKSPACES_BYTES_MAX),
    '`WORKSPACES_BYTES_MAX`',
    'the same; of a call that has run, its response says so and the result stays a result',
  ],
  [
    'free space of the disk',
    NONE,
    `${size(DISK_FREE_BYTES_MIN)}, or ${percent(DISK_FREE_SHARE_MIN)} of it where that is less`,
    '`DISK_FREE_MIN_BYTES`',
    '503 `storage_full`; reading goes on',
  ],
];

/** Limits with their defaults, as a table for operators. */
export const boundsTable = (): string =>
  [
    '| of | one caller | everybody | setting | beyond it |',
    '|---|---|---|---|---|',
    ...ROWS.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
