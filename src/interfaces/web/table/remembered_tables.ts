import { cookieIn } from '../cookies.ts';
import type { Visit } from '../types.ts';
import { COOKIE_LIFETIME_SECONDS, REMEMBERED_TABLES_MAX } from './limits.ts';

/**
 * Links to tables without a wallet. Stored in an HttpOnly cookie, so that the URL of a table grants no access.
 */
const COOKIE = 'atelier_tables';
const BETWEEN = '!';
const LINK = /^wsp_[0-9a-f]{32}\.s[a-z0-9]{1,79}\.[A-Za-z0-9_-]{43}$/;

const linksIn = (cookies: string | undefined): readonly string[] =>
  (cookieIn(cookies, COOKIE) ?? '')
    .split(BETWEEN)
    .filter((link) => LINK.test(link))
    .slice(0, REMEMBERED_TABLES_MAX);

const idOf = (link: string): string => link.split('.')[0]!;

/** Links of tables that this browser created or opened by link, newest first. */
export const rememberedLinks = ({ call }: Visit): readonly string[] => linksIn(call.header('cookie'));

export const rememberedLink = (visit: Visit, id: string): string | undefined =>
  rememberedLinks(visit).find((link) => idOf(link) === id);

/** Set-Cookie value with the new link before the earlier ones. */
export function tablesCookie(visit: Visit, link: string): string {
  const others = rememberedLinks(visit).filter((one) => idOf(one) !== idOf(link));
  const value = [link, ...others].slice(0, REMEMBERED_TABLES_MAX).join(BETWEEN);
  const secure = visit.studio.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_LIFETIME_SECONDS}${secure}`;
}
