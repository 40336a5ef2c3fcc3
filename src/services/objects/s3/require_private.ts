import type { Bucket } from './bucket.ts';

const ASK_MS = 5_000;

/**
 * Addresses that lead to the store end after minutes, and name objects. Where anybody may read these, the same address without its signature would be
 * good for ever. An address that cannot be reached from here is left to the operator.
 * @throws Error saying what to close
 */
export async function requirePrivate(bucket: Bucket, key: string): Promise<void> {
  const terms = { contentType: 'text/plain', contentDisposition: 'attachment', cacheControl: 'no-store' };
  const address = new URL(await bucket.client.addressOf(key, terms));
  address.search = '';
  const answer = await fetch(address, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(ASK_MS),
  }).catch(() => undefined);
  if (answer?.ok)
    throw new Error(
      `Anybody may read ${address.origin}: an address that STORAGE_LINKS=store answers would be good for ever without its signature. Take the right to read from everybody, or leave STORAGE_LINKS=server.`,
    );
}
