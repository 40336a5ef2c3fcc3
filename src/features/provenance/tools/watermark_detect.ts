import type { DetectedWatermark } from '@atelier/imaging/watermark/detect_watermark.ts';
import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { engineAnswer, imageField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { FREE } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { authorshipField, authorshipOf } from './mark_authorship.ts';
import { MARKABLE_PNG_B64 } from './markable_picture.ts';
import { falsePositiveField, registryIdField } from './watermark_fields.ts';

const readingFields = {
  payload_detected: z
    .string()
    .nullable()
    .describe('The payload, exactly as embedded; null if none is available.'),
  payload_source: z
    .enum(['picture', 'registry'])
    .nullable()
    .describe(
      'picture: read completely from the image, with a valid checksum. registry: only the id was read, and the payload looked up on this server. null without a payload.',
    ),
  registry_id: registryIdField.nullable(),
  authorship: authorshipField
    .nullable()
    .describe('Whether the watermark was made for this image, and who signed it; null without a watermark.'),
};
const pixel = z.int().min(0).max(100_000);
const MARKS_MAX = 8;

export const watermarkDetect = defineTool({
  name: 'watermark_detect',
  title: 'Detect a watermark',
  category: 'creative',
  toolset: 'rights',
  summary:
    'Reads a watermark of watermark_embed, also after compression, resizing, cropping, turning, shearing or being photographed: the exact payload or none. Finding none proves nothing.',
  instead: { verify_provenance: 'for any picture without our mark' },
  words:
    'read, find, extract or decode a hidden watermark, does it contain a secret message, text or code, check for a mark, is my watermark still in it, which code or text is hidden in it, screenshot, reveal, is my watermark still there after cropping, extract the hidden message, check an image for invisible watermarks, does this picture carry my mark, verify a watermark payload, what does the watermark say, recover the payload, reader, scan for a mark, does it have my signature hidden in it, is something hidden in this, whose mark is it, decode invisible text, which code is in this screenshot, carries a payload, who does the watermark name, lookup of a watermark, extract the id',
  price: FREE,
  input: z.object({
    image: imageField,
    parts: briefly(
      z
        .boolean()
        .default(false)
        .describe(
          'Also search parts of the image, such as images on a page or in a collage: upright, mirrored or rotated by a multiple of 90°, at least a quarter of its shorter side. Takes several times as long.',
        )
        .meta({ title: 'Search parts too' }),
      'Also search parts: a page, a collage. Slower.',
    ),
  }),
  output: z.object({
    watermark_found: z.boolean(),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('1 minus the probability of a false reading; 0 if nothing was found.'),
    ...readingFields,
    false_positive_probability: falsePositiveField.nullable().describe('null if nothing was found.'),
    moved: z
      .object({
        rotation_degrees: z.number().min(-180).max(180).describe('Clockwise.'),
        scale: z
          .number()
          .min(0)
          .max(100)
          .describe('1 for an image that was only resized; more if cropped, less if placed on a page.'),
        mirrored: z.boolean(),
      })
      .nullable()
      .describe('Geometry of this image relative to the watermarked one; null if nothing was found.'),
    marks: z
      .array(
        z.object({
          ...readingFields,
          false_positive_probability: falsePositiveField,
          where: z
            .object({ left: pixel, top: pixel, width: pixel, height: pixel })
            .describe(
              'Approximate position of the watermark, in px of the image; flat margins may be missing. The whole image if the position is unknown.',
            ),
        }),
      )
      .max(MARKS_MAX)
      .nullable()
      .describe('With parts: every watermark, the largest (described above) first. Otherwise null.'),
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  detectsAi: true,
  examples: [{ image: MARKABLE_PNG_B64 }],
  next: ({ watermark_found }, { image }) => [
    {
      action: 'Verify the origin of the image',
      tool: 'verify_provenance',
      params: { image: handleIn(image) },
      why: watermark_found
        ? 'Other evidence may confirm the watermark'
        : 'Images without a watermark may still be recognised by their appearance',
    },
  ],
  async run(
    { image, parts },
    { pixels, marks, results }: Pick<Services, 'pixels' | 'marks' | 'results'>,
    call,
  ) {
    const control = { pixels: image.width * image.height, ...call };
    const { bytes } = image;
    const found = await pixels.run('watermark_detect', { bytes, parts }, control);
    const pixelsSha256 = async () => (await pixels.run('hash_pixels', { bytes }, control)).sha256;
    const answerOf = async ({ read, payload, id, seen, falsePositiveProbability }: Reading) => {
      const kept = read === 'id' && id !== undefined ? await marks.find(id) : undefined;
      const text = payload ?? kept?.payload ?? null;
      const source = payload === undefined ? ('registry' as const) : ('picture' as const);
      return {
        payload_detected: text,
        payload_source: text === null ? null : source,
        registry_id: id ?? null,
        false_positive_probability: falsePositiveProbability,
        authorship: await authorshipOf(await marks.judge({ id, payload, seen, pixelsSha256 }), results, call),
      };
    };
    const whole = found.read ? await answerOf(found) : undefined;
    const placed: (Awaited<ReturnType<typeof answerOf>> & { where: ReturnType<typeof placeOf> })[] = [];
    for (const { where, ...mark } of found.marks ?? [])
      placed.push({ ...(await answerOf(mark)), where: placeOf(where) });
    if ([...(whole ? [whole] : []), ...placed].some(({ payload_detected }) => payload_detected === null))
      call.warn('Only the id could be read, and this server has no payload stored for it.');
    return {
      watermark_found: whole !== undefined,
      confidence: 1 - found.falsePositiveProbability,
      ...(whole ?? NOTHING),
      moved: found.moved
        ? {
            rotation_degrees: found.moved.rotationDegrees,
            scale: found.moved.scale,
            mirrored: found.moved.mirrored,
          }
        : null,
      marks: found.marks ? placed : null,
      engine: found.engine,
      degraded: false,
    };
  },
});

type Reading = Pick<DetectedWatermark, 'read' | 'payload' | 'id' | 'seen' | 'falsePositiveProbability'>;
type PartArea = NonNullable<DetectedWatermark['marks']>[number]['where'];

const placeOf = ({ x, y, width, height }: PartArea) => ({ left: x, top: y, width, height });

const NOTHING = {
  payload_detected: null,
  payload_source: null,
  registry_id: null,
  false_positive_probability: null,
  authorship: null,
};
