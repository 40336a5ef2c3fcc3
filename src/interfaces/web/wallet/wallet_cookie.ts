/** Holds what stands for the wallet of a visitor. No program of a page can read it. */
export const WALLET_COOKIE = 'atelier_wallet';

/** A value of Set-Cookie that signs in until the browser is closed or the bearer ends; without a bearer, one that signs out. */
export function walletCookie(bearer: string | undefined, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const end = bearer === undefined ? '; Max-Age=0' : '';
  return `${WALLET_COOKIE}=${bearer ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${end}`;
}
