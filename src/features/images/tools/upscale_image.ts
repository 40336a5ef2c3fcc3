import type { DetailMap } from '@atelier/imaging/quality/draw_expected_error.ts';
import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { type CarryServices, carriedAnswer, carriedFields } from '../../definitions/carried_answer.ts';
import { carryFields, carryOf } from '../../definitions/carry_fields.ts';
import {
  engineAnswer,
  fileAnswer,
  imageAnswer,
  imageField,
  outputField,
  providerAnswer,
} from '../../definitions/fields.ts';
import { credits } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { alsoCalled, alsoMeans, alsoRead, inUnit, isText } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Origin, UpscalerChoice } from '../../models/types.ts';
import type { Services } from '../../services.ts';
import {
  DEFAULT_MODEL,
  DENOISING_MODEL,
  roundDenoise,
  UPSCALE_MODELS,
  type UpscaleModel,
} from './upscale_models.ts';
import { modelOf, planUpscale, reachOf, refuseTooLarge, SCALES } from './upscale_plan.ts';
import { orRememberStop, refuseTooLong, timeOutlook } from './upscale_time.ts';

/** IPTC digital source type: enhanced by an algorithm. */
const MADE_BY_NETWORK = 'algorithmicallyEnhanced';
const modelField = z.enum(Object.keys(UPSCALE_MODELS) as [UpscaleModel, ...UpscaleModel[]]);
const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const upscaled = {
  model: z.enum([...modelField.options, 'span_x2', 'span_x4']),
  scale: z.int().min(2).max(8).describe('How many times wider and higher the picture became.'),
  original_size_bytes: bytes,
  upscaled_size_bytes: bytes,
};

/** "x4", "200%" */
function timesIn(sent: unknown): number | undefined {
  const [, times, percent] =
    (typeof sent === 'string' && /^\s*(?:[x×]\s*(\d{1,2})|(\d)00\s*%)\s*$/i.exec(sent)) || [];
  return times || percent ? Number(times ?? percent) : undefined;
}

export const upscaleImage = defineTool({
  name: 'upscale_image',
  title: 'Upscale an image',
  category: 'creative',
  summary:
    'Enlarges a picture 2, 3, 4, 6 or 8 times with a super-resolution network; where it is not installed, with a small one (degraded; dry_run tells).',
  instead: {
    resize_image: 'to shrink, crop or for an exact size',
    compare_upscalers: 'to try them all',
  },
  words:
    'make bigger, larger, enlarge, increase resolution, super resolution, enhance, sharpen, unblur, improve quality, restore an old scan or family photo, blurry, pixelated, grainy, noisy, tiny or low resolution, too few pixels, billboard, large wall print, metres wide, 2x, 4x, hd, 4k, photo so small that one cannot see anything, add detail, ai image enhancer, increase image quality, improve a low quality picture, wallpaper in 4k, zoom in without pixels, ai art too small for print, midjourney, restore a tiny photo, less blurry, deblur, denoise, double or quadruple the resolution, more megapixels, higher resolution, old photograph, crisp, bigger version of this thumbnail, need more pixels, only few pixels and must be printed large, blown up, out of focus, soft, compression artefacts, jpeg noise, screenshot too small, text unreadable, old games, anime upscaling, sharper, clearer, refine, polish',
  price: credits(2),
  input: z
    .object({
      image: imageField,
      // Not a zod default: `scale` counts only where no model is given.
      model: alsoMeans(
        modelField
          .optional()
          .meta({ default: DEFAULT_MODEL })
          .describe('Absent: by `scale`, and for a clean picture one that is true to it.')
          .meta({ title: 'Network' }),
        (sent) => (isText(sent, /^(auto|automatic|default|best)$/i) ? {} : undefined),
      ),
      scale: alsoCalled(
        alsoRead(
          z
            .int()
            .min(1)
            .max(100)
            .default(2)
            .describe('2, 3, 4, 6 or 8; ignored when model is given.')
            .meta({ title: 'Times larger' }),
          (sent) => inUnit('x', '×')(sent) ?? timesIn(sent),
        ),
        ...['scale_factor', 'factor', 'upscale', 'upscale_factor', 'upscaling_factor'],
        ...['multiplier', 'times', 'zoom'],
      ),
      denoise: alsoCalled(
        briefly(
          z
            .number()
            .min(0)
            .max(1)
            .optional()
            .describe(
              `Only with model ${DENOISING_MODEL}: 1 smooths noise as that does, 0 keeps it, by its twin's weights; in steps of 0.25.`,
            )
            .meta({ title: 'How much noise to remove' }),
          'For the general model: 0 keeps noise.',
        ),
        ...['denoise_strength', 'denoising', 'denoising_strength', 'noise_reduction'],
      ),
      allow_degraded: z
        .boolean()
        .default(true)
        .describe('false: 503 and no charge rather than a smaller network.')
        .meta({ title: 'Take a smaller network if need be' }),
      output: outputField,
      ...carryFields,
    })
    .superRefine(({ model, scale, denoise }, problems) => {
      if (denoise !== undefined && model !== DENOISING_MODEL)
        problems.addIssue({
          ...{ code: 'custom', path: ['denoise'], input: denoise },
          message: `works with one network only: send model "${DENOISING_MODEL}" with it`,
        });
      if (model !== undefined || SCALES.includes(scale)) return;
      const message = `must be ${SCALES.slice(0, -1).join(', ')} or ${SCALES.at(-1)}`;
      problems.addIssue({ code: 'custom', path: ['scale'], message, input: scale });
    }),
  output: z.object({
    ...imageAnswer,
    ...carriedFields,
    ...upscaled,
    networks: z.array(z.string()).describe('That ran, in order.'),
    chosen_because: z.string().optional(),
    ...qualityAnswer,
    detail_map: z
      .object({ ...fileAnswer, width: imageAnswer.width, height: imageAnswer.height })
      .optional()
      .describe('Up to 4 times: a small grey picture, the lighter the more of the detail was made up.'),
    denoise: z.number().min(0).max(1).optional().describe('The strength that ran, where one was asked for.'),
    ...engineAnswer,
    engine: engineAnswer.engine.extend({
      ...providerAnswer,
      mixed: z
        .array(z.object({ network: z.string(), share: z.number(), weights_sha256: z.string() }))
        .optional()
        .describe('With `denoise`: whose weights were mixed, and how much each counts.'),
    }),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: ORIGINAL_PNG_B64, model: 'realesr_animevideov3' },
    { image: ORIGINAL_PNG_B64, scale: 2 },
  ],
  next: ({ result }) => [
    {
      action: 'Prepare it for print',
      tool: 'print_ready',
      why: 'The enlarged picture now has the pixels a printer asks for',
      params: { image: result, product_size: 'a4' },
    },
    {
      action: 'Describe it',
      tool: 'enrich_metadata',
      why: 'Writes title, description and keywords to go with the picture',
      params: { image: result },
    },
  ],
  async outlook({ image, ...asked }, around: Pick<Services, 'models'> & CarryServices, context) {
    const plan = await planUpscale(around, asked, image, context);
    // On another server it is text still, and fetched only by the run.
    const time = image.bytes && (await timeOutlook(around, plan, image, context));
    const choices = plan.stages.map(({ choice }) => choice);
    const names = choices.flatMap(namesOf);
    return { networks: [...new Set([...names, ...(plan.perhaps ?? [])])], ...degradation(choices), ...time };
  },
  async run(
    { image, output, ...asked },
    { pixels, models, ...services }: Pick<Services, 'models'> & CarryServices,
    call,
  ) {
    refuseTooLarge(image, asked);
    const plan = await planUpscale({ models, pixels }, asked, image, call);
    const [{ choice }, next] = plan.stages;
    const { scale, reach } = reachOf(asked);
    const { seconds, passesMax } = await refuseTooLong({ models, pixels }, plan, image, call);
    const asWork = { ...plan, picture: image, passes: passesMax };
    const { engine, chosenFor, work, quality, detailMap, ...picture } = await orRememberStop(
      models,
      asWork,
      (onStart) =>
        pixels.run(
          'upscale',
          {
            bytes: image.bytes,
            model: choice.kind === 'installed' ? choice.network : choice.networks,
            ...(next && { next: networksOf(next.choice)[0] }),
            ...(reach > scale && { scale }),
            carry: carryOf(asked, { sourceType: MADE_BY_NETWORK }),
          },
          {
            // Only the file of an enlarged picture is held, about half as large as its pixels; between two networks they are.
            pixels: image.width * image.height * (1 + reach ** 2 / 2 + (next ? next.reach ** 2 : 0)),
            ...{ estimatedSeconds: seconds, onStart, ...call },
          },
        ),
    );
    for (const [at, run] of work.entries())
      models.speeds.record(ranOf(plan.stages[at]!.choice, run.network), run);
    for (const { choice: own } of plan.stages)
      if (own.kind === 'installed')
        for (const { name, origin } of [own.network, own.network.mix?.twin ?? []].flat())
          for (const note of notesOn(name, origin)) call.warn(note);
    return {
      ...(await carriedAnswer(
        { pixels, ...services },
        picture,
        { image, action: 'c2pa.resized', showsTheSame: true, durable: true, output },
        call,
      )),
      model: plan.because ? (work[0]!.network as 'span_x2' | 'span_x4') : modelOf(asked),
      scale,
      networks: work.map(({ network }) => network),
      ...(plan.because && { chosen_because: plan.because }),
      ...(asked.denoise !== undefined && { denoise: roundDenoise(asked.denoise) }),
      original_size_bytes: image.bytes.length,
      upscaled_size_bytes: picture.bytes.length,
      quality,
      ...(detailMap && { detail_map: await keepMap(services.results, detailMap) }),
      engine,
      ...degradation(
        plan.stages.map((stage) => stage.choice),
        chosenFor && `Of the two for this scale ${engine.name} was taken: ${chosenFor}.`,
      ),
    };
  },
  sandbox: {
    query: z.object({ model: modelField.default(DEFAULT_MODEL) }),
    answer: z.object({
      ...upscaled,
      available_models: z.record(
        modelField,
        z.object({ best_for: z.string(), scale: z.int().min(2).max(4) }),
      ),
      image_b64: imageAnswer.image_b64.unwrap(),
      image_b64_note: z.string(),
    }),
    of: 'a drawing of 24 × 24 pixels',
    input: ({ model }) => ({ image: ORIGINAL_PNG_B64, model }),
    shown: ({ width, height, engine }) => ({
      available_models: UPSCALE_MODELS,
      image_b64_note: `The drawing at ${width} × ${height} pixels, enlarged by ${engine.name} ${engine.version}.`,
    }),
    next: [
      {
        action: 'Upscale a picture',
        tool: 'upscale_image',
        why: 'The same call with a real network and your own picture',
        params: { image: ORIGINAL_PNG_B64, scale: 2 },
      },
      {
        action: 'Prepare it for print',
        tool: 'print_ready',
        why: 'Puts a picture on a page with bleed and crop marks',
        params: { image: ORIGINAL_PNG_B64, product_size: 'a4' },
      },
      {
        action: 'Resize without a network',
        tool: 'resize_image',
        why: 'Free, and enough where no detail has to be restored',
        params: { image: ORIGINAL_PNG_B64, width: 96, height: 96 },
      },
    ],
  },
});

const networksOf = (choice: UpscalerChoice) =>
  choice.kind === 'installed' ? [choice.network] : [choice.networks.clean, choice.networks.spoiled];
const namesOf = (choice: UpscalerChoice) => networksOf(choice).map(({ name }) => name);
const ranOf = (choice: UpscalerChoice, name: string) =>
  networksOf(choice).find((network) => network.name === name)!;

/** Whether smaller networks run than were asked for, and why. */
function degradation(
  choices: readonly UpscalerChoice[],
  more = '',
): { degraded: boolean; degraded_reason?: string } {
  const reasons = choices.flatMap((choice) => (choice.kind === 'bundled' ? [choice.reason] : []));
  if (reasons.length === 0) return { degraded: false };
  return { degraded: true, degraded_reason: [...new Set(reasons), ...(more ? [more] : [])].join(' ') };
}

/** What a caller should know about weights that are not the official file. */
function notesOn(model: string, origin: Origin): string[] {
  if (origin === 'rounded')
    return [`The weights of ${model} here are the official ones with each number rounded to 16 bits.`];
  if (origin === 'unofficial')
    return [
      `The weights of ${model} here are unofficial: the operator added a file nobody vouches for. Compare engine.weights_sha256.`,
    ];
  return [];
}

const MAP_TYPE = 'image/png';

async function keepMap(results: CarryServices['results'], { bytes, width, height }: DetailMap) {
  const { handle, url } = await results.keep(bytes, MAP_TYPE);
  return { result: handle, result_url: url, content_type: MAP_TYPE, size_bytes: bytes.length, width, height };
}
