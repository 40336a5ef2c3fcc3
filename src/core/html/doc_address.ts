/** Address of the server in the documentation. */
export const EXAMPLE_URL = 'http://127.0.0.1:8080';

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
