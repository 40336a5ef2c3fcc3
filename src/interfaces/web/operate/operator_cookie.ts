import { cookieIn } from '../cookie_in.ts';
import { SIGN_IN_SECONDS } from './limits.ts';

/** Holds the token of an operator, for the pages of operators alone. */
const OPERATOR_COOKIE = 'atelier_operator';
/** Holds what a browser has to bring back from the identity provider. */
const SIGN_IN_COOKIE = 'atelier_sign_in';
const PATH = '/operate';

/** The token in a Cookie header. */
export const operatorTokenIn = (cookies: string | undefined): string | undefined =>
  cookieIn(cookies, OPERATOR_COOKIE);

/** What was kept while somebody was at the identity provider. */
export const signInSecretIn = (cookies: string | undefined): string | undefined =>
  cookieIn(cookies, SIGN_IN_COOKIE);

/** A value of Set-Cookie; without a token, one that ends it. */
export const operatorCookie = (token: string | undefined, publicUrl: string): string =>
  cookie(OPERATOR_COOKIE, { value: token, publicUrl });

/** The same for what has to come back. */
export const signInCookie = (secret: string, publicUrl: string): string =>
  cookie(SIGN_IN_COOKIE, { value: secret, publicUrl, seconds: SIGN_IN_SECONDS });

interface Held {
  readonly value: string | undefined;
  readonly publicUrl: string;
  /** Absent: until the browser is closed. */
  readonly seconds?: number;
}

/** Lax, as it has to come along when the identity provider sends the browser back; forms of other sites are refused all the same. */
function cookie(name: string, { value, publicUrl, seconds }: Held): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const age = value === undefined ? '; Max-Age=0' : seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${name}=${value ?? ''}; Path=${PATH}; HttpOnly; SameSite=Lax${secure}${age}`;
}
