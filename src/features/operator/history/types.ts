/** Figures of one server since its previous sample. */
export interface Sample {
  readonly at: Date;
  readonly requests: number;
  /** Responses with status 500 and above, except 503. */
  readonly failed: number;
  /** Requests per bucket of `atelier_http_request_seconds`, not cumulative. */
  readonly latencies: readonly number[];
  /** Queued jobs of all servers. */
  readonly queued: number;
  /** Charged to wallets. */
  readonly credits: number;
}

/** Figures of all servers in one interval of the graphs. */
export interface Point {
  /** Start of the interval. */
  readonly at: Date;
  readonly requests: number;
  readonly failed: number;
  /** 95th percentile of the response time; null without requests. */
  readonly p95Seconds: number | null;
  /** The longest queue. */
  readonly queued: number;
  readonly credits: number;
}

/** State of an alert of `deploy/monitoring/alerts.yml`, as far as the server evaluates it. */
export interface Alert {
  readonly name: string;
  readonly severity: 'page' | 'ticket';
  /** What is wrong, with its value. */
  readonly summary: string;
  readonly since: Date;
  /** The condition has held for as long as the rule asks for. */
  readonly isFiring: boolean;
}

export interface History {
  /** Adds a sample, evaluates the alerts and deletes old samples. Returns the number deleted. */
  sample(now: Date): Promise<number>;
  /** The last 24 hours in intervals, oldest first. */
  points(now: Date): Promise<readonly Point[]>;
  /** Of this server, as of its last sample. */
  alerts(): readonly Alert[];
}
