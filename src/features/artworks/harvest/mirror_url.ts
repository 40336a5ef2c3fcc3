/** URL on a mirror that serves all museums: `<mirror>/<host>/<path>`. */
export function mirrorUrl(mirror: string | undefined, url: string): string {
  if (mirror === undefined) return url;
  const { host, pathname, search } = new URL(url);
  return `${mirror.replace(/\/$/, '')}/${host}${pathname}${search}`;
}
