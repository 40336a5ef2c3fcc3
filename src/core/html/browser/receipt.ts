/** Verifies the receipt of the page: Ed25519 over the first two parts of a compact JWS (RFC 7515, RFC 8037). */
import { findElement } from './find_element.ts';

const verdict = findElement('#verdict', HTMLElement);
const receipt = findElement('#receipt', HTMLElement).textContent ?? '';

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

async function verify(): Promise<string> {
  // Web Crypto is unavailable without TLS.
  if (!globalThis.crypto?.subtle) return 'Not verified: browsers verify signatures only on HTTPS pages.';
  const [header, claims, signature] = receipt.split('.') as [string, string, string];
  const { kid } = JSON.parse(new TextDecoder().decode(bytesOf(header)));
  const { keys } = await (await fetch('/.well-known/jwks.json')).json();
  const found = keys.find((key: { kid: string }) => key.kid === kid);
  if (!found) return 'Not valid: not signed with a key of this server.';
  const { kty, crv, x } = found;
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  const signed = new TextEncoder().encode(`${header}.${claims}`);
  return (await crypto.subtle.verify('Ed25519', key, bytesOf(signature), signed))
    ? 'Valid: your browser verified the signature with the key of this server.'
    : 'Not valid: the signature does not match.';
}

try {
  verdict.textContent = await verify();
} catch {
  verdict.textContent =
    'Not verified: this browser does not support Ed25519, or the keys could not be loaded.';
}
