import { z } from 'zod';
import { UPLOAD_BYTES_MAX } from '../limits.ts';
import type { SourceImage } from '../services/images/contract.ts';
import { briefly } from './brief.ts';
import { alsoCalled, alsoRead } from './spellings.ts';

/** Every form a picture may be sent in, and how to get the shortest; for a message after "must be" or "is required:". */
export const PICTURE_FORMS =
  'base64, an https:// address, or a handle: upload:<id> (POST the bytes to /api/uploads), asset:<key>, result:<id>, artwork:<id>';

/** ISO 8601, with an offset from UTC. */
export const momentField = z.iso.datetime({
  offset: true,
  error: 'must be a date and time as in ISO 8601, with its offset: 2026-08-02T09:30:00Z',
});

/** A wallet is also known with white space around it or without its 0x. */
export const readableWallet = <Schema extends z.ZodType>(schema: Schema): Schema =>
  alsoCalled(
    alsoRead(schema, (sent) => {
      const [, digits] = (typeof sent === 'string' && /^\s*(?:0[xX])?([0-9a-fA-F]{40})\s*$/.exec(sent)) || [];
      return digits && `0x${digits}`;
    }),
    'wallet_address',
    'address',
  );

/** `0x` and 40 hex digits in any case, kept in lower case. */
export const walletField = briefly(
  readableWallet(
    z
      .string()
      .regex(/^0[xX][0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits')
      .transform((text) => text.toLowerCase())
      .describe('EVM wallet address: 0x followed by 40 hex digits.'),
  ),
  '0x and 40 hex digits.',
);

/**
 * A picture. The caller sends text (base64 or a handle); `call/` replaces it by the loaded picture before the tool
 * runs, so `run` receives a `SourceImage`. `imageFieldsOf` is how `call/` knows which fields those are.
 */
export const imageField = briefly(
  alsoCalled(
    alsoRead(
      z
        .string()
        .min(1, 'must not be empty')
        .transform((text) => text as unknown as SourceImage)
        .describe(
          'PNG, JPEG, WebP, AVIF, TIFF or GIF, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>.',
        ),
      addressIn,
    ),
    ...['image_url', 'image_uri', 'image_b64', 'image_base64', 'url'],
  ),
  'https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id> or base64.',
);

/** That of `{"url": …}`, as some interfaces of models want pictures. */
function addressIn(sent: unknown): unknown {
  const members = typeof sent === 'object' && sent !== null ? Object.entries(sent) : [];
  const [[name, address] = []] = members;
  return members.length === 1 && (name === 'url' || name === 'uri') ? address : undefined;
}

/** What a sender may say of the bytes of a picture or file, so that what was lost on the way is noticed. */
export const expectedFields = {
  expect_sha256: briefly(
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be the sha256 as 64 hex digits')
      .transform((text) => text.toLowerCase())
      .optional()
      .describe('The sha256 the bytes must have, as 64 hex digits; others are refused.'),
    'In hex; other bytes are refused.',
  ),
  expect_bytes: briefly(
    z
      .int()
      .min(1)
      .max(UPLOAD_BYTES_MAX)
      .optional()
      .describe('How many bytes it must be; more or fewer are refused.'),
    'More or fewer are refused.',
  ),
};

const IMAGE_FIELDS = new WeakSet<object>([imageField]);
/** Also where the picture may be left out. */
export const isImageField = (schema: object): boolean =>
  IMAGE_FIELDS.has(schema instanceof z.ZodOptional ? (schema.unwrap() as object) : schema);

/** Names of the image fields among the fields of an input. */
export const imageFieldsOf = (shape: object): string[] =>
  Object.entries(shape).flatMap(([name, schema]) => (isImageField(schema) ? [name] : []));

const WITH_ZEROS = new WeakSet<object>();

/** A text that may hold the zero character too. Nothing of it may be kept as text: PostgreSQL has no such character. */
export function withZeros<Schema extends z.ZodType>(schema: Schema): Schema {
  WITH_ZEROS.add(schema);
  return schema;
}

export const mayHoldZeros = (schema: object): boolean => WITH_ZEROS.has(schema);

/** Whether the bytes come back inside the answer or only as a link. */
export const outputField = z
  .enum(['base64', 'url'])
  .default('base64')
  .describe('"url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way.');

/** What every tool that answers with a file says about it. */
export const fileAnswer = {
  content_type: z.string(),
  size_bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  result: z.string().describe('Handle that any image field accepts.'),
  result_url: z.string().describe('Signed link to the bytes, valid for 24 hours.'),
};

export const imageAnswer = {
  image_b64: z
    .string()
    .optional()
    .describe('The picture as base64; absent with output "url", and above 32 MB: then result_url has it.'),
  width: z.int().min(1).max(1_000_000),
  height: z.int().min(1).max(1_000_000),
  ...fileAnswer,
};

/** Which engine really did the work. Nothing falls back silently. */
export const engineAnswer = {
  engine: z.object({ name: z.string(), version: z.string(), weights_sha256: z.string().optional() }),
  degraded: z.boolean(),
  degraded_reason: z.string().optional().describe('Where degraded: what would do better, and how to get it.'),
};
