import { createHash, createPublicKey, verify } from 'node:crypto';
import { JSON_LIMITS, type JsonLimits, scanJson } from '../../json/scan_json.ts';

/** JWS claims of a soulmark. */
export interface SoulmarkClaims {
  readonly iss: string;
  /** Unix seconds. */
  readonly iat: number;
  /** Hex; of the codex in canonical form. */
  readonly codex_sha256: string;
  /** Hex; computed by `hashPixels`. */
  readonly pixels_sha256: string;
}

/** Our headers and claims have ten names; the input is untrusted at this point. */
const CLAIMS_LIMITS: JsonLimits = { ...JSON_LIMITS, values: 100, names: 100, structureBytes: 16 * 1024 };

export const SOULMARK_TYPE = 'soulmark+jwt';

/** Verifies a soulmark with its embedded public key. Undefined if the signature is invalid. */
export function checkSignature(jws: string): { claims: SoulmarkClaims; kid: string } | undefined {
  const checked = checkJws(jws, SOULMARK_TYPE);
  return checked && isClaims(checked.claims) ? { claims: checked.claims, kid: checked.kid } : undefined;
}

/**
 * Verifies a compact JWS (EdDSA, Ed25519) of one type with its embedded public key. Does not establish who owns the key: `kid` is its thumbprint (RFC
 * 7638), unique to the key. Undefined for an invalid signature.
 */
export function checkJws(jws: string, type: string): { claims: unknown; kid: string } | undefined {
  const [header, claims, signature, ...more] = jws.split('.');
  if (!header || !claims || !signature || more.length > 0) return undefined;
  try {
    const { alg, typ, kid, jwk } = jsonOf(header) as Record<string, Record<string, unknown>>;
    const { kty, crv, x } = jwk ?? {};
    const isOurForm = String(alg) === 'EdDSA' && String(typ) === type && typeof x === 'string';
    if (!isOurForm || kty !== 'OKP' || crv !== 'Ed25519' || String(kid) !== thumbprint(x)) return undefined;
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    const signed = Buffer.from(`${header}.${claims}`);
    if (!verify(null, signed, key, Buffer.from(signature, 'base64url'))) return undefined;
    return { claims: jsonOf(claims), kid: String(kid) };
  } catch {
    return undefined;
  }
}

/** RFC 7638: the required members, sorted by name, without white space. */
export const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

function jsonOf(part: string): unknown {
  const text = Buffer.from(part, 'base64url');
  if (scanJson(text, CLAIMS_LIMITS).excess) throw new Error('has more structure than any of our claims');
  return JSON.parse(text.toString());
}

const isClaims = (said: unknown): said is SoulmarkClaims =>
  typeof said === 'object' &&
  said !== null &&
  ['iss', 'codex_sha256', 'pixels_sha256'].every(
    (name) => typeof (said as Record<string, unknown>)[name] === 'string',
  ) &&
  Number.isSafeInteger((said as Record<string, unknown>).iat);
