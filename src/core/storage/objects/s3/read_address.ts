/** Parses `https://endpoint/bucket/prefix`. */
export function readAddress(address: string) {
  const { origin, pathname } = new URL(address);
  const [name, ...rest] = pathname.split('/').filter(Boolean);
  return {
    bucketUrl: `${origin}/${name}`,
    /** Prefix of object names. Empty, or with a trailing slash. */
    prefix: rest.map((part) => `${decodeURIComponent(part)}/`).join(''),
    /** For messages. */
    where: `${origin}/${[name, ...rest].join('/')}`,
  };
}
