import { AtelierError } from '../errors/atelier_error.ts';

/** Timeout in milliseconds for DNS, connecting and the first byte together. */
const ANSWER_TIMEOUT_MS = 2_500;

interface Asked {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Default: ANSWER_TIMEOUT_MS. */
  readonly timeoutMs?: number;
  /** Alternative without a connection; part of a sentence. */
  readonly otherwise: string;
}

/**
 * Requests each server once, concurrently; a response with any status is sufficient, because it proves that there is a connection.
 * @throws AtelierError naming the servers, if none responds
 */
export async function requireReachable(
  addresses: readonly string[],
  { fetch, signal, timeoutMs = ANSWER_TIMEOUT_MS, otherwise }: Asked,
): Promise<void> {
  const servers = new Map(addresses.map((address) => [new URL(address).host, address]));
  if (servers.size === 0) return;
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(timeoutMs)]);
  const asked = [...servers.values()].map((url) =>
    fetch(url, { method: 'HEAD', redirect: 'manual', signal: until }),
  );
  try {
    await Promise.any(asked);
  } catch (cause) {
    signal.throwIfAborted();
    throw new AtelierError(
      'upstream_failed',
      `This machine cannot reach any of ${[...servers.keys()].join(', ')}, so nothing was downloaded; ${otherwise}.`,
      { cause },
    );
  } finally {
    stop.abort();
  }
}
