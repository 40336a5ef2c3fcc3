import type { MuseumName } from '../../artworks/museums/museums.ts';
import type { Group, ModelName } from '../manifest.ts';

/** A model or museum dataset that can be downloaded. */
export interface Offer {
  readonly name: ModelName | MuseumName;
  readonly kind: 'network' | 'museum';
  /** Group with which it can be downloaded. */
  readonly group?: Group;
  /** Purpose, as text for people. */
  readonly brings: string;
  /** Size of the download; undefined: unknown. */
  readonly bytes: number | undefined;
  /** `bytes` is an earlier size: the server was unreachable, or does not report it. */
  readonly isEstimate?: boolean;
  /** Number of files, where the size is unknown: `5 files`. */
  readonly pieces?: string;
  readonly licence: string;
  readonly isRecommended: boolean;
  /** It is installed; for a museum, artworks of it were imported. */
  readonly isHere: boolean;
}

/** Downloads for a data folder. */
export interface Setup {
  /** Checks the connection within seconds; a sentence where nothing is reachable. Does not open the database. */
  unreachable(signal: AbortSignal): Promise<string | undefined>;
  /** All downloads. Queries the sizes of museum files for a few seconds at most, unless nothing is reachable. */
  offers(signal: AbortSignal): Promise<readonly Offer[]>;
  /** Checks the free disk space. @throws AtelierError storage_full, naming the needed and the available space */
  requireRoom(offers: readonly Offer[]): Promise<void>;
  /** Checks within seconds whether any of their servers is reachable. @throws AtelierError naming alternatives */
  requireConnection(offers: readonly Offer[], signal: AbortSignal): Promise<void>;
  /** Locks the setup of this folder; returns the function that releases it. @throws SetupRuns */
  hold(): () => void;
  /**
   * Downloads one, resuming an earlier attempt, and returns a summary. It becomes visible only when complete.
   * @throws Error
   */
  fetch(offer: Offer, watch: Watch): Promise<string>;
  close(): Promise<void>;
}

export interface Watch {
  readonly signal: AbortSignal;
  onProgress(fraction: number, message: string): void;
  /** Called before each retry, with a sentence about it. */
  onRetry?(message: string): void;
}

/** Another process runs a setup of the same folder. */
export class SetupRuns extends Error {
  override readonly name = 'SetupRuns';
}

/** A download requested by an operator, with its last state. */
export interface FetchRequest {
  readonly name: Offer['name'];
  /** waiting: for a server to claim it. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped';
  /** Cancellation was requested. */
  readonly isUnwanted: boolean;
  /** Progress, 0 to 1. */
  readonly fraction: number;
  /** Current step, or outcome. */
  readonly said: string;
  /** The requesting operator. */
  readonly who: string;
  readonly askedAt: Date;
  readonly endedAt: Date | null;
}
