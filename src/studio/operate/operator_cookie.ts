/** Holds the token of an operator, for the page of operators alone. */
const OPERATOR_COOKIE = 'atelier_operator';
const PATH = '/operate';

/** The token in a Cookie header. */
export const operatorTokenIn = (cookies: string | undefined): string | undefined =>
  new RegExp(`(?:^|;\\s*)${OPERATOR_COOKIE}=([^;]+)`).exec(cookies ?? '')?.[1];

/** A value of Set-Cookie; without a token, one that ends it. */
export function operatorCookie(token: string | undefined, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const end = token === undefined ? '; Max-Age=0' : '';
  return `${OPERATOR_COOKIE}=${token ?? ''}; Path=${PATH}; HttpOnly; SameSite=Strict${secure}${end}`;
}
