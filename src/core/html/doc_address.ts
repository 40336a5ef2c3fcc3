/** The page that lists the others. */
export const FIRST = 'README';

/** What a link to no page leads to: a file with an ending, a folder, or what lies outside of `docs/`. */
const FILE = /^\/(?!docs\/)|^\/docs\/[^#]*(\.\w+|\/)$/;

/**
 * Where a link of one page of the documentation leads among the pages of the studio; undefined for a file beside them, which is not served.
 * @param from name of the page it stands on: `concepts/credits`
 */
export function docAddress(href: string, from: string): string | undefined {
  if (/^(\w+:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://docs/docs/${from}`);
  const path = pathname.replace(/\.md$/, '').replace(`/docs/${FIRST}`, '/docs');
  return FILE.test(path + hash) && path !== '/docs' ? undefined : path + hash;
}
