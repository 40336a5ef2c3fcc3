import type { Bucket } from './bucket.ts';

const ASK_MS = 5_000;

/**
 * Requests an object without credentials. An unreachable URL is left to the operator.
 * @param because the risk of public access, and the remedy
 * @throws Error with this text
 */
export async function requirePrivate(bucket: Bucket, key: string, because: string): Promise<void> {
  const terms = { contentType: 'text/plain', contentDisposition: 'attachment', cacheControl: 'no-store' };
  const address = new URL(await bucket.client.addressOf(key, terms));
  address.search = '';
  const answer = await fetch(address, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(ASK_MS),
  }).catch(() => undefined);
  if (answer?.ok) throw new Error(`${address.origin} is publicly readable: ${because}`);
}
