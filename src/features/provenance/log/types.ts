import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';

/**
 * The transparency log: receipts, registered hashes, kept manifests, archive entries and keys in one Merkle tree (RFC 9162), which can only grow.
 * What is promised is written down with the promise; `sequence` gives it its place a little later.
 */
export interface Log {
  /** The tree as it is now, signed as receipts are. */
  head(): Promise<TreeHead>;
  /** Proof that an entry is in the tree as it is now; nothing for one that is not, or not yet. */
  inclusion(entry: string): Promise<Inclusion | undefined>;
  /** Proof that the tree of `first` leaves is the beginning of that of `second`. @param first at least 1, at most `second`, which is at most the size */
  consistency(first: number, second: number): Promise<Buffer[]>;
  /** Leaves from `start`, at most `count`. */
  entries(start: number, count: number): Promise<LogEntry[]>;
  /** Gives what waits its places; says how many leaves were added. Several servers may do so at once: one goes first. */
  sequence(now: Date): Promise<number>;
  /** The newest head that was time-stamped, and its stamp; without one the reason. */
  latestStamp(): Promise<HeadStamp>;
  /** The earliest time-stamped head that covers the entry of an index, with the proof that the entry is in it. */
  stampCovering(index: number): Promise<HeadStamp & { readonly path?: Buffer[] }>;
  /** Has the present head time-stamped, where that is due and there is something new. Says whether a stamp was added. */
  stamp(now: Date): Promise<boolean>;
}

export interface HeadStamp {
  readonly result: TimeStampResult;
  /** Absent where there is none. */
  readonly stamp?: {
    readonly treeSize: number;
    /** The signed head, which is the message of the stamp. */
    readonly treeHead: string;
    /** DER of the time-stamp token. */
    readonly token: Buffer;
  };
}

export interface TreeHead {
  readonly size: number;
  readonly root: Buffer;
  /** Compact JWS over `tree_size` and `root_hash`. */
  readonly jws: string;
}

export interface Inclusion {
  readonly entry: LogEntry;
  readonly head: TreeHead;
  readonly path: Buffer[];
}

export interface LogEntry {
  readonly index: number;
  readonly entry: string;
  readonly at: Date;
}
