import { OUTPUT_FORMATS } from '@atelier/imaging/encoders/formats.ts';
import type { DetectedRegions } from '@atelier/imaging/inpaint/hole_mask.ts';
import { BOXES_MAX, FEATHER_PX_MAX } from '@atelier/imaging/inpaint/limits.ts';
import { largestFirst } from '@atelier/imaging/pixels/box.ts';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import type { VisionModels } from '../../../core/workers/run_see.ts';
import type { Pixels, SourceImage } from '../../../core/workers/types.ts';
import { briefly } from '../../definitions/brief.ts';
import {
  engineAnswer,
  imageAnswer,
  imageField,
  outputField,
  providerAnswer,
} from '../../definitions/fields.ts';
import {
  type PassthroughServices,
  passthroughAnswer,
  passthroughAnswerFields,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { PREVIEW_QUALITY, scaleBox } from '../../definitions/preview.ts';
import { credits } from '../../definitions/price.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import {
  FORMAT_ALIASES,
  pixelsOfSaving,
  qualityReading,
  savedAnswer,
  savedFormatField,
  savingFields,
} from '../../definitions/saving_fields.ts';
import { inUnit, isText, withAliases, withCoercion, withDerivation } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';

/** Above the width of any supported image. */
const SIDE_PX_MAX = 100_000;
const place = z.number().min(-SIDE_PX_MAX).max(SIDE_PX_MAX);
const side = z.number().min(1).max(SIDE_PX_MAX);
const boxField = z.union([
  z
    .strictObject({ x: place, y: place, width: side, height: side })
    .transform(({ x, y, ...size }) => ({ left: x, top: y, ...size })),
  z.strictObject({ left: place, top: place, width: side, height: side }),
]);
const WORDS = ['text', 'faces'] as const;
type Word = (typeof WORDS)[number];

const BOX_FORM = `must be 1 to ${BOXES_MAX} boxes {x, y, width, height} in pixels, width and height from 1, or "text" or "faces"`;

/** Boxes, or a word for objects to detect. Documented as objects of numbers, because both forms in full would be long in every list. */
const whereField = withAliases(
  withDerivation(
    withCoercion(
      briefly(
        z
          .union([z.enum(WORDS), z.array(z.record(z.string(), z.number()))])
          .transform((sent, problems) => {
            if (typeof sent === 'string') return sent;
            const { data } = z.array(boxField).min(1).max(BOXES_MAX).safeParse(sent.map(withoutConfidence));
            if (data) return data;
            problems.addIssue({ code: 'custom', message: BOX_FORM, input: sent });
            return z.NEVER;
          })
          .optional()
          .describe(
            'What to erase: boxes [{x, y, width, height}] in px of the image as shown; or text or faces, which are detected. Or send mask.',
          )
          .meta({ title: 'What to erase' }),
        '[{x, y, width, height}] px, "text" or "faces".',
      ),
      readWhere,
    ),
    (sent) =>
      isText(sent, /^\s*(https?:\/\/|(upload|asset|result|artwork):)/i) ? { mask: sent } : undefined,
  ),
  ...['boxes', 'box', 'regions', 'region', 'areas', 'area', 'objects', 'object', 'target', 'erase', 'remove'],
);

/** A box of inspect_image without its confidence. */
const withoutConfidence = ({ confidence: _, ...box }: Record<string, number>) => box;

/** Coerces a box as an object, four numbers or text, lists of these, and synonyms of words. */
function readWhere(sent: unknown): unknown {
  if (typeof sent === 'string') {
    if (/^\s*(texts?|words?|writing|letters|lettering|captions?)\s*$/i.test(sent)) return 'text';
    if (/^\s*(faces?|heads?)\s*$/i.test(sent)) return 'faces';
    if (/^\s*[[{]/.test(sent)) return boxesInJson(sent);
    const numbers = /^[-\d.,;\s]{7,60}$/.test(sent) ? sent.split(/[,;\s]+/).filter(Boolean) : [];
    return numbers.length === 4 ? boxOf(numbers) : undefined;
  }
  if (!Array.isArray(sent)) return typeof sent === 'object' && sent !== null ? [sent] : undefined;
  if (sent.length === 4 && sent.every((part) => typeof part === 'number')) return boxOf(sent);
  const isListed = sent.every((one) => Array.isArray(one) && one.length === 4);
  return isListed && sent.length <= BOXES_MAX ? sent.flatMap(boxOf) : undefined;
}

/** Boxes as JSON, as sent by forms; undefined for other text. */
function boxesInJson(text: string): unknown {
  try {
    const boxes = parseBoundedJson(text);
    return readWhere(boxes) ?? boxes;
  } catch {
    return undefined;
  }
}

function boxOf(numbers: readonly unknown[]): Record<string, number>[] {
  const [x, y, width, height] = numbers.map(Number) as [number, number, number, number];
  return [{ x, y, width, height }];
}

const FEATHER_PX = 2;
const maskField = withAliases(
  briefly(
    imageField
      .optional()
      .describe(
        'Mask of the same size as the image: erases white areas, or opaque areas if it has transparency.',
      )
      .meta({ title: 'Mask' }),
    'White: erase.',
  ),
  ...['mask_image', 'mask_url', 'mask_b64', 'mask_base64'],
);

/** IPTC digital source type: composite with trained algorithmic media. */
const MADE_BY_NETWORK = 'compositeWithTrainedAlgorithmicMedia';
/** Margin around detected boxes, as a fraction of their height: glyphs and hair extend beyond them. */
const FOUND_ROOM = { text: 0.2, faces: 0.15 } as const;
const EYES = { text: 'writing', faces: 'faces' } as const satisfies Record<Word, keyof VisionModels>;

const REASON =
  'The area was filled with patches of the image, which works for textures such as grass, sky, walls and water, but not for faces, hands, lettering or other invented content. The operator installs a network for that with "atelier models pull migan" (28 MB).';
const DEGRADED = { degraded: true, degraded_reason: REASON };
const WHY_FREE = 'Lower quality: filled without a network. You were not charged.';
const box = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });

export const eraseObject = defineTool({
  name: 'erase_object',
  title: 'Erase an object',
  category: 'creative',
  summary: 'Erase boxes, a mask, text or faces and fill in a likely background.',
  instead: { remove_background: 'to keep the subject alone' },
  words:
    'remove object, erase, inpaint, inpainting, object removal, retouch, heal, healing brush, magic eraser, content-aware fill, clean up, get rid of a person, tourist, photobomber, wire, power line, sign, logo, date stamp, caption, text, subtitle, lettering, stain, dust, scratch, blemish, spot, crack, trash, car, unwanted object, fill the hole, cover up, take out, delete something from a photo, cleanup picture, remove people from the background, remove text from image, wegretuschieren, Objekt entfernen, effacer un objet',
  price: credits(1),
  input: z
    .object({
      image: imageField,
      where: whereField,
      mask: maskField,
      feather: withAliases(
        withCoercion(
          briefly(
            z
              .number()
              .min(0)
              .max(FEATHER_PX_MAX)
              .default(FEATHER_PX)
              .describe('Width of the blend around the erased area, in px; pixels further out are unchanged.')
              .meta({ title: 'Soft edge, px' }),
            '',
          ),
          inUnit('px', 'pixel', 'pixels'),
        ),
        ...['blur', 'soft_edge', 'softness'],
      ),
      format: briefly(
        withAliases(
          savedFormatField().default('png').describe('png keeps every other pixel exactly.'),
          ...FORMAT_ALIASES,
        ),
        '',
      ),
      quality: briefly(
        withCoercion(
          z.int().min(1).max(100).default(90).describe('For lossy formats: jpeg, webp, avif.'),
          qualityReading,
        ),
        '',
      ),
      max_bytes: savingFields.max_bytes,
      output: outputField,
      ...passthroughFields,
    })
    .superRefine(({ where, mask }, problems) => {
      if (where !== undefined || mask !== undefined) return;
      const message = `is required, or mask: it ${BOX_FORM}`;
      problems.addIssue({ code: 'custom', path: ['where'], message, input: where });
    }),
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    format: z.enum(OUTPUT_FORMATS),
    saved_quality: savedAnswer.saved_quality,
    filled_by: z.enum(['network', 'patches']).describe('patches: of the image itself.'),
    areas: z.array(box).describe('Boxes of the erased areas, in px.'),
    erased_percent: z.number().min(0).max(100).describe('Of the picture.'),
    ...engineAnswer,
    engine: engineAnswer.engine.extend(providerAnswer),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: ORIGINAL_PNG_B64, where: [{ x: 10, y: 10, width: 4, height: 4 }] },
    { image: ORIGINAL_PNG_B64, where: [{ x: 2, y: 2, width: 3, height: 5 }], format: 'webp', output: 'url' },
  ],
  next: ({ result }) => [
    {
      action: 'Inspect the result',
      tool: 'resize_image',
      why: 'Invented detail is easier to see enlarged',
      params: { image: result, width: 1600, height: 1600 },
    },
    {
      action: 'Cut out the remaining subject',
      tool: 'remove_background',
      why: 'Keeps the subject alone',
      params: { image: result },
    },
  ],

  preview: {
    scaled: ({ where, feather, max_bytes: _, ...input }, scale) => ({
      ...input,
      where: typeof where === 'object' ? where.map((one) => scaleBox(one, scale)) : where,
      feather: feather * scale,
      format: 'webp' as const,
      quality: PREVIEW_QUALITY,
    }),
  },

  charge: async (_input, { models }: Pick<Services, 'models'>) =>
    (await models.eraser()) ? undefined : { credits: 0, why: WHY_FREE },

  async estimate(
    { image, where, mask, ...saving },
    { models, pixels }: Pick<Services, 'models'> & PassthroughServices,
  ) {
    const network = await models.eraser();
    const boxes = typeof where === 'object' ? where : [];
    // On another server, the image is still text, which only the run loads.
    const request = { ...saving, bytes: image.bytes, boxes, mask: mask?.bytes };
    const size = { pixels: image.width * image.height };
    const seconds =
      image.bytes &&
      (network
        ? pixels.predict('erase_by_network', { ...request, network }, size)
        : pixels.predict('erase', request, size));
    return {
      ...(network
        ? { networks: [network.name], degraded: false }
        : { degraded: true, degraded_reason: REASON }),
      ...(seconds && { estimated_seconds: Math.ceil(10 * seconds) / 10 }),
    };
  },

  async run(
    { image, where, mask, output, ...asked },
    { pixels, models, ...services }: Pick<Services, 'models'> & PassthroughServices,
    call,
  ) {
    const network = await models.eraser();
    const found = typeof where === 'string' ? await find(where, image, { pixels, models }, call) : undefined;
    const { format, quality, max_bytes: bytesMax, feather } = asked;
    const sourceType = network && MADE_BY_NETWORK;
    const request = {
      bytes: image.bytes,
      boxes: typeof where === 'object' ? where : [],
      found,
      mask: mask?.bytes,
      feather: Math.round(feather),
      format,
      quality,
      bytesMax,
      carry: passthroughOf(asked, { shows: 'edited', sourceType }),
    };
    const own = image.width * image.height + (mask ? mask.width * mask.height : 0);
    const control = { pixels: 2 * own + pixelsOfSaving(own, asked), ...call };
    const erased = network
      ? await pixels.run('erase_by_network', { ...request, network }, control)
      : await pixels.run('erase', request, control);
    const { engine, filledBy, erasedShare, areas, savedQuality, notes, ...picture } = erased;
    for (const note of notes) call.warn(note);
    if (network?.origin === 'unofficial' && filledBy === 'network')
      call.warn(
        `The weights of ${network.name} on this server are unofficial: the operator added a file that differs from the published one.`,
      );
    if (filledBy === 'patches') call.charge({ credits: 0, why: WHY_FREE });
    return {
      ...(await passthroughAnswer(
        { pixels, ...services },
        picture,
        {
          image,
          action: [{ action: 'c2pa.edited', ...(filledBy === 'network' && { sourceType }) }],
          durable: true,
          output,
          bytesMax,
        },
        call,
      )),
      format,
      saved_quality: savedQuality,
      filled_by: filledBy,
      areas: areas.map(({ left: x, top: y, ...size }) => ({ x, y, ...size })),
      erased_percent: Math.round(1e4 * erasedShare) / 100,
      engine,
      ...(filledBy === 'patches' ? DEGRADED : { degraded: false }),
    };
  },
});

/**
 * Detects all text or all faces.
 * @throws AtelierError subject_unclear where nothing is found, or no suitable model is installed
 */
async function find(
  word: Word,
  image: SourceImage,
  { pixels, models }: Pick<Services, 'models'> & { pixels: Pixels },
  call: CallContext,
): Promise<DetectedRegions> {
  const reader = word === 'text' ? await models.textReader() : undefined;
  const { [EYES[word]]: network } = await models.eyes();
  if (!reader && !network)
    throw new AtelierError(
      'subject_unclear',
      `The network that finds ${word} is not installed on this server. ${SEND_BOXES} The operator installs it with "atelier models pull vision".`,
    );
  const control = { pixels: image.width * image.height, ...call };
  const seen = await pixels.run(
    'see',
    { bytes: image.bytes, networks: reader ? { reader } : { [EYES[word]]: network } },
    control,
  );
  const found = seen[EYES[word]] ?? [];
  if (found.length === 0)
    throw new AtelierError('subject_unclear', `No ${word} found in the image. ${SEND_BOXES}`);
  if (found.length > BOXES_MAX)
    call.warn(
      `The ${BOXES_MAX} largest of ${found.length} areas with ${word} were erased. Send the result again for the others.`,
    );
  return { parts: largestFirst(found).slice(0, BOXES_MAX), room: FOUND_ROOM[word] };
}

const SEND_BOXES =
  'Send `where` as boxes [{x, y, width, height}] in pixels, or a mask. You were not charged.';
