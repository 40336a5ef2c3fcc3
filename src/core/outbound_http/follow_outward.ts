import { FETCH_REDIRECTS_MAX } from '../../config/limits.ts';
import { PUBLIC_INTERNET, type Reach } from './reach.ts';
import { openRoute, Unresolved } from './route.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Downloads from configured URLs: a redirect may only lead to the public internet. */
export class PrivateRedirect extends Error {}

interface Way {
  readonly reach?: Reach;
  /** Requests go through a proxy, which resolves names that this machine may not know. */
  readonly isByProxy?: boolean;
}

/**
 * `fetch` for trusted URLs, such as those of museums and configured mirrors. Follows redirects within the same host and to the
 * public internet, but not into this machine or its network.
 * @throws PrivateRedirect; Error for too many redirects
 */
export const followOutward =
  (base: typeof fetch, way: Way = {}): typeof fetch =>
  async (input, init) => {
    const { origin } = new URL(String(input));
    let next = String(input);
    for (let hop = 0; hop <= FETCH_REDIRECTS_MAX; hop += 1) {
      if (new URL(next).origin !== origin) await requirePublic(next, way);
      const response = await base(next, { ...init, redirect: 'manual' });
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      const target = URL.parse(location, next);
      if (!target) throw new PrivateRedirect('it redirects to an invalid URL');
      next = target.href;
    }
    throw new Error(`it redirects more than ${FETCH_REDIRECTS_MAX} times`);
  };

async function requirePublic(url: string, { reach = PUBLIC_INTERNET, isByProxy }: Way): Promise<void> {
  try {
    await openRoute(reach, url, 'address');
  } catch (error) {
    // Addresses and local names are refused before any name is resolved.
    if (isByProxy && error instanceof Unresolved) return;
    throw new PrivateRedirect(
      `it redirects to ${new URL(url).host}, which is not on the public internet (https)`,
      { cause: error },
    );
  }
}
