/** Signed links with an expiry time in seconds. */
export interface Links {
  /** URL of `path` with `query`, an `exp` (Unix seconds) and a `sig` over all of it. */
  sign(path: string, query: Record<string, string>, expiresAt: Date): string;
  /** Whether `sig` is valid for exactly this path, query and `exp`, and `exp` is in the future. */
  verify(path: string, query: Record<string, string>, exp: string, sig: string): boolean;
  /** Public base URL of this server, without a trailing slash. */
  readonly publicUrl: string;
}
