/** The same path behind a mirror that stands for all hosts of museums: `<mirror>/<host>/<path>`. */
export function mirrored(mirror: string | undefined, url: string): string {
  if (mirror === undefined) return url;
  const { host, pathname, search } = new URL(url);
  return `${mirror.replace(/\/$/, '')}/${host}${pathname}${search}`;
}
