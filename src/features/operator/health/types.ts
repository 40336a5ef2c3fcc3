/** Whether what the service cannot do without works, found out by doing it. */
export interface Health {
  check(): Promise<Checks>;
}

/** That of this process, which is told when it is about to stop. */
export interface OwnHealth extends Health {
  /** From now on every check says that this server goes. */
  leave(): void;
}

/**
 * `room`: the disk takes more. Without it what is here can still be read. `clock`: it agrees with that of the database; absent where that
 * is not known. `stays`: false where the server was told to stop, and still answers so that whoever asks here sends calls elsewhere.
 */
export interface Checks {
  readonly database: boolean;
  readonly storage: boolean;
  readonly room: boolean;
  readonly clock?: boolean;
  readonly stays?: false;
}

/** Whether the engines work, found out by sending a small picture through each. */
export interface EngineHealth {
  check(): Promise<EngineChecks>;
}

/** By the name of the engine; those that are not open here, as their network is not installed, are absent. */
export type EngineChecks = Readonly<Record<string, EngineCheck>>;

export interface EngineCheck {
  /** `busy`: its turn did not come, so nothing is known of it. */
  readonly state: 'ok' | 'failed' | 'busy';
  /** Its turn included. */
  readonly ms: number;
  /** In words; of a failure. */
  readonly reason?: string;
}
