import { cookieIn } from '../cookie_in.ts';
import type { Visit } from '../types.ts';
import { COOKIE_LIFETIME_SECONDS, REMEMBERED_TABLES_MAX } from './limits.ts';

/**
 * The links that this browser opens its tables with, so that the address of a table can be copied without the right to it. No program
 * of a page can read it.
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

/** Tables without a wallet that this browser made or was given, newest first: their links. */
export const rememberedLinks = ({ call }: Visit): readonly string[] => linksIn(call.header('cookie'));

export const rememberedLink = (visit: Visit, id: string): string | undefined =>
  rememberedLinks(visit).find((link) => idOf(link) === id);

/** A value of Set-Cookie that remembers a link before those of earlier. */
export function tablesCookie(visit: Visit, link: string): string {
  const others = rememberedLinks(visit).filter((one) => idOf(one) !== idOf(link));
  const value = [link, ...others].slice(0, REMEMBERED_TABLES_MAX).join(BETWEEN);
  const secure = visit.studio.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_LIFETIME_SECONDS}${secure}`;
}
