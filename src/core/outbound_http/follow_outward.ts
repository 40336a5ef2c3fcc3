import { FETCH_REDIRECTS_MAX } from '../../config/limits.ts';
import { PUBLIC_INTERNET, type Reach } from './reach.ts';
import { openRoute } from './route.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Downloads of files the operator or this program names: one that leads elsewhere may lead to the public internet only. */
export class LeadsInward extends Error {}

/**
 * `fetch` for addresses that are trusted, such as those of museums and mirrors of the operator. A redirect is followed within the
 * server that was asked, and to the public internet; not into this machine or its network.
 * @throws LeadsInward; Error for more redirects than are followed
 */
export const followOutward =
  (base: typeof fetch, reach: Reach = PUBLIC_INTERNET): typeof fetch =>
  async (input, init) => {
    const { origin } = new URL(String(input));
    let next = String(input);
    for (let hop = 0; hop <= FETCH_REDIRECTS_MAX; hop += 1) {
      if (new URL(next).origin !== origin) await requirePublic(reach, next);
      const response = await base(next, { ...init, redirect: 'manual' });
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      const target = URL.parse(location, next);
      if (!target) throw new LeadsInward('it redirects to something that is no address');
      next = target.href;
    }
    throw new Error(`it redirects more than ${FETCH_REDIRECTS_MAX} times`);
  };

async function requirePublic(reach: Reach, url: string): Promise<void> {
  try {
    await openRoute(reach, url, 'address');
  } catch (error) {
    throw new LeadsInward(
      `it redirects to ${new URL(url).host}, which is not on the public internet (https)`,
      { cause: error },
    );
  }
}
