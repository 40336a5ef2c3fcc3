import { createHash } from 'node:crypto';

/** SHA-384 over a list such that no other list of parts has the same: lengths are hashed before what they are the lengths of. */
export function deepHash(parts: readonly (Uint8Array | string)[]): Uint8Array {
  return parts.reduce<Uint8Array>(
    (before, part) => sha384(before, blobHash(typeof part === 'string' ? Buffer.from(part) : part)),
    sha384(Buffer.from(`list${parts.length}`)),
  );
}

const blobHash = (bytes: Uint8Array): Buffer =>
  sha384(sha384(Buffer.from(`blob${bytes.length}`)), sha384(bytes));

function sha384(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
