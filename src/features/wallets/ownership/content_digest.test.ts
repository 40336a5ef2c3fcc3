import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkContentDigest } from './ownership.ts';

/** The body of RFC 9530, appendix B: 19 bytes with the line feed. */
const BODY = '{"hello": "world"}\n';
const SHA_256 = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:';
const SHA_512 =
  'sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:';

const check = (text: string | undefined, body = BODY) =>
  checkContentDigest({
    header: () => text,
    body: {
      sizeBytes: body.length,
      digests: {
        'sha-256': createHash('sha256').update(body).digest(),
        'sha-512': createHash('sha512').update(body).digest(),
      },
    },
  });

test.each([
  ['sha-256', SHA_256],
  ['sha-512', SHA_512],
  ['both', `${SHA_256}, ${SHA_512}`],
  ['one beside an obsolete digest', `md5=:AAAAAAAAAAAAAAAAAAAAAA==:, ${SHA_256}`],
])('RFC 9530: %s of the example is valid', (_what, text) => {
  expect(() => check(text)).not.toThrow();
});

test.each([
  ['of another body', SHA_256, `${BODY} `],
  ['of the body without its last byte', SHA_256, BODY.trimEnd()],
  ['right and one wrong', `${SHA_256}, sha-512=:AAAA:`, BODY],
  ['none that counts', 'md5=:AAAAAAAAAAAAAAAAAAAAAA==:', BODY],
  ['as text', 'sha-256="RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg="', BODY],
  ['shorter', 'sha-256=:RK/0:', BODY],
  ['in no known form', '!', BODY],
  ['missing', undefined, BODY],
])('a digest %s is rejected', (_what, text, body) => {
  expect(() => check(text, body)).toThrow();
});
