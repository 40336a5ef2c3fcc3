import { z } from 'zod';
import { COMPARISON_CROP_PX } from '../../../config/limits.ts';
import { engineAnswer, imageAnswer, imageField, outputField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { pictureAnswer } from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { defineTool } from '../../definitions/tool.ts';
import { COMPARISONS_PER_HOUR } from '../../definitions/tool_limits.ts';
import type { Models } from '../../models/types.ts';
import type { Services } from '../../services.ts';
import {
  DENOISING_MODEL,
  DENOISING_TWIN,
  isNamed,
  modelOf,
  UPSCALE_MODELS,
  type UpscaleModel,
} from './upscale_plan.ts';

const pixels = z.int().min(0).max(1_000_000);
const figure = z.number().min(0).max(1e6);

const comparedAnswer = z.object({
  model: z.string().describe('Name on the sheet; lanczos is plain resampling, for comparison.'),
  scale: z.int().min(2).max(4),
  sharpness: figure.describe('Edge steepness relative to plain resampling to the same size (1).'),
  detail: figure.describe('Overall detail, likewise; lower if texture is flattened.'),
  noise: figure.describe('Noise in the smoothest areas, likewise: above 1 sharpened, below 1 smoothed.'),
  overshoot_levels: figure.describe(
    'Halos and invented contrast: mean overshoot of brightness beyond its surroundings, in levels of 255.',
  ),
  departure_levels: figure.describe(
    'Difference between the result, reduced again, and the image, in levels of 255: changed or invented content.',
  ),
  seconds: figure.describe('For the compared part.'),
  estimated_seconds: figure.describe(
    'For the whole image at the same speed; an image of several tiles can take twice as long.',
  ),
  weights_sha256: z.string().optional(),
  call: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe(
      'Fields that select it in upscale_image; absent if no call on this server runs it for this image.',
    ),
});
type Row = z.output<typeof comparedAnswer>;
type Network = Awaited<ReturnType<Models['upscalersAtHand']>>[number];

export const compareUpscalers = defineTool({
  name: 'compare_upscalers',
  title: 'Compare upscalers',
  category: 'creative',
  toolset: 'edit',
  summary:
    'Run every upscaling network on the most detailed part of an image: contact sheet, figures, and which one to use.',
  instead: { upscale_image: 'to enlarge' },
  words:
    'which upscaling model, network or super resolution is best or right for a picture, for anime, drawings or photos, choose an upscaler, compare, test or try all models, benchmark, esrgan, quality side by side, test several, difference between models or networks, realesrgan_x2plus, realesrgan_x4plus, realesrgan_x4plus_anime, realesr_general_x4v3, realesr_animevideov3, enlarging methods side by side, benchmark upscalers, evaluate, which model should I use for upscaling, winner, recommend a model, try the anime and the photo model on the same picture, fewest artefacts, which enlarger, a/b test, rank, fastest or best quality network, choose between models, test run',
  price: FREE,
  limit: { name: 'comparisons', calls: COMPARISONS_PER_HOUR, perSeconds: 3600 },
  input: z.object({ image: imageField, output: outputField }),
  output: z.object({
    ...imageAnswer,
    crop: z
      .object({ left: pixels, top: pixels, width: pixels, height: pixels })
      .describe(`The part compared, at most ${COMPARISON_CROP_PX} pixels wide and high.`),
    condition: z.enum(['clean', 'spoiled']).describe('spoiled: compressed or noisy.'),
    condition_reason: z.string(),
    kind: z
      .enum(['drawing', 'photograph'])
      .describe(
        'drawing: dark lines on a plain background, for which some networks are made. photograph: everything else, including paintings.',
      ),
    models: z.array(comparedAnswer).describe('In the order of the sheet, after the original.'),
    recommended: z.string().optional().describe('Recommended model; judge by the sheet.'),
    recommended_because: z.string().optional(),
    not_installed: z.array(z.string()).describe('Official networks that are not installed on this server.'),
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ image: ORIGINAL_PNG_B64 }, { image: ORIGINAL_PNG_B64, output: 'url' }],
  next: ({ models, recommended }, { image }) => {
    const call = models.find(({ model }) => model === recommended)?.call;
    if (!call) return [];
    return [
      {
        action: 'Upscale with the recommended network',
        tool: 'upscale_image',
        why: 'The same network on the whole picture',
        params: { image: handleIn(image), ...call },
      },
    ];
  },
  async run(
    { image, output },
    { pixels: workers, models, results }: Pick<Services, 'pixels' | 'models' | 'results'>,
    call,
  ) {
    const atHand = await models.upscalersAtHand();
    const installed = new Set<string>(atHand.map(({ name }) => name));
    const area = image.width * image.height;
    const found = await workers.run(
      'compare_upscalers',
      { bytes: image.bytes, models: atHand },
      { pixels: area, ...call },
    );
    const rows = found.compared.map(({ name, weightsSha256, ...row }): Row => {
      const network = atHand.find((other) => other.name === name);
      const fields = callFields(network, found.condition.kind, installed);
      const share = found.crop.width * found.crop.height;
      return {
        model: name,
        scale: row.scale,
        sharpness: roundToHundredths(row.sharpness),
        detail: roundToHundredths(row.detail),
        noise: roundToHundredths(row.noise),
        overshoot_levels: roundToHundredths(row.overshootLevels),
        departure_levels: roundToHundredths(row.departureLevels),
        seconds: roundToHundredths(row.seconds),
        estimated_seconds: roundToHundredths((row.seconds * area) / share),
        ...(weightsSha256 && { weights_sha256: weightsSha256 }),
        ...(fields && { call: fields }),
      };
    });
    if (found.skipped.length > 0)
      call.warn(`Skipped for lack of time: ${found.skipped.join(', ')}. This server is slow or busy.`);
    return {
      ...(await pictureAnswer(results, found, { output, warn: call.warn })),
      crop: found.crop,
      condition: found.condition.kind,
      condition_reason: found.condition.reason,
      kind: found.isDrawing ? ('drawing' as const) : ('photograph' as const),
      models: rows,
      ...recommendation(rows.filter(isFor(found.condition.kind)), found),
      not_installed: Object.keys(UPSCALE_MODELS).filter((name) => !installed.has(name)),
      engine: found.engine,
      degraded: false,
    };
  },
});

/**
 * Fields with which upscale_image runs a model: its name, or its scale where it has no name. Without a name, a clean image gets the
 * faithful model; a bundled model runs where the faithful and the official model of its scale are missing and the image is in the
 * condition for which it was trained.
 */
function callFields(
  network: Network | undefined,
  condition: string,
  installed: ReadonlySet<string>,
): Record<string, string | number> | undefined {
  if (!network) return undefined;
  if (isNamed(network.name)) return { model: network.name };
  if (network.name === DENOISING_TWIN)
    return installed.has(DENOISING_MODEL) ? { model: DENOISING_MODEL, denoise: 0 } : undefined;
  const { scale } = network.architecture;
  const isFaithfulThere = condition === 'clean' && installed.has(`span_x${scale}`);
  if (!('condition' in network)) return isFaithfulThere ? { scale } : undefined;
  const isTaken = isFaithfulThere || installed.has(modelOf({ scale }));
  return network.condition === condition && !isTaken ? { scale } : undefined;
}

/** Results that differ more from the image show other content: in leaves and brush strokes, this begins at about 15. */
const DEPARTURE_LEVELS_MAX = 15;

/** Models trained on drawings, which turn skin, leaves and brush strokes into flat areas with outlines. */
const FOR_DRAWINGS: ReadonlySet<string> = new Set<UpscaleModel>([
  'realesrgan_x4plus_anime',
  'realesr_animevideov3',
]);

/** Noise of a degraded image counts as detail, so the figures would favour models that preserve or amplify it. */
const isFor =
  (condition: string) =>
  ({ model, noise }: Row): boolean =>
    condition === 'clean' || (model !== DENOISING_TWIN && noise <= 1);

/**
 * Rows of models for the kind of image, because figures alone count invented outlines as detail. A drawing may use other models; a
 * photograph never uses one for drawings.
 */
function selectSuited(rows: readonly Row[], isDrawing: boolean): readonly Row[] {
  const forIt = rows.filter(({ model }) => FOR_DRAWINGS.has(model) === isDrawing);
  return forIt.length > 0 || !isDrawing ? forIt : rows;
}

function recommendation(
  rows: readonly Row[],
  { isDrawing, condition }: { isDrawing: boolean; condition: { kind: string; reason: string } },
): { recommended?: string; recommended_because?: string } {
  const callable = selectSuited(
    rows.filter((row) => row.call),
    isDrawing,
  );
  const what = isDrawing ? 'The image is a drawing.' : 'The image is not a drawing.';
  const kind =
    condition.kind === 'clean'
      ? what
      : `${what} It is degraded (${condition.reason}), so networks that sharpen noise are excluded.`;
  const faithful = callable.filter((row) => row.departure_levels <= DEPARTURE_LEVELS_MAX);
  const richest = faithful.toSorted((one, other) => other.detail - one.detail)[0];
  if (richest)
    return {
      recommended: richest.model,
      recommended_because: `${kind} Most detail (${richest.detail} times plain resampling) among the networks within ${DEPARTURE_LEVELS_MAX} levels of the image (${richest.departure_levels}).`,
    };
  const nearest = callable.toSorted((one, other) => one.departure_levels - other.departure_levels)[0];
  if (!nearest) return {};
  return {
    recommended: nearest.model,
    recommended_because: `${kind} Every network changes this image strongly; this one least (${nearest.departure_levels} levels).`,
  };
}

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;
