import { z } from 'zod';
import { type CarryServices, carriedAnswer, carriedFields } from '../../definitions/carried_answer.ts';
import { carryFields, carryOf } from '../../definitions/carry_fields.ts';
import {
  engineAnswer,
  imageAnswer,
  imageField,
  outputField,
  providerAnswer,
} from '../../definitions/fields.ts';
import { hexColorField, rgbOfHex } from '../../definitions/hex_color.ts';
import { FREE } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { alsoCalled, alsoMeans, isText } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';

const formatField = z.enum(['png', 'webp']);
const share = z.number().min(0).max(1);
const foundByField = z.enum(['network', 'colors', 'flat_background', 'own_transparency']);

export const removeBackground = defineTool({
  name: 'remove_background',
  title: 'Remove the background',
  category: 'creative',
  summary:
    'Cuts the object out of a picture: soft edges, none of the old background colour left in them, at full size.',
  instead: { vectorize_image: 'for shapes as SVG' },
  words:
    'transparent background, cut out, cutout, isolate or extract the subject, person, people, animal, car or product, alpha mask, erase, delete or get rid of what is behind, of the backdrop, white background, png without background, packshot, sticker, only the object, nothing else around it, alpha channel, product shot, selfie, product cutout for a web shop, take the background away, background removal, segment the foreground object, segmentation, mask, replace the background by a solid color, plain backdrop, passport photo, portrait without background, make the white behind a logo transparent, amazon or shop product photo on pure white, clip, matting, only the person, delete the backdrop and keep the hair, green screen, silhouette of a person, isolate the shoe, furniture or bottle, cat or dog sticker, headshot, ebay, vinted, catalogue photo, collage, who stands behind, strangers, clean background, layer',
  price: FREE,
  input: z.object({
    image: imageField,
    output_format: alsoCalled(
      formatField
        .default('png')
        .describe('Both keep transparency; webp is smaller.')
        .meta({ title: 'Format' }),
      ...['format', 'file_type', 'file_format'],
    ),
    mask_only: z
      .boolean()
      .default(false)
      .describe('The opacity alone, as a grey picture: white is the object.')
      .meta({ title: 'The mask alone' }),
    background_color: alsoCalled(
      alsoMeans(
        hexColorField
          .optional()
          .describe('Hex colour to lay the object on. Absent: transparent.')
          .meta({ title: 'Background' }),
        (sent) => (isText(sent, /^\s*(transparent|none|alpha)\s*$/i) ? {} : undefined),
      ),
      ...['background', 'bg_color', 'bg', 'bg_colour', 'new_background', 'fill', 'fill_color'],
    ),
    output: outputField,
    ...carryFields,
  }),
  output: z.object({
    ...imageAnswer,
    ...carriedFields,
    format: formatField,
    found_by: foundByField.describe(
      'What told the object from the background: a network; colours alone; a background of one smooth colour; or transparency the picture came with, which is kept.',
    ),
    halo_score: share
      .optional()
      .describe(
        "How much of the old background's colour is left along the edge: 0 none, 1 all. Absent where the picture came with transparency.",
      ),
    unsure: z
      .boolean()
      .describe(
        'true: the cut-out may be wrong, parts missing or too much kept; warnings says why and what helps.',
      ),
    uncertainty: share
      .optional()
      .describe(
        'How likely the cut-out shares less than 0.9 with the object; above 0.2 it is unsure. Absent: not measured.',
      ),
    uncertainty_share: share.describe(
      'Part of the picture, mostly along the edge, of which the engine was not sure once it had found an object.',
    ),
    object_share: share.describe('Part of the picture that was kept.'),
    ...qualityAnswer,
    ...engineAnswer,
    engine: engineAnswer.engine.extend(providerAnswer),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: ORIGINAL_PNG_B64 },
    { image: ORIGINAL_PNG_B64, output_format: 'webp', background_color: '#f5f5f5', output: 'url' },
  ],
  next: ({ result }) => [
    {
      action: 'Put it on a product',
      tool: 'mockup_image',
      why: 'A cut-out sits on a shirt or mug without a rectangle around it',
      params: { image: result },
    },
    {
      action: 'Bring it to size',
      tool: 'resize_image',
      why: 'Keeps the transparency',
      params: { image: result, width: 512, height: 512 },
    },
  ],
  async outlook(_input, { models }: Pick<Services, 'models'> & CarryServices) {
    const network = await models.cutOut();
    if (network) return { networks: [network.name], degraded: false };
    const reason = `Unless the picture brings a transparent background of its own, the object is found by colours alone. ${REMEDY}`;
    return { degraded: true, degraded_reason: reason };
  },
  async run(
    { image, output, output_format: format, mask_only, background_color, ...asked },
    { pixels, models, ...services }: Pick<Services, 'models'> & CarryServices,
    call,
  ) {
    const network = await models.cutOut();
    const request = {
      bytes: image.bytes,
      format,
      look: lookOf(mask_only, background_color),
      carry: carryOf(asked),
    };
    const control = { pixels: image.width * image.height, ...call };
    const { engine, ...found } = await (network
      ? pixels.run('cut_out_by_network', { ...request, network }, control)
      : pixels.run('cut_out', request, control));
    for (const note of notesOn(found, network !== undefined)) call.warn(note);
    if (mask_only && background_color)
      call.warn('background_color is without effect together with mask_only.');
    if (network?.origin === 'unofficial')
      call.warn(
        `The weights of ${network.name} here are unofficial: the operator added a file nobody vouches for.`,
      );
    return {
      ...(await carriedAnswer(
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
      quality: { ...found.quality, uncertain_percent: roundPercent(found.uncertainPart) },
      engine,
      ...degradation(found.foundBy, network !== undefined),
    };
  },
});

type FoundBy = z.output<typeof foundByField>;

/** Without a network only a transparent background of the picture's own is as good as it can be. */
function degradation(foundBy: FoundBy, hasNetwork: boolean): { degraded: boolean; degraded_reason?: string } {
  if (hasNetwork || foundBy === 'own_transparency') return { degraded: false };
  const limits =
    foundBy === 'flat_background'
      ? 'The background is one smooth colour and was removed by that; no network looked at what the object is.'
      : 'The object was found by its colours alone; a network that knows objects does better on photographs.';
  return {
    degraded: true,
    degraded_reason: `${limits} ${REMEDY}`,
  };
}

const REMEDY =
  'The operator adds a network with "atelier models pull u2netp" (5 MB) or "atelier models pull isnet_general" (113 MB, finer).';
const UNSURE_SHARE = 0.1;
/** As the engine's `doubt` has it; decision 104 has how often what lies below was wrong. */
const UNSURE_DOUBT = 0.2;

const GUESS_OF_COLORS =
  'This cut-out is a guess: colours alone do not tell what the object is, and parts may be missing or too much kept. Look at it before you use it. A picture before a plain background is cut out surely.';
const GUESS_OF_NETWORK =
  'This cut-out may be a guess: the network found something else when it was shown the picture mirrored or with more around it, or its outline does not follow edges. Look at it before you use it; cropped closer to the object, the picture may do better.';

interface Found {
  readonly foundBy: FoundBy;
  readonly uncertaintyShare: number;
  readonly doubt?: number;
  readonly holes: number;
}

const isUnsure = ({ doubt = 0, uncertaintyShare }: Found): boolean =>
  doubt > UNSURE_DOUBT || uncertaintyShare > UNSURE_SHARE;

function notesOn(found: Found, hasNetwork: boolean): string[] {
  const notes: string[] = [];
  if (found.foundBy === 'own_transparency')
    notes.push('The picture came with a transparent background, which was kept as it is.');
  if (found.doubt !== undefined && found.doubt > UNSURE_DOUBT)
    notes.push(hasNetwork ? GUESS_OF_NETWORK : `${GUESS_OF_COLORS} ${REMEDY}`);
  if (found.uncertaintyShare > UNSURE_SHARE)
    notes.push(
      `The engine was unsure of ${Math.round(100 * found.uncertaintyShare)} % of the picture. Look at the result before you use it.`,
    );
  if (found.holes > 0)
    notes.push(
      `${found.holes === 1 ? 'One patch' : `${found.holes} patches`} inside the object showed the background's very colour and became transparent.`,
    );
  return notes;
}

function lookOf(isMask: boolean, color: string | undefined) {
  if (isMask) return { kind: 'mask' } as const;
  if (!color) return { kind: 'transparent' } as const;
  return { kind: 'on_color', color: rgbOfHex(color) } as const;
}

const roundShare = (value: number): number => Math.round(1e4 * Math.min(1, Math.max(0, value))) / 1e4;
const roundPercent = (part: number): number => Math.round(1e3 * Math.min(1, Math.max(0, part))) / 10;
