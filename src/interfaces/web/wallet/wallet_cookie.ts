/** Holds the bearer token of the visitor. HttpOnly. */
export const WALLET_COOKIE = 'atelier_wallet';

/** Set-Cookie value that signs in until the browser is closed or the bearer expires; without a bearer it signs out. */
export function walletCookie(bearer: string | undefined, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const end = bearer === undefined ? '; Max-Age=0' : '';
  return `${WALLET_COOKIE}=${bearer ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${end}`;
}
