/** Leases for work that one server of a database does at a time. */
export interface Leases {
  /**
   * Acquires the lease of this job until it is released. Undefined where another server holds it, or where the job is not due. A
   * server that crashes or is suspended loses the lease after a minute.
   * @param lost called once another server may hold the lease
   * @param options `evenIfDone`: also where the job ran recently and no server runs it now
   * @returns releases the lease; another server may acquire it after this number of milliseconds
   */
  hold(
    name: string,
    lost?: () => void,
    options?: { readonly evenIfDone?: boolean },
  ): Promise<LetGo | undefined>;
}

export type LetGo = (afterMs?: number) => Promise<void>;
