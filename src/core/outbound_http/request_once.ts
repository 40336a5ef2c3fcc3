import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Route } from './route.ts';

const HEADERS = {
  accept: 'image/*, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': 'Atelier/0.5',
};

/** What is sent beside the address. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/**
 * Sends one request to one of the route's own addresses and resolves with the answer's head. Node's own client is used
 * because it takes a `lookup`; it follows no redirect, and a fresh agent shares no connection and reads no proxy setting.
 */
export function requestOnce(
  { url, addresses }: Route,
  { headers, body }: Sent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === 'https:' ? https : http;
  const sent = request(url, {
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...HEADERS, ...headers },
    lookup: pinAddresses(addresses),
    signal,
  });
  sent.on('response', (response) => {
    // Whoever reads the body sees its errors; one that comes before or after must not end the process.
    response.on('error', () => {});
    resolve(response);
  });
  sent.on('error', reject);
  // After an answer of 101 the socket is ours to close, and nothing else would end the wait.
  sent.on('upgrade', (_, socket) => socket.destroy());
  sent.on('close', () => reject(new Error('the connection closed before an answer came')));
  sent.end(body);
  return promise;
}

/**
 * Answers every lookup with the addresses that were checked, and like a resolver never before the caller has returned: a connection that
 * fails at once (no IPv6 route, no free port) would raise its error before the request listens for it, and end the process.
 */
function pinAddresses(addresses: Route['addresses']): LookupFunction {
  return (_, { all }, callback) => {
    const first = addresses[0]!;
    setImmediate(() => (all ? callback(null, [...addresses]) : callback(null, first.address, first.family)));
  };
}
