import {
  STROKE_POINTS_MAX,
  STROKE_RADIUS_PX,
  STROKE_RADIUS_PX_MAX,
  STROKES_MAX,
} from '@atelier/imaging/segmentation/limits.ts';
import type { FoundBy } from '@atelier/imaging/segmentation/remove_background.ts';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { briefly } from '../../definitions/brief.ts';
import {
  engineAnswer,
  hexColorField,
  imageAnswer,
  imageField,
  outputField,
  providerAnswer,
  rgbOfHex,
} from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import {
  type PassthroughServices,
  passthroughAnswer,
  passthroughAnswerFields,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { scaleBox } from '../../definitions/preview.ts';
import { FREE } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { isText, withAliases, withCoercion, withDerivation } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import {
  degradation,
  FETCHED,
  isUnsure,
  type MaskUncertainty,
  remedyFor,
  UNSURE_DOUBT,
  UNSURE_SHARE,
  unclearWithout,
} from './mask_uncertainty.ts';

/** Above the width of any supported image. */
const SIDE_PX_MAX = 100_000;
const WHERE_CHARACTERS_MAX = 60;
const pixel = z.number().min(0).max(SIDE_PX_MAX);
const side = z.number().min(1).max(SIDE_PX_MAX);
const boxField = z.strictObject({ left: pixel, top: pixel, width: side, height: side });
const placeField = z.union([z.strictObject({ x: pixel, y: pixel }), boxField]);
/** A box in the response, documented without bounds. */
const foundBox = z.object({ left: z.int(), top: z.int(), width: z.int(), height: z.int() });

/** A point, a box or a word for an object. Documented as an object of numbers, because all forms in full would be long in every list. */
const whereField = withAliases(
  withDerivation(
    briefly(
      z
        .union([z.record(z.string(), z.number()), z.string().trim().min(1).max(WHERE_CHARACTERS_MAX)])
        .transform((sent, problems) => {
          if (typeof sent === 'string') return sent;
          const { data } = placeField.safeParse(sent);
          if (data) return data;
          problems.addIssue({ code: 'custom', message: PLACE_FORMS, input: sent });
          return z.NEVER;
        })
        .optional()
        .describe(
          'Subject to keep: a point on it {x, y} or a box around it {left, top, width, height}, in px of the image as shown; or a word: face, person, text, car, dog. Default: the most salient object.',
        )
        .meta({ title: 'Which subject' }),
      'Subject: {x, y} or {left, top, width, height} in px, or a word.',
    ),
    placeIn,
  ),
  ...['subject', 'point', 'box', 'region', 'target'],
);

const PLACE_FORMS =
  'must be a point {x, y} or a box {left, top, width, height} in pixels, from 0, width and height from 1';

/** Coerces "120, 80" and [120, 80] to a point, and four numbers to a box. */
function placeIn(sent: unknown): { where: Record<string, number> } | undefined {
  const isList = typeof sent === 'string' && /^[\d.,;\s]{1,60}$/.test(sent);
  const parts: unknown = isList ? sent.split(/[,;\s]+/).filter(Boolean) : sent;
  if (!Array.isArray(parts) || !parts.every((part) => /^(number|string)$/.test(typeof part)))
    return undefined;
  const [first, second, third, fourth, ...others] = parts.map(Number);
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  if (third === undefined) return { where: { x: first, y: second } };
  if (fourth === undefined) return undefined;
  return { where: { left: first, top: second, width: third, height: fourth } };
}

const point = z.number().min(-SIDE_PX_MAX).max(SIDE_PX_MAX);
const STROKE_RADIUS_PX_MIN = 0.5;
const strokeField = z.strictObject({
  points: z
    .array(z.tuple([point, point]))
    .min(1)
    .max(STROKE_POINTS_MAX),
  radius: z.number().min(STROKE_RADIUS_PX_MIN).max(STROKE_RADIUS_PX_MAX).default(STROKE_RADIUS_PX),
  keep: z.boolean().default(true),
});
const STROKE_FORM =
  'must be strokes {points: [[x, y], …], radius, keep: true for the subject, false for the background} in px of the image';

/** Documented as a list of objects, because the full schema would be long in every list. */
const strokesField = withAliases(
  withCoercion(
    briefly(
      z
        .array(z.record(z.string(), z.unknown()))
        .max(STROKES_MAX)
        .transform((sent, problems): z.output<typeof strokeField>[] => {
          const { data } = z.array(strokeField).safeParse(sent.map(plainStroke));
          if (data) return data;
          problems.addIssue({ code: 'custom', message: STROKE_FORM, input: sent });
          return z.NEVER;
        })
        .optional()
        .describe(
          'Correction strokes: [{points: [[x, y], …], radius, keep}] in px of the image as shown; keep true: subject, false: background. Each spreads to the nearest edges.',
        )
        .meta({ title: 'Strokes' }),
      '[{points: [[x, y]], radius, keep: true|false}] px.',
    ),
    (sent) => (typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? [sent] : undefined),
  ),
  ...['stroke', 'scribbles', 'scribble', 'corrections', 'brush'],
);

/** Normalises points as {x, y}, a single point, and aliases of keep. */
function plainStroke({ points, point: single, keep, mode, label, ...rest }: Record<string, unknown>): object {
  const list = points ?? single;
  const isOne = Array.isArray(list) && list.length === 2 && list.every((part) => typeof part === 'number');
  const all = isOne ? [list] : Array.isArray(list) ? list : [list];
  const pairs = all.map((one: unknown) =>
    typeof one === 'object' && one !== null && 'x' in one && 'y' in one ? [one.x, one.y] : one,
  );
  const said = keep ?? mode ?? label;
  const isWord = typeof said === 'string';
  const meant =
    isWord && /^(keep|add|foreground|fg|subject|true)$/i.test(said)
      ? true
      : isWord && /^(remove|erase|subtract|background|bg|false)$/i.test(said)
        ? false
        : said;
  return { ...rest, points: pairs, ...(meant !== undefined && { keep: meant }) };
}

const maskField = withAliases(
  briefly(
    imageField
      .optional()
      .describe(
        'Mask of the subject with the same aspect ratio, such as an earlier cutout to correct: opaque, or white if nothing is transparent. Default: detected.',
      )
      .meta({ title: 'Mask' }),
    'Earlier cutout or mask.',
  ),
  ...['mask_image', 'mask_url', 'mask_b64', 'trimap', 'alpha'],
);

const formatField = z.enum(['png', 'webp']);
const share = z.number().min(0).max(1);
const foundByField = z.enum(['network', 'colors', 'flat_background', 'own_transparency', 'mask']);

export const removeBackground = defineTool({
  name: 'remove_background',
  title: 'Remove the background',
  category: 'creative',
  toolset: 'edit',
  summary: 'Cuts the subject out of a picture, with soft edges.',
  instead: { vectorize_image: 'for shapes as SVG' },
  words:
    'transparent background, cut out, cutout, isolate or extract the subject, person, people, animal, car or product, alpha mask, erase, delete or get rid of what is behind, of the backdrop, white background, png without background, packshot, sticker, only the object, nothing else around it, alpha channel, product shot, selfie, product cutout for a web shop, take the background away, background removal, segment the foreground object, segmentation, mask, replace the background by a solid color, plain backdrop, passport photo, portrait without background, make the white behind a logo transparent, amazon or shop product photo on pure white, clip, matting, only the person, delete the backdrop and keep the hair, green screen, silhouette of a person, isolate the shoe, furniture or bottle, cat or dog sticker, headshot, ebay, vinted, catalogue photo, collage, who stands behind, strangers, clean background, layer',
  price: FREE,
  input: z.object({
    image: imageField,
    output_format: withAliases(
      briefly(
        formatField
          .default('png')
          .describe('Both keep transparency; webp is smaller.')
          .meta({ title: 'Format' }),
        'webp is smaller.',
      ),
      ...['format', 'file_type', 'file_format'],
    ),
    mask_only: briefly(
      z
        .boolean()
        .default(false)
        .describe('Return only the opacity as a grey image: white is the object.')
        .meta({ title: 'The mask alone' }),
      'Opacity as grey.',
    ),
    background_color: withAliases(
      withDerivation(
        briefly(
          hexColorField
            .optional()
            .describe('Hex background colour. Default: transparent.')
            .meta({ title: 'Background' }),
          'Hex; default none.',
        ),
        (sent) => (isText(sent, /^\s*(transparent|none|alpha)\s*$/i) ? {} : undefined),
      ),
      ...['background', 'bg_color', 'bg', 'bg_colour', 'new_background', 'fill', 'fill_color'],
    ),
    where: whereField,
    strokes: strokesField,
    mask: maskField,
    output: outputField,
    ...passthroughFields,
  }),
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    format: formatField,
    found_by: foundByField.describe(
      'Method: a network, colour alone, a flat background, existing transparency, or the mask sent.',
    ),
    halo_score: share
      .optional()
      .describe(
        'Residual background colour along the edge: 0 none, 1 all. Absent if the image came with transparency.',
      ),
    unsure: z.boolean().describe('true: parts may be missing or added; warnings has the remedy.'),
    uncertainty: share
      .optional()
      .describe(
        'Probability that less than 0.9 of it is correct; above 0.2 it is uncertain. Absent: a flat background, or corrected.',
      ),
    uncertainty_share: share.describe(
      'Share of the image, mostly along the edge, that the engine could not classify reliably.',
    ),
    object_share: share.describe('Share of the image that was kept.'),
    subjects: z.array(foundBox).describe('Boxes of the kept areas, the largest first; `where` accepts one.'),
    ...qualityAnswer,
    ...engineAnswer,
    engine: engineAnswer.engine.extend(providerAnswer),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: ORIGINAL_PNG_B64 },
    { image: ORIGINAL_PNG_B64, output_format: 'webp', background_color: '#f5f5f5', output: 'url' },
  ],
  next: ({ result, unsure, subjects: [largest] }, { image }) => [
    ...(unsure && largest && handleIn(image)
      ? [
          {
            action: 'Correct it with strokes',
            tool: 'remove_background',
            why: 'Strokes over missing parts (keep true) or extra parts (keep false) correct this cutout; replace the example with yours',
            params: { image: handleIn(image), mask: result, strokes: [strokeIn(largest)] },
          },
        ]
      : []),
    ...(unsure && largest
      ? [
          {
            action: 'Cut out one subject',
            tool: 'remove_background',
            why: 'The cutout is uncertain; a box selects the subject. Correct the box first',
            params: { image: handleIn(image), where: largest },
          },
        ]
      : []),
    {
      action: 'Put it on a product',
      tool: 'mockup_image',
      why: 'A cutout sits on a shirt or mug without a rectangle around it',
      params: { image: result },
    },
    {
      action: 'Resize it',
      tool: 'resize_image',
      why: 'Keeps the transparency',
      params: { image: result, width: 512, height: 512 },
    },
  ],
  preview: {
    scaled: ({ where, strokes, ...input }, scale) => ({
      ...input,
      where: typeof where === 'object' ? scaledPlace(where, scale) : where,
      strokes: strokes?.map(({ points, radius, keep }) => ({
        points: points.map(([x, y]): [number, number] => [x * scale, y * scale]),
        radius: Math.max(STROKE_RADIUS_PX_MIN, radius * scale),
        keep,
      })),
      output_format: 'webp' as const,
    }),
  },
  async estimate(_input, { models }: Pick<Services, 'models'> & PassthroughServices) {
    const network = await models.cutOut();
    if (network) return { networks: [network.name], degraded: false };
    const remedy = remedyFor(await models.fetching(FETCHED));
    const reason = `Without a segmentation network, only existing transparency and plain backgrounds are supported; other images are refused (subject_unclear). ${remedy}`;
    return { degraded: true, degraded_reason: reason };
  },
  async run(
    { image, output, output_format: format, mask_only, background_color, where, strokes, mask, ...asked },
    { pixels, models, ...services }: Pick<Services, 'models'> & PassthroughServices,
    call,
  ) {
    const network = await models.cutOut();
    const request = {
      bytes: image.bytes,
      format,
      look: lookOf(mask_only, background_color),
      strokes,
      mask: mask?.bytes,
      carry: passthroughOf(asked),
    };
    const drawn = mask ? mask.width * mask.height : 0;
    const control = { pixels: image.width * image.height + drawn, ...call };
    const word = typeof where === 'string' ? where : undefined;
    const place = typeof where === 'string' ? undefined : where;
    const progress = network ? undefined : await models.fetching(FETCHED);
    if (word && !network) throw unclearWithout(NO_WORDS, progress);
    const { engine, ...found } = await (network
      ? pixels.run(
          'cut_out_by_network',
          { ...request, where: place, network, ...(word && { word, eyes: await findersFor(word, models) }) },
          control,
        )
      : pixels.run('cut_out', { ...request, where: place }, control).catch((error: unknown) => {
          const isUnclear = error instanceof AtelierError && error.code === 'subject_unclear';
          throw isUnclear && progress ? unclearWithout(error.message, progress) : error;
        }));
    for (const note of notesOn(found)) call.warn(note);
    if (mask_only && background_color) call.warn('background_color has no effect with mask_only.');
    if (network?.origin === 'unofficial')
      call.warn(
        `The weights of ${network.name} on this server are unofficial: a file that the operator added.`,
      );
    return {
      ...(await passthroughAnswer(
        { pixels, ...services },
        found,
        { image, action: 'c2pa.edited', output },
        call,
      )),
      format,
      found_by: found.foundBy,
      ...(found.haloScore !== undefined && { halo_score: roundShare(found.haloScore) }),
      unsure: isUnsure(found),
      ...(found.doubt !== undefined && { uncertainty: roundShare(found.doubt) }),
      uncertainty_share: roundShare(found.uncertaintyShare),
      object_share: roundShare(found.objectShare),
      subjects: [...found.subjects],
      quality: { ...found.quality, uncertain_percent: roundPercent(found.uncertainPart) },
      engine,
      ...degradation(found.foundBy, progress),
    };
  },
});

function scaledPlace(place: z.output<typeof placeField>, scale: number): z.output<typeof placeField> {
  if ('x' in place) return { x: place.x * scale, y: place.y * scale };
  return scaleBox(place, scale);
}

const NO_WORDS =
  'Without a segmentation network, a word cannot select the subject. Send a box around it. You were not charged.';

const GUESS =
  'This cutout is uncertain: parts may be missing or added. Check it before you use it. To select another subject, or one of several, send `where` with a point on it or a box around it; to correct it, send `strokes`.';

interface Found extends MaskUncertainty {
  readonly foundBy: FoundBy;
  readonly holes: number;
}

function notesOn(found: Found): string[] {
  const notes: string[] = [];
  if (found.foundBy === 'own_transparency')
    notes.push('The image came with a transparent background, which was kept unchanged.');
  if (found.doubt !== undefined && found.doubt > UNSURE_DOUBT) notes.push(GUESS);
  if (found.uncertaintyShare > UNSURE_SHARE)
    notes.push(
      `The engine was unsure about ${Math.round(100 * found.uncertaintyShare)} % of the image. Check the result before you use it.`,
    );
  if (found.holes > 0)
    notes.push(
      `${found.holes === 1 ? 'One patch' : `${found.holes} patches`} inside the object had the background colour and became transparent.`,
    );
  return notes;
}

function lookOf(isMask: boolean, color: string | undefined) {
  if (isMask) return { kind: 'mask' } as const;
  if (!color) return { kind: 'transparent' } as const;
  return { kind: 'on_color', color: rgbOfHex(color) } as const;
}

/** A short stroke in the middle of a box, as an example. */
const strokeIn = ({ left, top, width, height }: z.output<typeof foundBox>) => {
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  const reach = Math.round(Math.min(width, height) / 8);
  return {
    points: [
      [x - reach, y],
      [x + reach, y],
    ],
    radius: STROKE_RADIUS_PX,
    keep: true,
  };
};

const roundShare = (value: number): number => Math.round(1e4 * Math.min(1, Math.max(0, value))) / 1e4;
const roundPercent = (part: number): number => Math.round(1e3 * Math.min(1, Math.max(0, part))) / 10;

/** The models that detect a word. Text recognition, which is slow, runs only for words about text. */
async function findersFor(word: string, models: Services['models']) {
  const { faces, objects, writing } = await models.eyes();
  const reader = /text|writing|lettering/i.test(word) ? await models.textReader() : undefined;
  return {
    ...(faces && { faces }),
    ...(objects && { objects }),
    ...(writing && { writing }),
    ...(reader && { reader }),
  };
}
