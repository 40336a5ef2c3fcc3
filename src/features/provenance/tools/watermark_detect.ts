import type { DetectedWatermark } from '@atelier/imaging/watermark/detect_watermark.ts';
import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { engineAnswer, imageField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/handle_in.ts';
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
    .describe('The payload, exactly as it was embedded; null where none can be given.'),
  payload_source: z
    .enum(['picture', 'registry'])
    .nullable()
    .describe(
      'picture: every bit was read from it and agrees with its checksum. registry: only the id was read, and looked up here. null without a payload.',
    ),
  registry_id: registryIdField.nullable(),
  authorship: authorshipField
    .nullable()
    .describe('Whether the mark was made for this picture, and who signed it; null without a mark.'),
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
          'Also looks for marks that lie in parts of the picture, upright, mirrored or turned by quarters and at least a quarter of its shorter side: pictures on a page, collages. Takes several times as long.',
        )
        .meta({ title: 'Look in parts as well' }),
      'Also in parts of it: a page, a collage. Slower.',
    ),
  }),
  output: z.object({
    watermark_found: z.boolean(),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('1 less the chance of a false reading; 0 where nothing was found.'),
    ...readingFields,
    false_positive_probability: falsePositiveField.nullable().describe('null where nothing was found.'),
    moved: z
      .object({
        rotation_degrees: z.number().min(-180).max(180).describe('Clockwise.'),
        scale: z
          .number()
          .min(0)
          .max(100)
          .describe(
            '1 for a picture that was only resized; more for one that was cropped, less for one on a page.',
          ),
        mirrored: z.boolean(),
      })
      .nullable()
      .describe('How the picture lies now against the one that was marked; null where nothing was found.'),
    marks: z
      .array(
        z.object({
          ...readingFields,
          false_positive_probability: falsePositiveField,
          where: z
            .object({ left: pixel, top: pixel, width: pixel, height: pixel })
            .describe(
              'Roughly where its bits were found, in pixels of the picture: flat margins may be missing. The whole picture where it is not known more closely.',
            ),
        }),
      )
      .max(MARKS_MAX)
      .nullable()
      .describe('With parts: every mark, the largest first, which is the one described above. null without.'),
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  detectsAi: true,
  examples: [{ image: MARKABLE_PNG_B64 }],
  next: ({ watermark_found }, { image }) => [
    {
      action: 'Ask where the picture comes from',
      tool: 'verify_provenance',
      params: { image: handleIn(image) },
      why: watermark_found
        ? 'Other witnesses may confirm what the mark says'
        : 'Pictures without a mark may still be known by their looks',
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
      call.warn('Only an id can still be read, and this service has no payload under it.');
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
