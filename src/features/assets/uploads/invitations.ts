import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Links } from '../../../core/links/types.ts';
import type { Expected } from './expected.ts';
import type { Invitation } from './types.ts';

/** Where files come in by such a link, without its last part. */
const PATH = '/api/uploads';
/** Stands in the link where nothing is expected. */
const ANY = '0';

/**
 * The link of an invitation. Its last part holds all of it, and no character that a shell, a chat or a browser would change or leave out:
 * whoever copies `curl -T file <link>` needs no quotes, which differ from system to system.
 */
export function invitationUrl(
  links: Links,
  { id, expected, expiresAt }: Omit<Invitation, 'fileExpiresAt'>,
): string {
  const terms = { bytes: String(expected.sizeBytes ?? ANY), sha256: expected.sha256 ?? ANY };
  const query = new URL(links.sign(PATH, { id, ...terms }, expiresAt)).searchParams;
  const sig = Buffer.from(query.get('sig')!, 'base64url').toString('hex');
  return `${links.publicUrl}${PATH}/${[id, query.get('exp'), terms.bytes, terms.sha256, sig].join('.')}`;
}

/** @throws AtelierError upload_link_ended */
export function readInvitationToken(
  links: Links,
  token: string,
): { id: string; expected: Expected; expiresAt: Date } {
  const [id = '', exp = '', bytes = '', sha256 = '', hex = ''] = token.split('.');
  const sig = Buffer.from(hex, 'hex').toString('base64url');
  if (!links.verify(PATH, { id, bytes, sha256 }, exp, sig)) throw new AtelierError('upload_link_ended');
  const expected = {
    ...(bytes !== ANY && { sizeBytes: Number(bytes) }),
    ...(sha256 !== ANY && { sha256 }),
  };
  return { id, expected, expiresAt: new Date(Number(exp) * 1000) };
}
