/** Bucket bounds, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const CALL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
  /** Read from the database and equal on every server: do not sum over servers. */
  readonly isShared?: true;
}

/**
 * All metrics, by Prometheus name. Label values come from fixed lists, never from client input, so the number of series is bounded.
 * Process and Node metrics (`process_*`, `nodejs_*`) have their conventional names.
 */
export const METRICS = {
  atelier_info: {
    kind: 'gauge',
    labels: ['version', 'database', 'storage'],
    help: 'Always 1. What runs here.',
  },
  atelier_health: {
    kind: 'gauge',
    labels: ['check'],
    help: 'What /health found: 1 where the check passed, 0 where it failed.',
  },
  atelier_http_requests_total: {
    kind: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Requests answered, by documented path; status 499: the caller had gone.',
  },
  atelier_http_request_seconds: {
    kind: 'histogram',
    labels: ['route'],
    buckets: REQUEST_SECONDS,
    help: 'From the arrival of a request until its answer was sent.',
  },
  atelier_calls_total: {
    kind: 'counter',
    labels: ['tool', 'way', 'outcome'],
    help: 'Calls of tools. way: waited, job. outcome: ok, refused (a mistake or bound of the caller, status below 500), failed (ours).',
  },
  atelier_call_seconds: {
    kind: 'histogram',
    labels: ['tool'],
    buckets: CALL_SECONDS,
    help: 'How long tools ran, what they waited for processes included.',
  },
  atelier_call_part_seconds: {
    kind: 'histogram',
    labels: ['tool', 'part'],
    buckets: CALL_SECONDS,
    help: 'Where that time went in work on pixels. part: waiting (for pixels and a process), decoding, engine, encoding. Resizing on the way in or out counts where libvips does it.',
  },
  atelier_refusals_total: {
    kind: 'counter',
    labels: ['code'],
    help: 'Failures told to callers, by code of the table of errors.',
  },
  atelier_engine_runs_total: {
    kind: 'counter',
    labels: ['engine', 'outcome'],
    help: 'Runs of engines in processes for pixels. outcome: ok, refused, failed, busy, timed_out.',
  },
  atelier_engine_cpu_seconds_total: {
    kind: 'counter',
    labels: ['engine', 'length', 'kind'],
    help: 'CPU seconds of engines on all threads. length: short, long (predicted at one second or more). kind: predicted, spent (stopped runs included).',
  },
  atelier_engine_runs_waiting: {
    kind: 'gauge',
    labels: ['length'],
    help: 'Runs of engines that wait for a process. length: short, long.',
  },
  atelier_engine_cpu_seconds_waiting: {
    kind: 'gauge',
    labels: ['length'],
    help: 'CPU seconds they are predicted to take.',
  },
  atelier_cpu_seconds_total: {
    kind: 'counter',
    labels: ['class'],
    help: 'CPU seconds by what used them, the work of the server itself included. class: main (JavaScript of requests and jobs on the main thread), engine (processes for images and networks), database (the thread of the embedded database; PostgreSQL is not measured).',
  },
  atelier_cpu_refusals_total: {
    kind: 'counter',
    labels: ['scope'],
    help: 'Calls refused because a budget of CPU-seconds was used up. scope: address, network (IPv6 /64, /56, /48), wallet.',
  },
  atelier_cpu_budgets_exhausted: {
    kind: 'gauge',
    labels: ['scope'],
    help: 'Budgets of CPU-seconds that are used up now, by the same scopes.',
  },
  atelier_pixels_in_flight: {
    kind: 'gauge',
    labels: [],
    help: 'Pixels of all work that has begun.',
  },
  atelier_pixels_in_flight_max: {
    kind: 'gauge',
    labels: [],
    help: 'PIXELS_IN_FLIGHT_MAX.',
  },
  atelier_pixel_work: {
    kind: 'gauge',
    labels: ['state'],
    help: 'Work on pixels. state: running, waiting.',
  },
  atelier_pixel_processes: {
    kind: 'gauge',
    labels: [],
    help: 'Processes for pixels that are open.',
  },
  atelier_pixel_processes_memory_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Resident memory of them together; on Linux only.',
  },
  atelier_jobs_waiting: {
    kind: 'gauge',
    labels: ['tool'],
    isShared: true,
    help: 'Queued jobs.',
  },
  atelier_jobs_oldest_seconds: {
    kind: 'gauge',
    labels: ['tool'],
    isShared: true,
    help: 'How long the first of them has waited.',
  },
  atelier_table_rows: {
    kind: 'gauge',
    labels: ['table', 'state'],
    isShared: true,
    help: 'Rows of the tables that change most, as PostgreSQL estimates them. state: live, dead (waits for autovacuum).',
  },
  atelier_table_bytes: {
    kind: 'gauge',
    labels: ['table'],
    isShared: true,
    help: 'Bytes of these tables with their indexes.',
  },
  atelier_jobs_running: {
    kind: 'gauge',
    labels: [],
    help: 'Jobs this process works on.',
  },
  atelier_credits_charged_total: {
    kind: 'counter',
    labels: ['tool'],
    help: 'Credits taken from wallets for calls.',
  },
  atelier_credits_given_back_total: {
    kind: 'counter',
    labels: [],
    help: 'Credits that were held and not taken: calls that failed or cost less.',
  },
  atelier_credit_back_total: {
    kind: 'counter',
    labels: [],
    help: 'Credits granted as credit-back.',
  },
  atelier_holds_open: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'Holds that are neither taken nor given back.',
  },
  atelier_holds_overdue: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'Those of them whose time was over more than five minutes ago.',
  },
  atelier_credits_held: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'Credits under open holds.',
  },
  atelier_database_up: {
    kind: 'gauge',
    labels: [],
    help: '1 where the database answered this scrape. At 0 nothing is said of jobs, holds and webhooks.',
  },
  atelier_database_seconds: {
    kind: 'histogram',
    labels: ['operation'],
    buckets: STATEMENT_SECONDS,
    help: 'operation: query (one statement), transaction (all of its statements).',
  },
  atelier_database_errors_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Statements that failed. kind: unavailable, timeout, conflict, constraint, damaged (an invalid page or index, a missing file), other.',
  },
  atelier_database_connections: {
    kind: 'gauge',
    labels: ['state'],
    help: 'Connections of this process to PostgreSQL. state: busy, idle; waiting: work that has none yet.',
  },
  atelier_database_connections_max: {
    kind: 'gauge',
    labels: [],
    help: 'The most of them.',
  },
  atelier_database_listening: {
    kind: 'gauge',
    labels: [],
    help: '1 where this process hears of the jobs of others at once (LISTEN), 0 where it only polls. A pooler in transaction mode delivers nothing, which does not show here. Absent with the embedded database.',
  },
  atelier_storage_seconds: {
    kind: 'histogram',
    labels: ['operation'],
    buckets: REQUEST_SECONDS,
    help: 'Operations on stored bytes. operation: write, read, remove.',
  },
  atelier_storage_errors_total: {
    kind: 'counter',
    labels: ['operation'],
    help: 'Those that failed.',
  },
  atelier_stored_files_damaged_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Reads of stored files that were refused. kind: changed (their bytes are not those that were saved), missing.',
  },
  atelier_disk_spare_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'What may still be kept in DATA_DIR before DISK_FREE_MIN_BYTES is reached; below 0 nothing new is kept.',
  },
  atelier_memory_held_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Bytes of bodies, pictures and answers in the memory of this process.',
  },
  atelier_memory_held_max_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'BYTES_IN_MEMORY_MAX.',
  },
  atelier_webhook_deliveries_pending: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'Deliveries that have not arrived yet and will be tried again.',
  },
  atelier_webhook_overdue_seconds: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'For how long the first of them has been due.',
  },
  atelier_webhook_endpoints: {
    kind: 'gauge',
    labels: ['state'],
    isShared: true,
    help: 'Endpoints. state: active, failing (nothing arrives), disabled.',
  },
  atelier_webhook_attempts_total: {
    kind: 'counter',
    labels: ['outcome'],
    help: 'Attempts to deliver. outcome: delivered, pending (it will be tried again), failed (given up).',
  },
  atelier_model_installed: {
    kind: 'gauge',
    labels: ['model'],
    help: '1 where the network is here.',
  },
  atelier_model_fetched_ratio: {
    kind: 'gauge',
    labels: ['model'],
    help: 'How much has arrived of what this server fetches in its background, 0 to 1; absent otherwise.',
  },
  process_start_time_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'When this process started, in seconds since 1970.',
  },
  process_cpu_seconds_total: {
    kind: 'counter',
    labels: [],
    help: 'Processor time of this process; those for pixels are not in it.',
  },
  process_resident_memory_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Resident memory of this process.',
  },
  nodejs_heap_size_used_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Objects on the heap.',
  },
  nodejs_external_memory_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Bytes outside the heap, such as pictures.',
  },
  nodejs_eventloop_lag_p50_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'How late the event loop was since the last look, half of the time.',
  },
  nodejs_eventloop_lag_p99_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'The same, but for one in a hundred times.',
  },
  nodejs_eventloop_utilization_ratio: {
    kind: 'gauge',
    labels: [],
    help: 'Part of the time since the last look in which the event loop had work.',
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
type NamesOf<Kind> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
export type CounterName = NamesOf<'counter'>;
export type HistogramName = NamesOf<'histogram'>;
/** A value per label, from a fixed list. */
export type LabelsOf<Name extends MetricName> = Readonly<
  Record<(typeof METRICS)[Name]['labels'][number], string>
>;
