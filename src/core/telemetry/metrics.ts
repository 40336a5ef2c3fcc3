/** Bucket bounds, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const CALL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
  /** Read from the database, and equal on every server: do not sum over servers. */
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
    help: 'Always 1. The labels name the version, database and storage of this process.',
  },
  atelier_health: {
    kind: 'gauge',
    labels: ['check'],
    help: 'Result of each /health check: 1 passed, 0 failed.',
  },
  atelier_http_requests_total: {
    kind: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'HTTP requests answered, by documented path. Status 499: the client disconnected before the response.',
  },
  atelier_http_request_seconds: {
    kind: 'histogram',
    labels: ['route'],
    buckets: REQUEST_SECONDS,
    help: 'Time from the arrival of a request to the end of its response.',
  },
  atelier_calls_total: {
    kind: 'counter',
    labels: ['tool', 'way', 'outcome'],
    help: 'Tool calls. way: waited, job. outcome: ok, refused (a client error or limit, status below 500), failed (a server error).',
  },
  atelier_call_seconds: {
    kind: 'histogram',
    labels: ['tool'],
    buckets: CALL_SECONDS,
    help: 'Run time of tools, including the wait for a process.',
  },
  atelier_call_part_seconds: {
    kind: 'histogram',
    labels: ['tool', 'part'],
    buckets: CALL_SECONDS,
    help: 'Parts of that time spent on image processing. part: waiting (for pixels and a process), decoding, engine, encoding. Resizing of inputs and outputs counts for the part in which libvips does it.',
  },
  atelier_refusals_total: {
    kind: 'counter',
    labels: ['code'],
    help: 'Errors returned to clients, by error code.',
  },
  atelier_engine_runs_total: {
    kind: 'counter',
    labels: ['engine', 'outcome'],
    help: 'Engine runs in image-processing workers. outcome: ok, refused, failed, busy, timed_out.',
  },
  atelier_engine_cpu_seconds_total: {
    kind: 'counter',
    labels: ['engine', 'length', 'kind'],
    help: 'CPU seconds of engines on all threads. length: short, long (predicted at 1 s or more). kind: predicted, spent (stopped runs included).',
  },
  atelier_engine_runs_waiting: {
    kind: 'gauge',
    labels: ['length'],
    help: 'Engine runs waiting for a process. length: short, long.',
  },
  atelier_engine_cpu_seconds_waiting: {
    kind: 'gauge',
    labels: ['length'],
    help: 'Predicted CPU seconds of the waiting engine runs.',
  },
  atelier_cpu_seconds_total: {
    kind: 'counter',
    labels: ['class'],
    help: 'CPU seconds by component. class: main (JavaScript of requests and jobs on the main thread), engine (processes for images and models), database (the thread of the embedded database; PostgreSQL is not measured).',
  },
  atelier_cpu_refusals_total: {
    kind: 'counter',
    labels: ['scope'],
    help: 'Calls rejected because a CPU budget was exhausted. scope: address, network (IPv6 /64, /56, /48), wallet.',
  },
  atelier_cpu_budgets_exhausted: {
    kind: 'gauge',
    labels: ['scope'],
    help: 'CPU budgets that are exhausted now, by the same scopes.',
  },
  atelier_pixels_in_flight: {
    kind: 'gauge',
    labels: [],
    help: 'Pixels of all image-processing tasks that have started.',
  },
  atelier_pixels_in_flight_max: {
    kind: 'gauge',
    labels: [],
    help: 'Limit of pixels in flight: PIXELS_IN_FLIGHT_MAX.',
  },
  atelier_pixel_work: {
    kind: 'gauge',
    labels: ['state'],
    help: 'Image-processing tasks. state: running, waiting.',
  },
  atelier_pixel_processes: {
    kind: 'gauge',
    labels: [],
    help: 'Open image-processing workers.',
  },
  atelier_pixel_processes_memory_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Resident memory of all image-processing workers (Linux only).',
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
    help: 'Waiting time of the oldest queued job.',
  },
  atelier_table_rows: {
    kind: 'gauge',
    labels: ['table', 'state'],
    isShared: true,
    help: 'Rows of the most frequently changed tables, as estimated by PostgreSQL. state: live, dead (waiting for autovacuum).',
  },
  atelier_table_bytes: {
    kind: 'gauge',
    labels: ['table'],
    isShared: true,
    help: 'Size of these tables, including indexes.',
  },
  atelier_jobs_running: {
    kind: 'gauge',
    labels: [],
    help: 'Jobs that this process runs.',
  },
  atelier_credits_charged_total: {
    kind: 'counter',
    labels: ['tool'],
    help: 'Credits charged to wallets for calls.',
  },
  atelier_credits_given_back_total: {
    kind: 'counter',
    labels: [],
    help: 'Credits held and released, because the call failed or cost less.',
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
    help: 'Holds that are neither settled nor released.',
  },
  atelier_holds_overdue: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'Holds that expired more than 5 minutes ago and were not released.',
  },
  atelier_credits_held: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'Credits in open holds.',
  },
  atelier_database_up: {
    kind: 'gauge',
    labels: [],
    help: '1 if the database answered during this scrape. At 0, the metrics of jobs, holds and webhooks are missing.',
  },
  atelier_database_seconds: {
    kind: 'histogram',
    labels: ['operation'],
    buckets: STATEMENT_SECONDS,
    help: 'Duration of database operations. operation: query (one statement), transaction (all of its statements).',
  },
  atelier_database_errors_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Failed statements. kind: unavailable, timeout, conflict, constraint, damaged (an invalid page or index, a missing file), other.',
  },
  atelier_database_connections: {
    kind: 'gauge',
    labels: ['state'],
    help: 'PostgreSQL connections of this process. state: busy, idle; waiting: operations waiting for a connection.',
  },
  atelier_database_connections_max: {
    kind: 'gauge',
    labels: [],
    help: 'Size of the connection pool.',
  },
  atelier_database_listening: {
    kind: 'gauge',
    labels: [],
    help: '1 if this process is notified of jobs of other processes (LISTEN), 0 if it only polls. Does not detect a pooler in transaction mode, which delivers no notifications. Absent with the embedded database.',
  },
  atelier_storage_seconds: {
    kind: 'histogram',
    labels: ['operation'],
    buckets: REQUEST_SECONDS,
    help: 'Duration of storage operations. operation: write, read, remove.',
  },
  atelier_storage_errors_total: {
    kind: 'counter',
    labels: ['operation'],
    help: 'Failed storage operations.',
  },
  atelier_stored_files_damaged_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Rejected reads of damaged files. kind: changed (the checksum does not match), missing.',
  },
  atelier_disk_spare_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Free space in DATA_DIR above DISK_FREE_MIN_BYTES. Below 0, no new files are stored.',
  },
  atelier_memory_held_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Bytes of request bodies, images and responses in the memory of this process.',
  },
  atelier_memory_held_max_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Limit of held memory: BYTES_IN_MEMORY_MAX.',
  },
  atelier_webhook_deliveries_pending: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'Webhook deliveries that are not delivered yet and will be retried.',
  },
  atelier_webhook_overdue_seconds: {
    kind: 'gauge',
    labels: [],
    isShared: true,
    help: 'Time since the oldest pending delivery was due.',
  },
  atelier_webhook_endpoints: {
    kind: 'gauge',
    labels: ['state'],
    isShared: true,
    help: 'Webhook endpoints. state: active, failing (all deliveries fail), disabled.',
  },
  atelier_webhook_attempts_total: {
    kind: 'counter',
    labels: ['outcome'],
    help: 'Delivery attempts. outcome: delivered, pending (will be retried), failed (abandoned).',
  },
  atelier_model_installed: {
    kind: 'gauge',
    labels: ['model'],
    help: '1 if the model is installed.',
  },
  atelier_model_fetched_ratio: {
    kind: 'gauge',
    labels: ['model'],
    help: 'Progress of a background download, 0 to 1. Absent if there is none.',
  },
  process_start_time_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Start time of this process, in seconds since 1970.',
  },
  process_cpu_seconds_total: {
    kind: 'counter',
    labels: [],
    help: 'CPU time of this process, without image-processing workers.',
  },
  process_resident_memory_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Resident memory of this process.',
  },
  nodejs_heap_size_used_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Used heap of this process.',
  },
  nodejs_external_memory_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Memory outside the heap, such as images.',
  },
  nodejs_eventloop_lag_p50_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Median event loop delay since the last scrape.',
  },
  nodejs_eventloop_lag_p99_seconds: {
    kind: 'gauge',
    labels: [],
    help: '99th percentile of the event loop delay since the last scrape.',
  },
  nodejs_eventloop_utilization_ratio: {
    kind: 'gauge',
    labels: [],
    help: 'Share of the time since the last scrape in which the event loop was busy.',
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
