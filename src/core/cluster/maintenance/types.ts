/** Whether the operator has asked for quiet: what only reads is answered, jobs that were taken go on, nothing new is kept. */
export interface Maintenance {
  /** As it was a moment ago; undefined where everything goes on. */
  current(): MaintenanceState | undefined;
}

export interface MaintenanceState {
  readonly since: Date;
  /** What callers are told beside. */
  readonly why?: string;
}

/** The operator's hand on it: for all servers of a database. */
export interface MaintenanceSwitch {
  state(): Promise<MaintenanceState | undefined>;
  /** Begins it, or says another reason. @throws Error where that is empty or too long */
  begin(why: string | undefined): Promise<void>;
  /** False where there was none. */
  end(): Promise<boolean>;
  /** Jobs that wait or run. */
  liveJobs(): Promise<number>;
  close(): Promise<void>;
}
