import { ownProxies } from '../../config/config.ts';
import { fetchByProxy } from './fetch_by_proxy.ts';
import { followOutward } from './follow_outward.ts';

/**
 * `fetch` for files that museums and publishers of networks offer: through HTTPS_PROXY and HTTP_PROXY where they are set, and redirects lead to the
 * public internet alone.
 */
export function fetchPublished(): typeof fetch {
  const proxies = ownProxies();
  const isByProxy = proxies.https !== undefined || proxies.http !== undefined;
  return isByProxy ? followOutward(fetchByProxy(proxies), { isByProxy }) : followOutward(fetch);
}
