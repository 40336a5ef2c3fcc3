/** Whether the required components work, tested by using them. */
export interface Health {
  check(): Promise<Checks>;
}

/** Health of this process, including that it is shutting down. */
export interface OwnHealth extends Health {
  /** Marks this server as shutting down in every further check. */
  leave(): void;
}

/**
 * `room`: the disk accepts writes; without it, reads still work. `clock`: the clock agrees with that of the database; absent where
 * unknown. `stays`: false while the server shuts down and still responds, so that load balancers send calls elsewhere.
 */
export interface Checks {
  readonly database: boolean;
  readonly storage: boolean;
  readonly room: boolean;
  readonly clock?: boolean;
  readonly stays?: false;
}

/** Whether the engines work, tested by a small image through each. */
export interface EngineHealth {
  check(): Promise<EngineChecks>;
}

/** By engine name; unavailable engines, whose model is not installed, are absent. */
export type EngineChecks = Readonly<Record<string, EngineCheck>>;

export interface EngineCheck {
  /** `busy`: no slot became free, so the state is unknown. */
  readonly state: 'ok' | 'failed' | 'busy';
  /** Including the wait for a slot. */
  readonly ms: number;
  /** Reason of a failure. */
  readonly reason?: string;
}
