import autocannon from 'autocannon';

export interface Load {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export interface Target {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}

/** Keeps `connections` concurrent requests running for `seconds`. @throws Error if any response is not 2xx */
export async function loadOf(
  { url, method = 'GET', headers, body }: Target,
  connections: number,
  seconds: number,
): Promise<Load> {
  const result = await autocannon({
    url,
    method,
    connections,
    duration: seconds,
    ...(headers && { headers }),
    ...(body && { body }),
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p95Ms: result.latency.p97_5,
  };
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
