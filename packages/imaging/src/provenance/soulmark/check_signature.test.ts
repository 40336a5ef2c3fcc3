import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkJws } from './check_signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const x = publicKey.export({ format: 'jwk' }).x!;
const kid = createHash('sha256')
  .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
  .digest('base64url');
const encode = (text: string) => Buffer.from(text).toString('base64url');

function signed(claims: string): string {
  const header = encode(
    JSON.stringify({ alg: 'EdDSA', typ: 't', kid, jwk: { kty: 'OKP', crv: 'Ed25519', x } }),
  );
  const text = `${header}.${encode(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

test('claims of a valid signature are read unless their structure is too large', () => {
  expect(checkJws(signed('{"a":1}'), 't')).toEqual({ claims: { a: 1 }, kid });
  expect(checkJws(signed(`{"a":[${Array(200).fill('[]').join(',')}]}`), 't')).toBe(undefined);
  expect(checkJws(signed('{"a":1}'), 'other')).toBe(undefined);
});
