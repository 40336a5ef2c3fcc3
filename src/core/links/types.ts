/** Links that prove we made them and end at a given second. */
export interface Links {
  /** Address of `path` with `query`, an `exp` (Unix seconds) and a `sig` over all of it. */
  sign(path: string, query: Record<string, string>, expiresAt: Date): string;
  /** True when `sig` is ours for exactly this path, query and `exp`, and `exp` lies ahead. */
  verify(path: string, query: Record<string, string>, exp: string, sig: string): boolean;
  /** Where callers reach this server, without a slash at the end. */
  readonly publicUrl: string;
}
