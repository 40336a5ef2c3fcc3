import type { Endpoint } from './endpoint.ts';

/**
 * Loads an endpoint with its first request: servers without such requests save the memory. A failed load is
 * retried.
 */
export function loadEndpoint(load: () => Promise<Endpoint>): Endpoint {
  let loaded: Promise<Endpoint> | undefined;
  return async (request, peer) => {
    loaded ??= load();
    const endpoint = await loaded.catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return endpoint(request, peer);
  };
}
