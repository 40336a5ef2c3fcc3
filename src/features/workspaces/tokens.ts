import { randomBytes } from 'node:crypto';
import type { Links } from '../../core/links/links.ts';
import type { Role } from './types.ts';

/**
 * Text that opens a workspace: its id, for the wallet that owns it; `<id>.s<link>.<signature>`, a share link; or
 * `<id>.p<role><author>[l<link>]t<end>.<signature>`, a pass for a page. Derived, not stored: all servers compute the same signature.
 */
export const OPENER = /^(wsp_[0-9a-f]{32})(?:\.([a-z0-9]{1,80})\.([A-Za-z0-9_-]{43}))?$/;

export const newWorkspaceId = (): string => `wsp_${randomBytes(16).toString('hex')}`;

/** Parses such a text, or the URL of the page. Does not verify the signature. */
export function readOpener(
  text: string,
): { id: string; claims: string | undefined; signature: string } | undefined {
  const plain = text.trim().replace(/^https?:\/\/[^?#]{1,300}\/table\//, '');
  const [, id, claims, signature = ''] = OPENER.exec(plain) ?? [];
  return id === undefined ? undefined : { id, claims, signature };
}

export interface PassClaims {
  readonly role: Role;
  /** Number of the author. */
  readonly author: number;
  readonly link: number | null;
}

const ROLES = { v: 'view', w: 'work', o: 'own' } as const;
/** Share links do not expire; they are revoked. */
const NO_END = new Date(9_999_999_999_000);

const pathOf = (id: string): string => `/table/${id}`;

const signatureIn = (url: string): string => new URL(url).searchParams.get('sig')!;

export const shareToken = (links: Links, id: string, link: number): string => {
  const claims = `s${link}`;
  return `${id}.${claims}.${signatureIn(links.sign(pathOf(id), { claims }, NO_END))}`;
};

export function passToken(
  links: Links,
  id: string,
  { role, author, link }: PassClaims,
  expiresAt: Date,
): string {
  const end = String(Math.floor(expiresAt.getTime() / 1000));
  const claims = `p${role[0]}${author}${link === null ? '' : `l${link}`}t${end}`;
  return `${id}.${claims}.${signatureIn(links.sign(pathOf(id), { claims }, expiresAt))}`;
}

/** The number of a share link; undefined where the signature is invalid. */
export function readShare(links: Links, id: string, claims: string, signature: string): number | undefined {
  const [, link] = /^s(\d{1,6})$/.exec(claims) ?? [];
  const holds = links.verify(pathOf(id), { claims }, String(NO_END.getTime() / 1000), signature);
  return link !== undefined && holds ? Number(link) : undefined;
}

/** The claims of a pass; undefined where it is invalid or has expired. */
export function readPass(
  links: Links,
  id: string,
  claims: string,
  signature: string,
): PassClaims | undefined {
  const [, letter, author, link, end] = /^p([vwo])(\d{1,6})(?:l(\d{1,6}))?t(\d{10})$/.exec(claims) ?? [];
  if (end === undefined || !links.verify(pathOf(id), { claims }, end, signature)) return undefined;
  return {
    role: ROLES[letter as keyof typeof ROLES],
    author: Number(author),
    link: link === undefined ? null : Number(link),
  };
}

/**
 * Handle of an item for image fields of one call: `<32 hex>/<item>/<end>/<signature>/<name>`. The name, after which results are
 * named, is not signed.
 */
export function itemHandle(
  links: Links,
  id: string,
  { item, name }: { item: number; name: string },
  expiresAt: Date,
): string {
  const url = new URL(links.sign(pathOf(id), { item: String(item) }, expiresAt));
  const { exp, sig } = Object.fromEntries(url.searchParams);
  return `item:${id.slice(4)}/${item}/${exp}/${sig}/${encodeURIComponent(name.toWellFormed())}`;
}

/** The item of such a handle, without `item:`; undefined where the signature is invalid. */
export function readItemHandle(links: Links, rest: string): { id: string; item: number } | undefined {
  const [, hex, item, exp, sig] = ITEM_HANDLE.exec(rest) ?? [];
  if (sig === undefined || !links.verify(pathOf(`wsp_${hex}`), { item: item! }, exp!, sig)) return undefined;
  return { id: `wsp_${hex}`, item: Number(item) };
}

const ITEM_HANDLE = /^([0-9a-f]{32})\/(\d{1,6})\/(\d{10})\/([A-Za-z0-9_-]{43})\/[^/]*$/;

/** Handle of an item as clients send it together with `workspace`: `item:3`. */
export const CLIENT_HANDLE = /^\s*item:(\d{1,6})\s*$/i;
/** Form of `itemHandle`, to be replaced in stored calls. */
export const SIGNED_HANDLE = /^item:[0-9a-f]{32}\/(\d{1,6})\/\d{10}\/[A-Za-z0-9_-]{43}\/[^/]*$/;
