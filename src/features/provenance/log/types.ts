import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';

/**
 * The transparency log: receipts, registered hashes, stored manifests, archive entries and keys in one append-only Merkle tree (RFC 9162).
 * An entry is queued in the transaction it documents; `sequence` adds it to the tree later.
 */
export interface Log {
  /** The current tree head, signed with the key of receipts. */
  head(): Promise<TreeHead>;
  /** Inclusion proof in the current tree; undefined for an entry that is not in it, or not yet. */
  inclusion(entry: string): Promise<Inclusion | undefined>;
  /**
   * Consistency proof between the trees of `first` and `second` leaves.
   * @param first at least 1, at most `second`, which is at most the size
   */
  consistency(first: number, second: number): Promise<Buffer[]>;
  /** Leaves from `start`, at most `count`. */
  entries(start: number, count: number): Promise<LogEntry[]>;
  /** Adds queued entries to the tree. Returns the number of new leaves. Servers that call it concurrently run one after the other. */
  sequence(now: Date): Promise<number>;
  /** The newest time-stamped head with its stamp, or the reason for having none. */
  latestStamp(): Promise<HeadStamp>;
  /** The earliest time-stamped head that covers the entry at an index, with its inclusion proof. */
  stampCovering(index: number): Promise<HeadStamp & { readonly path?: Buffer[] }>;
  /** Requests a time stamp for the current head, if due and if there are new entries. Returns whether a stamp was added. */
  stamp(now: Date): Promise<boolean>;
}

export interface HeadStamp {
  readonly result: TimeStampResult;
  /** Absent without a stamp. */
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
