import { isIP } from 'node:net';
import { URL_CHARACTERS_MAX } from '../../config/limits.ts';
import { type AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';

/**
 * The address of an endpoint in normal form, judged by its text alone: where its name leads is looked at before each attempt, for it
 * may lead elsewhere by then. @throws AtelierError invalid_input
 */
export function endpointUrl(reach: Reach, text: string): string {
  const url = text.length > URL_CHARACTERS_MAX ? null : URL.parse(text);
  if (!url || url.href.length > URL_CHARACTERS_MAX) throw refused(reach);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isIP(host) ? reach.allows(host) : reach.allowsName?.(host) !== false;
  const isPlain = reach.schemes.includes(url.protocol) && !url.username && !url.password && host !== '';
  if (!isAllowed || !isPlain || reach.ports?.includes(url.port) === false) throw refused(reach);
  url.hash = '';
  return url.href;
}

function refused({ schemes, ports }: Reach): AtelierError {
  const scheme = schemes.includes('http:') ? 'http or https' : 'https';
  const where = ports ? ' of a public host, on port 443 or 8443' : '';
  return invalidField(
    'url',
    `url must be an ${scheme} URL${where}, without user name or password, of at most ${URL_CHARACTERS_MAX} characters.`,
  );
}
