import { z } from 'zod';
import { UPLOAD_BYTES_MAX } from '../../config/limits.ts';
import type { SourceImage } from '../../core/workers/types.ts';
import { briefly } from './brief.ts';
import { ImageText, pictureIn } from './images_in.ts';
import { withAliases, withCoercion, withDerivation } from './spellings.ts';

/** All forms of an image in the input, for messages after "must be" or "is required:". */
export const PICTURE_FORMS =
  'base64, an https:// URL, or a handle: upload:<id> (POST the bytes to /api/uploads), asset:<key>, result:<id>, artwork:<id>';

/** ISO 8601, with an offset from UTC. */
export const momentField = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 date and time with offset, such as 2026-08-02T09:30:00Z',
});

/** Coerces a wallet with surrounding white space, without 0x, or in CAIP-10 form: `eip155:1:0x…`. */
export const readableWallet = <Schema extends z.ZodType>(schema: Schema): Schema =>
  withAliases(
    withCoercion(schema, (sent) => {
      const text = typeof sent === 'object' && sent !== null && 'address' in sent ? sent.address : sent;
      const [, digits] =
        (typeof text === 'string' && /^\s*(?:eip155:\d{1,20}:)?(?:0[xX])?([0-9a-fA-F]{40})\s*$/.exec(text)) ||
        [];
      return digits && `0x${digits}`;
    }),
    ...[
      'wallet_address',
      'address',
      'account',
      'account_address',
      'owner',
      'user_wallet',
      'eth_address',
      'evm_address',
    ],
  );

/** `0x` and 40 hex digits in any case, converted to lower case. */
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

/** @param keep value of the field until `pipeline/` has loaded the image */
const imageSchema = (keep: (text: string) => unknown) =>
  briefly(
    withAliases(
      withCoercion(
        z
          .string()
          .min(1, 'must not be empty')
          .transform((text) => keep(text) as SourceImage)
          .describe(
            'PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>.',
          ),
        pictureIn,
      ),
      ...[
        'image_url',
        'image_uri',
        'image_b64',
        'image_base64',
        'image_data',
        'image_path',
        'image_handle',
        'image_id',
      ],
      ...[
        'img',
        'img_url',
        'img_b64',
        'input_image',
        'source_image',
        'src_image',
        'original_image',
        'image_file',
        'picture',
        'photo',
      ],
      ...[
        'url',
        'uri',
        'src',
        'source',
        'input',
        'file',
        'file_url',
        'artwork',
        'design',
        'base64',
        'data_url',
        'upload',
        'handle',
      ],
    ),
    'URL, handle or base64.',
  );

/**
 * An image. The client sends text (base64 or a handle); `pipeline/` replaces it with the loaded image before the tool runs, so `run`
 * receives a `SourceImage`. `imageFieldsOf` lists these fields.
 */
export const imageField = imageSchema((text) => text);

/** An image inside a list or object of the input, such as a layer. `imagesIn` finds it in the validated input. */
export const nestedImageField = imageSchema((text) => new ImageText(text));

/** An image inside a list, or the placeholder `{{name}}`, which stays text until the tool replaces it. */
export const fillableImageField = imageSchema((text) =>
  /^\s*\{\{[^{}]{1,120}\}\}\s*$/.test(text) ? text : new ImageText(text),
);

/** Expected properties of an image or file, to detect corrupted transfers. */
export const expectedFields = {
  expect_sha256: briefly(
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be the sha256 as 64 hex digits')
      .transform((text) => text.toLowerCase())
      .optional()
      .describe('Expected sha256 of the bytes, as 64 hex digits; other bytes are refused.')
      .meta({ title: 'Expected SHA-256' }),
    'Hex.',
  ),
  expect_bytes: briefly(
    z
      .int()
      .min(1)
      .max(UPLOAD_BYTES_MAX)
      .optional()
      .describe('Expected size in bytes; any other size is refused.')
      .meta({ title: 'Expected size, bytes' }),
    '',
  ),
};

const IMAGE_FIELDS = new WeakSet<object>([imageField, nestedImageField, fillableImageField]);
/** Whether a field is an image field, optional ones included. */
export const isImageField = (schema: object): boolean =>
  IMAGE_FIELDS.has(schema instanceof z.ZodOptional ? (schema.unwrap() as object) : schema);

/** Names of the image fields among the fields of an input. */
export function imageFieldsOf(shape: object): readonly string[] {
  const known = FIELDS_OF.get(shape);
  if (known) return known;
  const fields = Object.entries(shape).flatMap(([name, schema]) => (isImageField(schema) ? [name] : []));
  FIELDS_OF.set(shape, fields);
  return fields;
}
/** Cache of `imageFieldsOf`, which every call uses several times. */
const FIELDS_OF = new WeakMap<object, readonly string[]>();

const WITH_ZEROS = new WeakSet<object>();

/** A text that may contain U+0000. It must not be stored as text: PostgreSQL does not support that character. */
export function withZeros<Schema extends z.ZodType>(schema: Schema): Schema {
  WITH_ZEROS.add(schema);
  return schema;
}

export const mayHoldZeros = (schema: object): boolean => WITH_ZEROS.has(schema);

/** Whether the response contains the bytes or only a link. */
export const outputField = z
  .enum(['base64', 'url'])
  .default('base64')
  .describe('"url" omits the base64 from the response; result_url serves the bytes for 24 hours either way.');

/** Accepts the name of the format in `output` for tools whose format is fixed. */
export const formatAnyway = <Schema extends z.ZodType>(
  output: Schema,
  formatOf: (beside: Readonly<Record<string, unknown>>) => string,
): Schema =>
  withAliases(
    withDerivation(output.clone(), (sent, beside) =>
      typeof sent === 'string' && ENDING.exec(sent)?.[1]?.toLowerCase() === formatOf(beside) ? {} : undefined,
    ),
    ...['format', 'output_format', 'file_format', 'file_type'],
  );

/** image/svg+xml, .SVG, svg */
const ENDING = /^(?:image\/|\.)?([a-z]{3,5})(?:\+xml)?$/i;

/** Fields of a file behind a link. */
export const fileFacts = {
  expires_at: z.string().describe('Expiry of the file and its link: 24 hours after creation.'),
  name: z.string().optional().describe('Name of the source file, with the extension of the result.'),
};

/** Response fields of every tool that returns a file. */
export const fileAnswer = {
  content_type: z.string(),
  size_bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  result: z.string().describe('Handle that any image field accepts.'),
  result_url: z.string().describe('Signed link to the bytes, valid until expires_at.'),
  ...fileFacts,
};

export const imageAnswer = {
  image_b64: z
    .string()
    .optional()
    .describe('The image as base64; absent with output "url", and above 32 MB: then use result_url.'),
  width: z.int().min(1).max(1_000_000),
  height: z.int().min(1).max(1_000_000),
  ...fileAnswer,
};

/** Execution device of a model, if not the CPU. */
export const providerAnswer = { provider: z.string().optional().describe('Execution device: cpu, cuda, …') };

/** The engine that did the work, so that no fallback is silent. */
export const engineAnswer = {
  engine: z.object({ name: z.string(), version: z.string(), weights_sha256: z.string().optional() }),
  degraded: z.boolean(),
  degraded_reason: z
    .string()
    .optional()
    .describe('If degraded: what gives better quality, and how to install it.'),
};

const KINDS = new WeakMap<object, readonly string[]>();

/** Marks a field of an object as valid only for some values of `kind`. */
export function onlyOf<Schema extends object>(schema: Schema, ...kinds: string[]): Schema {
  KINDS.set(schema, kinds);
  return schema;
}

/** The kinds of a field; empty: all. */
export const kindsOf = (schema: object): readonly string[] => KINDS.get(schema) ?? [];

/** RFC 9110 section 8.3.1: type, subtype, parameters. */
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
export const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}( *; *${TOKEN}=(${TOKEN}|"[ !#-\\[\\]-~]*"))*$`);

/** A colour as #rrggbb or #rgb; the # is optional. */
export const hexColorField = withCoercion(
  z.string().regex(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be a hex colour such as #f5f5f5'),
  hexOfCss,
);

/** Coerces comma-separated text to a list of hex colours. */
export const hexColorsIn = (sent: unknown): unknown =>
  typeof sent === 'string' && /^[^[\]{}()]{1,1000}$/.test(sent)
    ? sent.split(',').map((color) => hexOfCss(color) ?? color.trim())
    : undefined;

/** Hex colour from a basic CSS name, rgb(…) with whole numbers, a list or object of these, or `{hex}`. */
export function hexOfCss(sent: unknown): string | undefined {
  const samplesSent = Array.isArray(sent) ? sent : isRgb(sent) ? [sent.r, sent.g, sent.b] : undefined;
  if (samplesSent) return samplesSent.length === 3 ? hexOfCss(`rgb(${samplesSent.join(',')})`) : undefined;
  if (typeof sent === 'object' && sent !== null && 'hex' in sent) return plainHex(sent.hex);
  if (typeof sent !== 'string') return undefined;
  const word = sent.trim().toLowerCase();
  if (Object.hasOwn(CSS_NAMES, word)) return CSS_NAMES[word];
  const [, ...samples] = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(word) ?? [];
  if (samples.length === 0 || samples.some((sample) => Number(sample) > 255)) return undefined;
  return `#${samples.map((sample) => Number(sample).toString(16).padStart(2, '0')).join('')}`;
}

const isRgb = (sent: unknown): sent is { r: unknown; g: unknown; b: unknown } =>
  typeof sent === 'object' && sent !== null && 'r' in sent && 'g' in sent && 'b' in sent;

const plainHex = (sent: unknown): string | undefined =>
  typeof sent === 'string' && /^#?[0-9a-fA-F]{3,6}$/.test(sent) ? sent : undefined;

/** Common names of CSS Color Module Level 4, section 6.1. */
const CSS_NAMES: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#ffffff',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  red: '#ff0000',
  maroon: '#800000',
  orange: '#ffa500',
  yellow: '#ffff00',
  olive: '#808000',
  lime: '#00ff00',
  green: '#008000',
  cyan: '#00ffff',
  teal: '#008080',
  blue: '#0000ff',
  navy: '#000080',
  magenta: '#ff00ff',
  purple: '#800080',
  pink: '#ffc0cb',
  brown: '#a52a2a',
};

/** The RGB samples of a hex colour, 0 to 255. */
export function rgbOfHex(color: string): [red: number, green: number, blue: number] {
  const digits = color.replace('#', '');
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
  return [red!, green!, blue!];
}
