import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Parts } from './deps.ts';
import { CLOCK_SKEW_MS, SESSION_LIFETIME_MS } from './limits.ts';
import { notSignedBy } from './not_signed_by.ts';
import { badSignature } from './refusals.ts';
import { readSiwe, type SiweMessage } from './siwe.ts';
import * as store from './store.ts';
import { newToken, sha256Of } from './token.ts';
import type { Ownership, Session } from './types.ts';

/** Everything that can be judged without the database comes first; the nonce is used last, and only by its owner. */
export async function openSession(
  parts: Parts,
  { message, signature }: { message: string; signature: string },
  record: Ownership['record'],
): Promise<Session> {
  const siwe = readSiwe(message);
  if (!siwe) {
    throw invalidField(
      'message',
      'message is not an EIP-4361 message. Send the text that POST /api/wallet/challenge answered, unchanged.',
    );
  }
  const wallet = siwe.address.toLowerCase();
  const at = parts.clock();
  const bytes = Buffer.from(message, 'utf8');
  const why =
    wrongIn(siwe, parts.publicUrl, at) ??
    (await notSignedBy(parts, { wallet, chainId: siwe.chainId, message: bytes, signature }));
  const token = newToken('sess');
  const expiresAt = new Date(at.getTime() + SESSION_LIFETIME_MS);
  const { nonce, chainId } = siwe;
  const session = { nonce, wallet, chainId, tokenSha256: sha256Of(token), at, expiresAt };
  if (why === undefined && (await store.openSession(parts.database, session))) {
    await record(wallet, 'session_opened');
    return { token, wallet, expiresAt };
  }
  await record(wallet, 'refused_signature');
  throw badSignature(
    why ?? 'the nonce was used, has expired, or was given for another wallet or chain; a message counts once',
    wallet,
  );
}

/** What in the message is not for us, or not for now. */
function wrongIn(siwe: SiweMessage, publicUrl: string, at: Date): string | undefined {
  const { host, origin, protocol } = new URL(publicUrl);
  const now = at.getTime();
  if (siwe.domain !== host) return `it is for ${siwe.domain}, and this is ${host}`;
  if (siwe.scheme && `${siwe.scheme}:` !== protocol)
    return `it is for ${siwe.scheme}:, and this is ${protocol}`;
  if (!URL.canParse(siwe.uri) || new URL(siwe.uri).origin !== origin) return `its URI is not at ${origin}`;
  if (siwe.issuedAt.getTime() > now + CLOCK_SKEW_MS) return 'it was issued in the future';
  if (siwe.notBefore && siwe.notBefore.getTime() > now + CLOCK_SKEW_MS) return 'it does not count yet';
  if (siwe.expiresAt && siwe.expiresAt.getTime() <= now) return 'it has expired';
  return undefined;
}
