import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { TOKEN_CLOCK_SKEW_S } from './limits.ts';
import { operatorRequired } from './operator_required.ts';
import type { ProviderDocuments } from './provider_documents.ts';

/** What a key of the provider may sign with. Secrets that are shared are no proof of who has signed. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

interface Expected {
  readonly issuer: string;
  readonly audience: string;
  readonly documents: ProviderDocuments;
  readonly now?: () => number;
}

/** What a JWT of the provider says that is in force and made for this audience. @throws AtelierError operator_required, upstream_failed */
export async function verifyToken(
  token: string,
  { issuer, audience, documents, now = Date.now }: Expected,
): Promise<JWTPayload> {
  const verify = async (isFresh: boolean) =>
    jwtVerify(token, createLocalJWKSet((await documents(isFresh)).keys), {
      ...{ issuer, audience, algorithms: ALGORITHMS },
      ...{ clockTolerance: TOKEN_CLOCK_SKEW_S, currentDate: new Date(now()) },
      requiredClaims: ['exp', 'sub'],
    });
  try {
    // A key that is not known may be a new one.
    const { payload } = await verify(false).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verify(true);
      throw error;
    });
    // Logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.4) and security events (RFC 8417) are signed by the same keys for the same audience.
    if (payload.events !== undefined) throw operatorRequired('It is a notification of events, not a token.');
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw operatorRequired(`${sentenceOf(error)}.`);
    throw error;
  }
}

const sentenceOf = ({ code, message }: errors.JOSEError): string =>
  code === 'ERR_JWT_EXPIRED' ? 'The token has expired' : `The token does not hold (${message})`;
