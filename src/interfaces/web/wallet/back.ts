import { z } from 'zod';
import { cookieIn } from '../cookies.ts';
import { noInput } from '../no_input.ts';
import { definePage, type Studio, type Visit } from '../types.ts';

/** Remembers the page to return to after a payment. */
const COOKIE = 'atelier_back';
const LIFETIME_SECONDS = 3_600;
/** Longer ones do not fit into a cookie (RFC 6265, 6.1). */
const BACK_CHARACTERS_MAX = 3_500;

/** A path of this server with its query, in a URL or form. */
export const backField = z.string().max(10_000).optional().catch(undefined);

/**
 * Path and query on this server. Parsed as browsers do: `//host`, `/\host` and a tab in between lead to other servers.
 * @returns undefined for a URL of another server or an invalid one
 */
export function safeBack(text: string | undefined, publicUrl: string): string | undefined {
  if (!text?.startsWith('/') || text.length > BACK_CHARACTERS_MAX) return undefined;
  const { origin } = new URL(publicUrl);
  if (!URL.canParse(text, origin)) return undefined;
  const address = new URL(text, origin);
  return address.origin === origin ? address.pathname + address.search : undefined;
}

/** `/wallet` with a link back to this page. */
export const walletFrom = (back: string): string => `/wallet?${new URLSearchParams({ back })}`;

/** Set-Cookie value with the page to return to. */
export function backCookie(back: string, { publicUrl }: Pick<Studio, 'publicUrl'>): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${encodeURIComponent(back)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFETIME_SECONDS}${secure}`;
}

/** Path from the cookie, validated: other servers on the same host can set it. */
export function rememberedBack({
  call,
  studio: { publicUrl },
}: Pick<Visit, 'call' | 'studio'>): string | undefined {
  const text = cookieIn(call.header('cookie'), COOKIE);
  try {
    return safeBack(text && decodeURIComponent(text), publicUrl);
  } catch {
    return undefined; // Malformed percent-encoding.
  }
}

/** Text of a link back: the tool title or "the previous page". */
export function backTitle(back: string, { tools }: Pick<Studio, 'tools'>): string {
  const name = /^\/tools\/(\w+)/.exec(back)?.[1];
  return tools.find((tool) => tool.name === name)?.title ?? 'the previous page';
}

/** Redirects after a payment to the page it was made for, else to the wallet. */
export const backPage = definePage({
  name: 'wallet_back',
  path: '/wallet/back',
  input: noInput,
  show: async (_input, visit) => ({ goTo: rememberedBack(visit) ?? '/wallet' }),
});
