import type { MuseumName } from '../../artworks/museums/museums.ts';
import type { Group, ModelName } from '../manifest.ts';

/** Something that does not come with this program and can be fetched. */
export interface Offer {
  readonly name: ModelName | MuseumName;
  readonly kind: 'network' | 'museum';
  /** The word it is fetched by together with others. */
  readonly group?: Group;
  /** What it is good for, for a person. */
  readonly brings: string;
  /** Of the download. Undefined: not known. */
  readonly bytes: number | undefined;
  /** `bytes` are those of an earlier day: its server was not reached, or does not say. */
  readonly isEstimate?: boolean;
  /** In how many pieces it comes, where its bytes are not known: `5 files`. */
  readonly pieces?: string;
  readonly licence: string;
  readonly isRecommended: boolean;
  /** A museum: works of it were imported. */
  readonly isHere: boolean;
}

/** All that can be fetched for a data folder, and the fetching. */
export interface Setup {
  /** Finds out within seconds whether anything can be reached from this machine; a sentence where nothing can. Opens no database. */
  unreachable(signal: AbortSignal): Promise<string | undefined>;
  /** Asks museums how large their files are, for a few seconds at most, unless nothing can be reached. */
  offers(signal: AbortSignal): Promise<readonly Offer[]>;
  /** @throws AtelierError storage_full naming what these need and what is free */
  requireRoom(offers: readonly Offer[]): Promise<void>;
  /** Finds out within seconds whether any of their servers can be reached. @throws AtelierError saying how to do without */
  requireConnection(offers: readonly Offer[], signal: AbortSignal): Promise<void>;
  /** Makes this process the only one that sets this folder up; answers what gives it back. @throws SetupRuns */
  hold(): () => void;
  /**
   * Fetches one, going on where an earlier try stopped, and says what came of it. Until it is whole nothing of it is to be seen.
   * @throws Error whose message says what was wrong
   */
  fetch(offer: Offer, watch: Watch): Promise<string>;
  close(): Promise<void>;
}

export interface Watch {
  readonly signal: AbortSignal;
  onProgress(fraction: number, message: string): void;
  /** Called before each further try, with a sentence about it. */
  onRetry?(message: string): void;
}

/** Another process sets the same folder up. */
export class SetupRuns extends Error {
  override readonly name = 'SetupRuns';
}

/** Something an operator has asked the servers of a database to fetch, as it was the last time. */
export interface AskedFetch {
  readonly name: Offer['name'];
  /** waiting: for a server to take it. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped';
  /** It was asked to end and has not yet. */
  readonly isUnwanted: boolean;
  /** 0 to 1, of what runs. */
  readonly fraction: number;
  /** What it does now, or what came of it. */
  readonly said: string;
  /** Who asked. */
  readonly who: string;
  readonly askedAt: Date;
  readonly endedAt: Date | null;
}
