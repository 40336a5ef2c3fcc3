import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

const UNIX_SECONDS = /^\d{9,11}$/;

/** Signs with HMAC-SHA256. Servers that share `secret` accept each other's links. */
export function createLinks(options: { publicUrl: string; secret: string; now?: () => number }): Links {
  const { secret, now = Date.now } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const key = createSecretKey(Buffer.from(secret));
  const signatureOf = (path: string, query: Record<string, string>, exp: string): Buffer =>
    createHmac('sha256', key)
      .update(signedText(path, query, exp))
      .digest();

  return {
    publicUrl,
    sign(path, query, expiresAt) {
      const exp = String(Math.floor(expiresAt.getTime() / 1000));
      const sig = signatureOf(path, query, exp).toString('base64url');
      return `${publicUrl}${path}?${new URLSearchParams({ ...query, exp, sig })}`;
    },
    verify(path, query, exp, sig) {
      if (!UNIX_SECONDS.test(exp) || Number(exp) * 1000 <= now()) return false;
      const given = Buffer.from(sig.slice(0, 100), 'base64url');
      const ours = signatureOf(path, query, exp);
      return given.length === ours.length && timingSafeEqual(given, ours);
    },
  };
}

/** JSON separates the parts: two different links never have the same text. */
function signedText(path: string, query: Record<string, string>, exp: string): string {
  const parts = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([path, parts, exp]);
}

/** Signed links with an expiry time in seconds. */
export interface Links {
  /** URL of `path` with `query`, an `exp` (Unix seconds) and a `sig` over all of it. */
  sign(path: string, query: Record<string, string>, expiresAt: Date): string;
  /** Whether `sig` is valid for exactly this path, query and `exp`, and `exp` is in the future. */
  verify(path: string, query: Record<string, string>, exp: string, sig: string): boolean;
  /** Public base URL of this server, without a trailing slash. */
  readonly publicUrl: string;
}
