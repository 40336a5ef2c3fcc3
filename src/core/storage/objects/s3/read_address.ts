/** What is in `https://endpoint/bucket/prefix`. */
export function readAddress(address: string) {
  const { origin, pathname } = new URL(address);
  const [name, ...rest] = pathname.split('/').filter(Boolean);
  return {
    bucketUrl: `${origin}/${name}`,
    /** Names begin with it in the bucket. Empty, or with a slash at its end. */
    prefix: rest.map((part) => `${decodeURIComponent(part)}/`).join(''),
    /** For messages. */
    where: `${origin}/${[name, ...rest].join('/')}`,
  };
}
