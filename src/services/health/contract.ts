/** Whether what the service cannot do without works, found out by doing it. */
export interface Health {
  check(): Promise<Checks>;
}

/**
 * `room`: the disk takes more. Without it what is here can still be read. `clock`: it agrees with that of the database; absent where that
 * is not known.
 */
export interface Checks {
  readonly database: boolean;
  readonly storage: boolean;
  readonly room: boolean;
  readonly clock?: boolean;
}
