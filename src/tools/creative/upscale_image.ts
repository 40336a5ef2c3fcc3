import { z } from 'zod';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Services } from '../../services/contract.ts';
import type { Models, Origin, UpscalerChoice } from '../../services/models/contract.ts';
import { engineAnswer, imageAnswer, imageField, outputField } from '../fields.ts';
import { credits } from '../price.ts';
import { alsoCalled, alsoMeans, alsoRead, inUnit, isText } from '../spellings.ts';
import { defineTool } from '../tool.ts';
import { type CarryServices, carriedAnswer, carriedFields } from './carried_answer.ts';
import { carryFields, carryOf } from './carry_fields.ts';
import { UPSCALE_OUTPUT_PIXELS_MAX } from './limits.ts';
import { ORIGINAL_PNG_B64 } from './sample_pictures.ts';
import { DEFAULT_MODEL, UPSCALE_MODELS, type UpscaleModel } from './upscale_models.ts';
import { orRememberStop, refuseTooLong, timeOutlook } from './upscale_time.ts';

/** IPTC digital source type: enhanced by an algorithm. */
const MADE_BY_NETWORK = 'algorithmicallyEnhanced';
const MODEL_BY_SCALE = new Map<number, UpscaleModel>([
  [2, 'realesrgan_x2plus'],
  [4, 'realesrgan_x4plus'],
]);

/** The model a call means: the one it names, else the one its scale selects. */
export const modelOf = (input: { model?: UpscaleModel | undefined; scale: number }): UpscaleModel =>
  input.model ?? MODEL_BY_SCALE.get(input.scale) ?? DEFAULT_MODEL;

const modelField = z.enum(Object.keys(UPSCALE_MODELS) as [UpscaleModel, ...UpscaleModel[]]);
const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const upscaled = {
  model: modelField,
  scale: z.int().min(2).max(4).describe('How many times wider and higher the picture became.'),
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
    'Enlarges a picture two or four times with a super-resolution network that restores detail. Where the official network is not installed, a small one runs and the answer says degraded: dry_run tells beforehand.',
  instead: {
    resize_image: 'to shrink, crop or reach an exact size',
    compare_upscalers: 'to try every network',
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
          .describe('The network. Absent: the one that `scale` selects.'),
        (sent) => (isText(sent, /^(auto|automatic|default|best)$/i) ? {} : undefined),
      ),
      scale: alsoCalled(
        alsoRead(
          z
            .int()
            .min(1)
            .max(100)
            .default(2)
            .describe(
              '2 selects realesrgan_x2plus, 4 selects realesrgan_x4plus; ignored when model is given.',
            ),
          (sent) => inUnit('x', '×')(sent) ?? timesIn(sent),
        ),
        ...[
          'scale_factor',
          'factor',
          'upscale',
          'upscale_factor',
          'upscaling_factor',
          'multiplier',
          'times',
          'zoom',
        ],
      ),
      allow_degraded: z
        .boolean()
        .default(true)
        .describe(
          'false: 503 and no charge, instead of a smaller network, where the one asked for is not installed.',
        ),
      output: outputField,
      ...carryFields,
    })
    .superRefine(({ model, scale }, problems) => {
      if (model !== undefined || MODEL_BY_SCALE.has(scale)) return;
      problems.addIssue({ code: 'custom', path: ['scale'], message: 'must be 2 or 4', input: scale });
    }),
  output: z.object({ ...imageAnswer, ...carriedFields, ...upscaled, ...engineAnswer }),
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
  async outlook({ image, ...asked }, { models, pixels }: Pick<Services, 'models'> & CarryServices, context) {
    const choice = await chooseNetwork(models, asked);
    // On another server it is text still, and fetched only by the run.
    const time = image.bytes && (await timeOutlook({ models, pixels }, choice, image, context));
    if (choice.kind === 'installed') return { networks: [choice.network.name], degraded: false, ...time };
    const networks = Object.values(choice.networks).map(({ name }) => name);
    return { networks, degraded: true, degraded_reason: choice.reason, ...time };
  },
  async run(
    { image, output, ...asked },
    { pixels, models, ...services }: Pick<Services, 'models'> & CarryServices,
    call,
  ) {
    const model = modelOf(asked);
    const { scale } = UPSCALE_MODELS[model];
    refuseTooLarge(image, scale);
    const choice = await chooseNetwork(models, asked);
    const { seconds, passesMax } = await refuseTooLong({ models, pixels }, choice, image, call);
    const asWork = { choice, picture: image, passes: passesMax };
    const { engine, chosenFor, work, ...picture } = await orRememberStop(models, asWork, (onStart) =>
      pixels.run(
        'upscale',
        {
          bytes: image.bytes,
          model: choice.kind === 'installed' ? choice.network : choice.networks,
          carry: carryOf(asked, { sourceType: MADE_BY_NETWORK }),
        },
        {
          // Only the file of the enlarged picture is held, about half as large as its pixels.
          pixels: image.width * image.height * (1 + scale ** 2 / 2),
          ...{ estimatedSeconds: seconds, onStart, ...call },
        },
      ),
    );
    models.speeds.record(ranOf(choice, work.network), work);
    if (choice.kind === 'installed')
      for (const note of notesOn(model, choice.network.origin)) call.warn(note);
    return {
      ...(await carriedAnswer(
        { pixels, ...services },
        picture,
        { image, action: 'c2pa.resized', showsTheSame: true, durable: true, output },
        call,
      )),
      model,
      scale,
      original_size_bytes: image.bytes.length,
      upscaled_size_bytes: picture.bytes.length,
      engine,
      degraded: choice.kind === 'bundled',
      ...(choice.kind === 'bundled' && {
        degraded_reason: `${choice.reason} Of the two for this scale ${engine.name} was taken: ${chosenFor}.`,
      }),
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

/** @throws AtelierError model_unavailable where only a smaller network could run and the caller wants none */
async function chooseNetwork(
  models: Models,
  asked: Parameters<typeof modelOf>[0] & { allow_degraded: boolean },
): Promise<UpscalerChoice> {
  const model = modelOf(asked);
  if (asked.allow_degraded) return models.choose(model);
  return { kind: 'installed', network: await models.upscaler(model) };
}

const ranOf = (choice: UpscalerChoice, name: string) =>
  choice.kind === 'installed'
    ? choice.network
    : Object.values(choice.networks).find((network) => network.name === name)!;

function refuseTooLarge({ width, height }: { width: number; height: number }, scale: number): void {
  const pixels = width * height * scale ** 2;
  if (pixels <= UPSCALE_OUTPUT_PIXELS_MAX) return;
  const inputMax = UPSCALE_OUTPUT_PIXELS_MAX / scale ** 2 / 1e6;
  throw new AtelierError(
    'image_too_large',
    `The enlarged picture would have ${Math.ceil(pixels / 1e6)} million pixels; at most ${UPSCALE_OUTPUT_PIXELS_MAX / 1e6} million are made, so a picture enlarged ${scale} times may have ${inputMax} million. Send a smaller one${scale > 2 ? ' or enlarge it less' : ''}.`,
  );
}

/** What a caller should know about weights that are not the official file. */
function notesOn(model: UpscaleModel, origin: Origin): string[] {
  if (origin === 'rounded')
    return [`The weights of ${model} here are the official ones with each number rounded to 16 bits.`];
  if (origin === 'unofficial')
    return [
      `The weights of ${model} here are unofficial: the operator added a file nobody vouches for. Compare engine.weights_sha256.`,
    ];
  return [];
}
