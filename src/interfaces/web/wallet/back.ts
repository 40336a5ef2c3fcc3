import { z } from 'zod';
import { cookieIn } from '../cookie_in.ts';
import type { Studio, Visit } from '../types.ts';

/** Where a visitor came from, while they pay elsewhere. */
const COOKIE = 'atelier_back';
const LIFETIME_SECONDS = 3_600;
/** Longer ones do not fit into a cookie (RFC 6265, 6.1). */
const BACK_CHARACTERS_MAX = 3_500;

/** A path of this server with its query, in an address or a form. Anything else leads nowhere. */
export const backField = z.string().max(10_000).optional().catch(undefined);

/**
 * A path and query of this server, as browsers read it: `//host`, `/\host` and a tab in between lead to other servers.
 * @returns undefined for an address elsewhere, or a text that is none
 */
export function safeBack(text: string | undefined, publicUrl: string): string | undefined {
  if (!text?.startsWith('/') || text.length > BACK_CHARACTERS_MAX) return undefined;
  const { origin } = new URL(publicUrl);
  if (!URL.canParse(text, origin)) return undefined;
  const address = new URL(text, origin);
  return address.origin === origin ? address.pathname + address.search : undefined;
}

/** `/wallet`, from which a visitor returns to this page. */
export const walletFrom = (back: string): string => `/wallet?${new URLSearchParams({ back })}`;

/** A value of Set-Cookie that remembers where to go back to. */
export function backCookie(back: string, { publicUrl }: Pick<Studio, 'publicUrl'>): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${encodeURIComponent(back)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFETIME_SECONDS}${secure}`;
}

/** The path that the cookie remembers. Programs of other servers on the same host may have written it. */
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

/** What a link back says: "Upscale an image", or where the visitor was. */
export function backTitle(back: string, { tools }: Pick<Studio, 'tools'>): string {
  const name = /^\/tools\/(\w+)/.exec(back)?.[1];
  return tools.find((tool) => tool.name === name)?.title ?? 'where you were';
}
