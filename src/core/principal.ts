export interface Proof {
  readonly wallet: string;
  readonly by: 'session' | 'key' | 'request';
  readonly key?: {
    readonly id: string;
    readonly name: string;
    readonly scopes: readonly Scope[];
    /** Absent: every tool. */
    readonly tools?: readonly string[];
  };
}

/** What a key may be allowed; a session may do all of it, and manage keys and the lock beside. */
export type Scope = 'spend' | 'assets:read' | 'assets:write' | 'account:read';
