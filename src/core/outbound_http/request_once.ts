import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { USER_AGENT } from '../../config/program.ts';
import type { Route } from './route.ts';

const HEADERS = {
  accept: 'image/*, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': USER_AGENT,
};

/** Request data besides the URL. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/**
 * Sends one request to an address of the route and resolves with the response head. Uses Node's own client because it accepts a
 * `lookup`; it follows no redirect, and a fresh agent shares no connection and reads no proxy setting.
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
    // Errors of the body reach its reader; an error before or after reading must not end the process.
    response.on('error', () => {});
    resolve(response);
  });
  sent.on('error', reject);
  // After a 101 response the socket must be closed here, as nothing else would end the wait.
  sent.on('upgrade', (_, socket) => socket.destroy());
  sent.on('close', () => reject(new Error('the connection closed before a response arrived')));
  sent.end(body);
  return promise;
}

/**
 * Answers every lookup with the checked addresses, asynchronously: a connection that fails at once (no IPv6 route, no free port) would
 * otherwise raise its error before the request has a listener, and end the process.
 */
function pinAddresses(addresses: Route['addresses']): LookupFunction {
  return (_, { all }, callback) => {
    const first = addresses[0]!;
    setImmediate(() => (all ? callback(null, [...addresses]) : callback(null, first.address, first.family)));
  };
}
