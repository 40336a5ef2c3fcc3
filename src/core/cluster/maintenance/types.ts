/** Maintenance mode: reads are served, accepted jobs continue, new writes are refused. */
export interface Maintenance {
  /** The cached state; undefined outside of maintenance. */
  current(): MaintenanceState | undefined;
}

export interface MaintenanceState {
  readonly since: Date;
  /** Shown to clients. */
  readonly why?: string;
}

/** Admin actions on maintenance mode, for all servers of a database. */
export interface MaintenanceSwitch {
  state(): Promise<MaintenanceState | undefined>;
  /** Starts maintenance, or changes its reason. @throws Error if the reason is empty or too long */
  begin(why: string | undefined): Promise<void>;
  /** Ends maintenance. False if there was none. */
  end(): Promise<boolean>;
  /** Number of queued and running jobs. */
  liveJobs(): Promise<number>;
  close(): Promise<void>;
}
