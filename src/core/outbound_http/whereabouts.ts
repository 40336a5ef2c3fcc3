import ipaddr from 'ipaddr.js';
import type { Config } from '../../config/config.ts';
import { isLocalName } from './public_address.ts';

type Addresses = Pick<Config, 'HOST' | 'PUBLIC_URL'>;

/** Whether the server is reachable from this machine only, as far as the settings tell. */
export const isOnThisMachine = ({ HOST, PUBLIC_URL }: Addresses): boolean =>
  isLoopback(HOST) && (PUBLIC_URL === undefined || isLoopback(hostOf(PUBLIC_URL)));

/**
 * Whether the server is meant for a private network: PUBLIC_URL, else HOST, is not a public name or address. `0.0.0.0` without
 * PUBLIC_URL has no public URL.
 */
export const isPrivate = ({ HOST, PUBLIC_URL }: Addresses): boolean =>
  isPrivateHost(PUBLIC_URL === undefined ? HOST : hostOf(PUBLIC_URL));

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

const isLoopback = (host: string): boolean =>
  /^(.+\.)?localhost$/i.test(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

function isPrivateHost(host: string): boolean {
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  return isLocalName(host);
}
