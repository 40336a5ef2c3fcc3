import { timingSafeEqual } from 'node:crypto';
import { parseDictionary } from 'structured-headers';
import { SignatureProblem } from './signature_problem.ts';
import type { SignedRequest } from './types.ts';

/**
 * Checks that Content-Digest (RFC 9530) is one of the body as it came. Every digest we can compute has to be right, and there
 * has to be one; others are passed over. @throws SignatureProblem
 */
export function checkContentDigest({ header, body }: Pick<SignedRequest, 'header' | 'body'>): void {
  const text = header('content-digest');
  if (text === undefined) throw new SignatureProblem('the field Content-Digest is missing');
  const named = digestsIn(text);
  const checked = Object.entries(body.digests).filter(([name]) => named.has(name));
  if (checked.length === 0) throw new SignatureProblem('Content-Digest names neither sha-256 nor sha-512');
  for (const [name, digest] of checked) {
    const value = named.get(name)?.[0];
    const sent = value instanceof ArrayBuffer ? Buffer.from(value) : Buffer.alloc(0);
    if (sent.length !== digest.length || !timingSafeEqual(sent, digest))
      throw new SignatureProblem(`the ${name} in Content-Digest is not that of the body as it came`);
  }
}

function digestsIn(text: string): ReturnType<typeof parseDictionary> {
  try {
    return parseDictionary(text);
  } catch {
    throw new SignatureProblem('the field Content-Digest is no dictionary (RFC 9651)');
  }
}
