export interface Proof {
  readonly wallet: string;
  readonly by: 'session' | 'key' | 'request';
  readonly key?: {
    readonly id: string;
    readonly name: string;
    readonly scopes: readonly Scope[];
    /** Absent: all tools. */
    readonly tools?: readonly string[];
  };
}

/** Permissions of a key; a session has all of them, and may manage keys and the lock. */
export type Scope = 'spend' | 'assets:read' | 'assets:write' | 'account:read';
