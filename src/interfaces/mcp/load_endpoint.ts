import type { Endpoint } from './endpoint.ts';

/** An endpoint that is loaded with its first request: other servers save the memory. Loading that fails is tried again. */
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
