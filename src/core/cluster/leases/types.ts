/** What one server of a database does at a time, whichever it is. */
export interface Leases {
  /**
   * Makes this server the one that does it, until it lets go; undefined where another one does it, or it is not due yet. A server that dies or
   * falls asleep loses it after a minute.
   * @param lost told where somebody else may have it from now on
   * @param options `evenIfDone`: also where it was done a moment ago and nobody does it now
   * @returns lets go of it, for anybody to take after so many milliseconds
   */
  hold(
    name: string,
    lost?: () => void,
    options?: { readonly evenIfDone?: boolean },
  ): Promise<LetGo | undefined>;
}

export type LetGo = (afterMs?: number) => Promise<void>;
