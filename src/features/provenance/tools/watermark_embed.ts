import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { briefly } from '../../definitions/brief.ts';
import { engineAnswer, imageAnswer, imageField, outputField, withZeros } from '../../definitions/fields.ts';
import {
  type PassthroughServices,
  passthroughAnswer,
  passthroughAnswerFields,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import { inPercent, withAliases, withCoercion } from '../../definitions/spellings.ts';
import { statementAnswer } from '../../definitions/statement_answer.ts';
import { defineTool } from '../../definitions/tool.ts';
import {
  WATERMARK_CHARACTERS_MAX,
  WATERMARK_STRENGTH_DEFAULT,
  WATERMARK_STRENGTH_MIN,
} from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';
import { ANONYMOUS_MARK_LIFETIME_MS } from '../limits.ts';
import { MARKABLE_PNG_B64 } from './markable_picture.ts';
import { falsePositiveField, registryIdField } from './watermark_fields.ts';

const payloadField = z
  .string()
  .min(1)
  .refine((text) => [...text].length <= WATERMARK_CHARACTERS_MAX, {
    error: `must have at most ${WATERMARK_CHARACTERS_MAX} characters`,
  })
  .refine((text) => text.isWellFormed(), {
    error: 'must not contain an unpaired surrogate',
  })
  .meta({ maxLength: WATERMARK_CHARACTERS_MAX });
const strengthField = z.number().min(WATERMARK_STRENGTH_MIN).max(1);
const survival = z.enum(['payload', 'id', 'lost']);

export const watermarkEmbed = defineTool({
  name: 'watermark_embed',
  title: 'Embed a watermark',
  category: 'creative',
  toolset: 'rights',
  summary:
    'Hides up to 256 characters in a picture, invisibly. They can be read after compression, resizing, cropping, rotation or mirroring. The response lists the attacks that this picture survived.',
  instead: { infuse_metadata: 'for readable rights', register_hash: 'to find copies without a mark' },
  words:
    'add a hidden, invisible or secret watermark, hide a message, text, code or signature in an image, mark, steganography, protect my picture before it is shared, survives cropping and screenshots, trace leaks, prove later that it is mine, invisible stamp, order number, e-mail, client, leak, hide my name in the picture, trace who shares my images, watermark that survives a screenshot, protect my artwork from theft with an invisible mark, put a serial number invisibly into each copy, embed data, tracking code, covert, add watermark, secretly sign my photo, find out who leaked a photo, mark every preview with the name of the client, who leaked it, leaker, copy protection, ownership mark, buyer id, license key, url in a picture, unseen, imperceptible, forensic, digital watermarking, stamp my pictures',
  price: FREE,
  input: z.object({
    image: imageField,
    payload: withAliases(
      withZeros(
        payloadField
          .describe('Text to hide, any Unicode. Shorter texts survive more. Anyone can read it.')
          .meta({ title: 'Text to hide' }),
      ),
      ...[
        'text',
        'message',
        'watermark',
        'watermark_text',
        'data',
        'content',
        'secret',
        'mark',
        'hidden_text',
      ],
    ),
    strength: withCoercion(
      briefly(
        strengthField
          .default(WATERMARK_STRENGTH_DEFAULT)
          .describe('Higher is more robust and more visible: about 47 dB at 0.1, 42 at 0.5, 39 at 1.'),
        'Higher: more robust, more visible.',
      ),
      inPercent,
    ),
    sign: z
      .boolean()
      .default(false)
      .describe('Names your wallet as signer. Needs a verified wallet.')
      .meta({ title: 'Sign it' }),
    output: outputField,
    ...passthroughFields,
  }),
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    payload_embedded: z.string(),
    strength: strengthField,
    bits_embedded: z.int().min(0).max(10_000).describe('Of the message, including its checksum.'),
    registry_id: registryIdField,
    registry_until: z.iso
      .datetime()
      .nullable()
      .describe(
        `Expiry of the stored payload under its registry id: ${ANONYMOUS_MARK_LIFETIME_MS / 86_400_000} days without a wallet, renewed by embedding again; null: never. The payload in the image itself does not expire.`,
      ),
    psnr_db: z.number().min(0).max(200).describe('Peak signal-to-noise ratio compared with the image sent.'),
    masking: z
      .enum(['strong', 'medium', 'none'])
      .describe(
        'The lowest embedding level at which the watermark survives the listed edits: strong changes no detail beyond its visibility threshold, medium by at most 1.5 times, none as far as strength allows. Always none above strength 0.5.',
      ),
    survives: z
      .record(z.string(), survival)
      .describe(
        'Result of reading the watermark after each edit: the payload, only the registry id (watermark_detect then looks up the payload), or nothing.',
      ),
    signed_by: z.string().nullable().describe('The wallet named as signer; null without one.'),
    statement: z
      .string()
      .describe(
        'Empty over MCP, where statement_url has it. Signed by this service (JWS, type mark+jwt; keys at /.well-known/jwks.json): id, payload, pixel hash and visual descriptor of the watermarked image, and `survives`. watermark_detect compares images with it.',
      ),
    statement_url: z.string().optional().describe('The statement as a file, for 24 hours.'),
    false_positive_probability: falsePositiveField,
    ...qualityAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: MARKABLE_PNG_B64, payload: 'Ada, 17' },
    { image: MARKABLE_PNG_B64, payload: 'Ada', strength: 0.8, output: 'url' },
  ],
  next: ({ result }) => [
    {
      action: 'Read it back',
      tool: 'watermark_detect',
      why: 'Anyone with the image can read it, even after common edits',
      params: { image: result },
    },
    {
      action: 'Register the watermarked image',
      tool: 'register_hash',
      why: 'Copies whose watermark was destroyed can then still be found by appearance',
      params: { image: result },
    },
  ],
  async run(
    { image, payload, strength, sign, output, ...asked },
    { pixels, marks, ...services }: Pick<Services, 'marks'> & PassthroughServices,
    call,
  ) {
    if (sign && call.proof === undefined)
      throw new AtelierError(
        'proof_required',
        'Signing needs a verified wallet: send a session or key as Authorization: Bearer atl_…, or sign the request (ERC-8128). Without sign, the watermark names no signer.',
      );
    const id = await marks.register(payload, call.wallet, sha256(image.bytes));
    const marked = await pixels.run(
      'watermark_embed',
      { bytes: image.bytes, payload, strength, id, carry: passthroughOf(asked) },
      { pixels: 3 * image.width * image.height, ...call },
    );
    if (Object.values(marked.attacks).includes('lost'))
      call.warn(
        'Some edits destroy this watermark; see survives. A shorter payload, a higher strength or a larger image survives more.',
      );
    const { sha256: pixelsSha256 } = await pixels.run(
      'hash_pixels',
      { bytes: marked.bytes },
      { pixels: image.width * image.height, ...call },
    );
    const signer = sign ? call.proof?.wallet : undefined;
    const statement = await marks.bind(id, {
      payload,
      ...(signer !== undefined && { signer }),
      pixelsSha256,
      likeness: marked.likeness,
      measured: {
        engine: marked.engine,
        strength,
        bits: marked.bits,
        psnr_db: marked.psnrDb,
        masking: marked.masking,
        survives: marked.attacks,
      },
    });
    const signed = await statementAnswer(services.results, statement, call);
    return {
      ...(await passthroughAnswer(
        { pixels, ...services },
        marked,
        { image, action: 'c2pa.watermarked.unbound', showsTheSame: true, markId: id, output },
        call,
      )),
      payload_embedded: payload,
      strength,
      bits_embedded: marked.bits,
      registry_id: id,
      registry_until: marks.until(call.wallet)?.toISOString() ?? null,
      psnr_db: marked.psnrDb,
      masking: marked.masking,
      survives: marked.attacks,
      signed_by: signer ?? null,
      statement: signed.text,
      ...(signed.url && { statement_url: signed.url }),
      false_positive_probability: marked.falsePositiveProbability,
      quality: marked.quality,
      engine: marked.engine,
      degraded: false,
    };
  },
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
