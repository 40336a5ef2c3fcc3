import { SIWE_MESSAGE_CHARACTERS_MAX } from '../../../config/limits.ts';

/** The fields of an EIP-4361 message (Sign-In with Ethereum) that are checked. */
export interface SiweMessage {
  /** Optional prefix of the domain: `https`. */
  readonly scheme?: string;
  readonly domain: string;
  /** As sent, in any case. */
  readonly address: string;
  readonly statement?: string;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt?: Date;
  readonly notBefore?: Date;
}

/**
 * Formats a message. viem is not used because it takes 0.1 s to load and rejects valid hosts: `atelier:8787`, `[::1]`,
 * `xn--e1afmkfd.xn--p1ai`.
 */
export function writeSiwe(message: SiweMessage): string {
  const { domain, address, statement, uri, chainId, nonce, issuedAt, expiresAt } = message;
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement ? [statement] : []),
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    ...(expiresAt ? [`Expiration Time: ${expiresAt.toISOString()}`] : []),
  ].join('\n');
}

/**
 * The grammar of EIP-4361, line by line; each part excludes its terminator, so that matching is linear. The parser of viem is
 * not used because it accepts extra lines between and after the two halves of a message.
 */
const MESSAGE = new RegExp(
  [
    '^(?:(?<scheme>[a-z][a-z0-9+.-]{0,19})://)?(?<domain>[^\\s/?#@]{1,260}) wants you to sign in with your Ethereum account:',
    '(?<address>0x[0-9a-fA-F]{40})',
    '',
    '(?:(?<statement>[\\x20-\\x7e]+)\\n)?',
    'URI: (?<uri>[\\x21-\\x7e]+)',
    'Version: 1',
    'Chain ID: (?<chainId>[1-9]\\d{0,15})',
    'Nonce: (?<nonce>[A-Za-z0-9]{8,100})',
    'Issued At: (?<issuedAt>\\S+)(?:\\nExpiration Time: (?<expiresAt>\\S+))?(?:\\nNot Before: (?<notBefore>\\S+))?(?:\\nRequest ID: [\\x21-\\x7e]*)?(?:\\nResources:(?:\\n- [\\x21-\\x7e]+)*)?$',
  ].join('\\n'),
);

/** RFC 3339, with upper-case letters as in EIP-4361. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Parses a message; undefined where it deviates from EIP-4361. */
export function readSiwe(text: string): SiweMessage | undefined {
  const found = text.length <= SIWE_MESSAGE_CHARACTERS_MAX ? MESSAGE.exec(text)?.groups : undefined;
  if (!found) return undefined;
  const times = [found.issuedAt, found.expiresAt, found.notBefore].map(timeOf);
  const chainId = Number(found.chainId);
  if (times.includes('wrong') || !Number.isSafeInteger(chainId)) return undefined;
  const [issuedAt, expiresAt, notBefore] = times as [Date, Date | undefined, Date | undefined];
  return {
    ...(found.scheme && { scheme: found.scheme }),
    domain: found.domain!,
    address: found.address!,
    ...(found.statement && { statement: found.statement }),
    uri: found.uri!,
    chainId,
    nonce: found.nonce!,
    issuedAt,
    ...(expiresAt && { expiresAt }),
    ...(notBefore && { notBefore }),
  };
}

function timeOf(text: string | undefined): Date | undefined | 'wrong' {
  if (text === undefined) return undefined;
  const at = TIME.test(text) ? new Date(text) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at : 'wrong';
}
