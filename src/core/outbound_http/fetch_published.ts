import { ownProxies } from '../../config/config.ts';
import { fetchByProxy } from './fetch_by_proxy.ts';
import { followOutward } from './follow_outward.ts';

/**
 * `fetch` for files of museums and model publishers: through HTTPS_PROXY and HTTP_PROXY if they are set; redirects may only lead to the
 * public internet.
 */
export function fetchPublished(): typeof fetch {
  const proxies = ownProxies();
  const isByProxy = proxies.https !== undefined || proxies.http !== undefined;
  return isByProxy ? followOutward(fetchByProxy(proxies), { isByProxy }) : followOutward(fetch);
}
