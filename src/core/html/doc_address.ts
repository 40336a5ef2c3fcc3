/** Server URL used in the documentation. */
const EXAMPLE_URL = 'http://127.0.0.1:8080';

/** Wallets of the examples. */
const EXAMPLE_WALLET = /\b0x0{38}[0-9a-f]{2}\b/g;

/** Values of the reader that replace the example values. */
export interface DocReader {
  /** Public URL of this server. */
  readonly publicUrl?: string | undefined;
  /** Unset if the reader is not signed in. */
  readonly wallet?: string | undefined;
}

/** Documentation text with the URL of this server and the wallet of the reader. */
export function forReader(text: string, { publicUrl = EXAMPLE_URL, wallet }: DocReader): string {
  const here = text.replaceAll(EXAMPLE_URL, publicUrl);
  return wallet === undefined ? here : here.replace(EXAMPLE_WALLET, wallet);
}

/** The index page. */
export const FIRST = 'README';

/** Links that are not pages: a file with an extension, a folder, or anything outside of `docs/`. */
const FILE = /^\/(?!docs\/)|^\/docs\/[^#]*(\.\w+|\/)$/;

/**
 * Maps a link of a documentation page to a page of the studio; undefined for other files, which are not served.
 * @param from name of the linking page: `concepts/credits`
 */
export function docAddress(href: string, from: string): string | undefined {
  if (/^(\w+:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://docs/docs/${from}`);
  const path = pathname.replace(/\.md$/, '').replace(`/docs/${FIRST}`, '/docs');
  return FILE.test(path + hash) && path !== '/docs' ? undefined : path + hash;
}
