import type { Size } from '@atelier/imaging/pixels/plane.ts';
import type { DetailMap } from '@atelier/imaging/quality/draw_expected_error.ts';
import type { LanczosCheck } from '@atelier/imaging/upscale/lanczos_check.ts';
import { checkedSize } from '@atelier/imaging/upscale/model_cost.ts';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { PixelControl, SourceImage } from '../../../core/workers/types.ts';
import { briefly } from '../../definitions/brief.ts';
import {
  engineAnswer,
  fileAnswer,
  imageAnswer,
  imageField,
  outputField,
  providerAnswer,
} from '../../definitions/fields.ts';
import {
  linkAnswer,
  type PassthroughServices,
  passthroughAnswer,
  passthroughAnswerFields,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { credits } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { inUnit, isText, withAliases, withCoercion, withDerivation } from '../../definitions/spellings.ts';
import {
  type CallContext,
  type CallEstimate,
  type Deadlines,
  defineTool,
  type EstimateContext,
} from '../../definitions/tool.ts';
import type { Models, Origin, UpscalerChoice } from '../../models/types.ts';
import type { Services } from '../../services.ts';
import {
  DEFAULT_MODEL,
  DENOISING_MODEL,
  isNamed,
  modelOf,
  planUpscale,
  reachOf,
  refuseTooLarge,
  roundDenoise,
  SCALES,
  UPSCALE_MODELS,
  type UpscaleModel,
  type UpscalePlan,
} from './upscale_plan.ts';

/** Share of a deadline for the model, when a smaller size or another model is suggested. */
const PROPOSED_SHARE = 0.7;
/** Time to load the model and decode the image. */
const START_SECONDS = 1;

/** Maximum passes of a model over an image, with transparency. */
const PASSES_MAX = 2;

type Network = Awaited<ReturnType<Models['upscalersAtHand']>>[number];
type Around = Pick<Services, 'models' | 'pixels'>;

/**
 * What a result must gain on Lanczos, in dB, to be paid: 167 of 168 checks of networks that stay true to a picture had more, 208 of 209 of
 * those that draw detail of their own had less (docs/decisions/0025-upscaling.md).
 */
const LANCZOS_GAIN_MIN_DB = 0.5;

/** Work of a call: the models, the image, the average passes per pixel, and a reduced copy for the check. */
interface Work extends Pick<UpscalePlan, 'stages' | 'scale'> {
  readonly picture: SourceImage;
  readonly passes: number;
}

/** Maximum time of each stage, by the slowest possible model. */
function partsOf({ speeds }: Models, { stages, scale, picture, passes }: Work) {
  const reduced = checkedSize(picture, scale);
  return stages.map(({ choice, reach }) => {
    const times = ({ width, height }: Size) => ({ width: width * reach, height: height * reach });
    const given = times(picture);
    const networks: readonly Network[] =
      choice.kind === 'installed' ? [choice.network] : [choice.networks.clean, choice.networks.spoiled];
    return networks
      .map((network) => {
        const { seconds, isFresh } = speeds.estimate(network, given);
        const checking = reduced ? speeds.estimate(network, times(reduced)).seconds : 0;
        return { network, given, isFresh, seconds: passes * seconds + checking };
      })
      .reduce(slower);
  });
}

const slower = <Timed extends { seconds: number }>(one: Timed, other: Timed): Timed =>
  other.seconds > one.seconds ? other : one;

/** Total time of all stages, and the model that needs most of it. */
function slowest(models: Models, work: Work) {
  const parts = partsOf(models, work);
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  return { ...parts.reduce(slower), seconds, isFresh: parts.every(({ isFresh }) => isFresh) };
}

/** Estimate for a dry run: seconds including queued calls, and the reason for a refusal. */
async function timeEstimate(
  around: Around,
  { stages, scale }: UpscalePlan,
  picture: SourceImage,
  asked: EstimateContext,
): Promise<Pick<CallEstimate, 'refusal'> & { estimated_seconds: number }> {
  const { models, pixels } = around;
  const once = { stages, scale, picture, passes: 1 };
  const isShort = slowest(models, once).seconds < START_SECONDS;
  const passes = isShort ? 1 : await passesOf(pixels, models, once, asked);
  const work = { ...once, passes };
  const { seconds } = slowest(models, work);
  const isLate = START_SECONDS + seconds > asked.deadlineMs / 1000;
  const refusal = isLate && { check: 'time' as const, detail: (await tooLong(models, work, asked)).message };
  const inAll = START_SECONDS + pixels.networks.secondsAheadOf(asked.address) + seconds;
  return { estimated_seconds: roundSeconds(inAll), ...(refusal && { refusal }) };
}

/**
 * Refuses a call that cannot finish before its deadline at the speed of the model on this machine. Guessed and outdated speeds are
 * measured first, because the machine may have been busy; while another call uses the model, the known speed decides.
 * @returns the estimated seconds of the run, and the maximum passes per pixel
 * @throws AtelierError image_too_large naming the size, the model and an alternative; busy where only queued calls exceed the
 * deadline
 */
async function refuseTooLong(
  around: Around,
  { stages, scale }: UpscalePlan,
  picture: SourceImage,
  call: CallContext,
): Promise<{ seconds: number; passesMax: number }> {
  const { models, pixels } = around;
  const isLate = (work: Work, ahead = 0) =>
    START_SECONDS + ahead + slowest(models, work).seconds > call.deadlineMs / 1000;
  const refuse = async (work: Work) => {
    const stale = partsOf(models, work).filter(({ isFresh }) => !isFresh);
    if (isLate(work) && !pixels.networks.isBusy)
      for (const { network } of stale) await measure(around, network, call);
    if (isLate(work)) throw await tooLong(models, work, call);
  };
  let work: Work = { stages, scale, picture, passes: 1 };
  let passesMax = PASSES_MAX;
  await refuse(work);
  if (isLate({ ...work, passes: PASSES_MAX })) {
    passesMax = await passesOf(pixels, models, work, call);
    work = { ...work, passes: passesMax };
    await refuse(work);
  }
  const { seconds } = slowest(models, work);
  const ahead = pixels.networks.secondsAheadOf(call.address);
  if (isLate(work, ahead)) throw beforeIt(seconds, ahead, call);
  return { seconds, passesMax };
}

/**
 * Runs a model and records an aborted run as slower than its time. Otherwise, on a server that has become slower, every call would
 * run into its deadline, because only complete runs are measured.
 * @param run receives the function to call when the model begins
 */
async function orRememberStop<T>(
  models: Models,
  work: Work,
  run: (onStart: () => void) => Promise<T>,
): Promise<T> {
  let startedMs: number | undefined;
  try {
    return await run(() => {
      startedMs = performance.now();
    });
  } catch (error) {
    const isStopped = error instanceof AtelierError && error.code === 'timed_out';
    if (isStopped && startedMs !== undefined) {
      const seconds = (performance.now() - startedMs) / 1000;
      // The slower of two possible models needs at least as long; the time of several stages is divided as estimated.
      const foreseen = slowest(models, work).seconds;
      for (const { network, given, seconds: own } of partsOf(models, work))
        models.speeds.recordStopped(network, given, (seconds * own) / foreseen / work.passes);
    }
    throw error;
  }
}

async function measure({ models, pixels }: Around, network: Network, call: CallContext): Promise<void> {
  call.onProgress(0.02, 'Measuring the network');
  const control = { ...call, pixels: 0, onProgress: () => {} };
  models.speeds.record(network, await pixels.run('measure_upscaler', { model: network }, control));
}

/** Average passes, from the decoded image: headers do not state the transparent share. A JPEG has no transparency. */
async function passesOf(
  pixels: Services['pixels'],
  models: Models,
  work: Work,
  control: Omit<PixelControl, 'pixels'>,
): Promise<number> {
  const { bytes, format, width, height } = work.picture;
  if (format === 'jpeg') return 1;
  const { architecture } = slowest(models, work).network;
  return pixels.run('count_passes', { bytes, architecture }, { ...control, pixels: width * height });
}

function beforeIt(seconds: number, ahead: number, { deadlineMs, jobDeadlineMs }: Deadlines): AtelierError {
  const asJob = jobDeadlineMs ? ', or as a job with "async": true' : '';
  return new AtelierError(
    'busy',
    `The network has about ${roundSeconds(ahead)} s of queued work. This call needs about ${roundSeconds(seconds)} s; the limit including the queue is ${deadlineMs / 1000} s. You were not charged. Send it again later${asJob}.`,
    { retryAfterSeconds: Math.ceil(ahead) },
  );
}

async function tooLong(
  models: Models,
  work: Work,
  { deadlineMs, jobDeadlineMs }: Deadlines,
): Promise<AtelierError> {
  const { picture, passes, stages } = work;
  const { network, seconds } = slowest(models, work);
  const [first] = partsOf(models, work);
  const budget = (PROPOSED_SHARE * deadlineMs) / 1000;
  const { speeds } = models;
  const largest = speeds.largestWithin(first!.network, picture, (budget * first!.seconds) / seconds / passes);
  const atHand = stages.length > 1 ? [] : await models.upscalersAtHand();
  const faster = atHand
    .filter(({ name }) => isNamed(name) && name !== network.name)
    .map((other) => ({ name: other.name, seconds: passes * speeds.estimate(other, picture).seconds }))
    .filter((other) => other.seconds <= budget)
    .sort((one, other) => one.seconds - other.seconds);
  const asJob = jobDeadlineMs !== undefined && seconds < (PROPOSED_SHARE * jobDeadlineMs) / 1000;
  const ways = [
    ...(largest ? [`send at most ${largest.width} × ${largest.height} pixels`] : []),
    ...(faster[0] ? [`use model ${faster[0].name} (about ${roundSeconds(faster[0].seconds)} s)`] : []),
    ...(asJob
      ? [
          `send the same call with "async": true (or the header Prefer: respond-async), with a limit of ${jobDeadlineMs / 1000} s`,
        ]
      : []),
  ];
  return new AtelierError(
    'image_too_large',
    `${stages.length > 1 ? 'Enlarging it by two networks' : network.name} needs about ${roundSeconds(seconds)} s on this server for ${picture.width} × ${picture.height} pixels. The limit for this call is ${deadlineMs / 1000} s. You were not charged. ${sentence(ways)}`,
    {
      members: {
        estimated_seconds: roundSeconds(seconds),
        deadline_seconds: deadlineMs / 1000,
        ...(largest && { largest }),
        faster_models: faster.map(({ name }) => name),
        as_job: asJob,
      },
    },
  );
}

function sentence(ways: readonly string[]): string {
  const text = ways.join(', or ');
  return text ? `${text[0]!.toUpperCase()}${text.slice(1)}.` : 'Send a smaller image.';
}

const roundSeconds = (seconds: number): number =>
  seconds < 10 ? Math.ceil(seconds * 10) / 10 : Math.ceil(seconds);

/** IPTC digital source type: enhanced by an algorithm. */
const MADE_BY_NETWORK = 'algorithmicallyEnhanced';
const modelField = z.enum(Object.keys(UPSCALE_MODELS) as [UpscaleModel, ...UpscaleModel[]]);
/** Networks that no call names: they run for clean pictures, as installed or as bundled. */
const FAITHFUL_MODELS = ['span_x2', 'span_x4', 'atelier_compact_x2', 'atelier_compact_x4'] as const;
type FaithfulModel = (typeof FAITHFUL_MODELS)[number];
const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const upscaled = {
  model: z.enum([...modelField.options, ...FAITHFUL_MODELS]),
  scale: z.int().min(2).max(8).describe('Scale factor of width and height.'),
  original_size_bytes: bytes,
  upscaled_size_bytes: bytes,
};

/** Side of the preview detail, a quarter of the preview crop. */
const PREVIEW_DETAIL_PX = 128;

/** Parses "x4" or "200%". */
function timesIn(sent: unknown): number | undefined {
  const [, times, percent] =
    (typeof sent === 'string' && /^\s*(?:[x×]\s*(\d{1,2})|(\d)00\s*%)\s*$/i.exec(sent)) || [];
  return times || percent ? Number(times ?? percent) : undefined;
}

export const upscaleImage = defineTool({
  name: 'upscale_image',
  title: 'Upscale an image',
  category: 'creative',
  toolset: 'edit',
  summary: 'Enlarge an image 2, 3, 4, 6 or 8 times with a super-resolution network.',
  instead: {
    resize_image: 'to shrink, crop or for an exact size',
    compare_upscalers: 'to try them all',
  },
  words:
    'make bigger, larger, enlarge, increase resolution, super resolution, enhance, sharpen, unblur, improve quality, restore an old scan or family photo, blurry, fix a blurry photo, my photo is blurry, pixelated, grainy, noisy, tiny or low resolution, too few pixels, billboard, large wall print, metres wide, 2x, 4x, hd, 4k, photo so small that one cannot see anything, add detail, ai image enhancer, increase image quality, improve a low quality picture, wallpaper in 4k, zoom in without pixels, ai art too small for print, midjourney, restore a tiny photo, less blurry, deblur, denoise, double or quadruple the resolution, more megapixels, higher resolution, old photograph, crisp, bigger version of this thumbnail, need more pixels, only few pixels and must be printed large, blown up, out of focus, soft, compression artefacts, jpeg noise, screenshot too small, text unreadable, old games, anime upscaling, sharper, clearer, refine, polish',
  price: credits(2),
  input: z
    .object({
      image: imageField,
      // Not a zod default, because `scale` counts only without a model.
      model: withDerivation(
        briefly(
          modelField
            .optional()
            .meta({ default: DEFAULT_MODEL })
            .describe('Default: chosen by `scale` and image quality.')
            .meta({ title: 'Network' }),
          'Default: by scale.',
        ),
        (sent) => (isText(sent, /^(auto|automatic|default|best)$/i) ? {} : undefined),
      ),
      scale: withAliases(
        withCoercion(
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
      denoise: withAliases(
        briefly(
          z
            .number()
            .min(0)
            .max(1)
            .optional()
            .describe(`Only with model ${DENOISING_MODEL}: 1 removes noise, 0 keeps it; in steps of 0.25.`)
            .meta({ title: 'Noise reduction' }),
          'For the general model: 0 keeps noise.',
        ),
        ...['denoise_strength', 'denoising', 'denoising_strength', 'noise_reduction'],
      ),
      allow_degraded: briefly(
        z
          .boolean()
          .default(true)
          .describe('false: 503 and no charge rather than a smaller network.')
          .meta({ title: 'Allow a smaller network' }),
        'false: 503 rather than a smaller network',
      ),
      output: outputField,
      ...passthroughFields,
    })
    .superRefine(({ model, scale, denoise }, problems) => {
      if (denoise !== undefined && model !== DENOISING_MODEL)
        problems.addIssue({
          code: 'custom',
          path: ['denoise'],
          input: denoise,
          message: `is supported by one network only: send model "${DENOISING_MODEL}" with it`,
        });
      if (model !== undefined || SCALES.includes(scale)) return;
      const message = `must be ${SCALES.slice(0, -1).join(', ')} or ${SCALES.at(-1)}`;
      problems.addIssue({ code: 'custom', path: ['scale'], message, input: scale });
    }),
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    ...upscaled,
    networks: z.array(z.string()).describe('Networks used, in order.'),
    chosen_because: z.string().optional(),
    ...qualityAnswer,
    detail_map: z
      .object({ ...fileAnswer, width: imageAnswer.width, height: imageAnswer.height })
      .optional()
      .describe('Up to 4 times: a small grey map; lighter areas have more invented detail.'),
    against_lanczos: z
      .object({
        gain_db: z.number().describe('PSNR gain over Lanczos; negative: Lanczos was closer.'),
        gain_ssim: z.number(),
        gain_min_db: z.number().describe('Below this, the result is degraded and free.'),
      })
      .optional()
      .describe(
        'Check: the most detailed part, reduced and enlarged again, compared with the original. Absent if the image is too small.',
      ),
    denoise: z.number().min(0).max(1).optional().describe('Strength used, if requested.'),
    ...engineAnswer,
    engine: engineAnswer.engine.extend({
      ...providerAnswer,
      mixed: z
        .array(z.object({ network: z.string(), share: z.number(), weights_sha256: z.string() }))
        .optional()
        .describe('With `denoise`: the mixed networks and their weights.'),
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
      why: 'The enlarged image now has enough pixels for print',
      params: { image: result, product_size: 'a4' },
    },
    {
      action: 'Describe it',
      tool: 'enrich_metadata',
      why: 'Writes title, description and keywords for the image',
      params: { image: result },
    },
  ],
  preview: { detailPx: () => PREVIEW_DETAIL_PX, scaled: (input) => input },
  async estimate({ image, ...asked }, around: Pick<Services, 'models'> & PassthroughServices, context) {
    const plan = await planUpscale(around, asked, image, context);
    // On another server, the image is still text, which only the run loads.
    const time = image.bytes && (await timeEstimate(around, plan, image, context));
    const names = plan.stages.flatMap(({ choice }) => namesOf(choice));
    return { networks: [...new Set([...names, ...(plan.perhaps ?? [])])], ...degradation(plan), ...time };
  },
  async run(
    { image, output, ...asked },
    { pixels, models, ...services }: Pick<Services, 'models'> & PassthroughServices,
    call,
  ) {
    refuseTooLarge(image, asked);
    const plan = await planUpscale({ models, pixels }, asked, image, call);
    const [{ choice }, next] = plan.stages;
    const { scale, reach } = reachOf(asked);
    const { seconds, passesMax } = await refuseTooLong({ models, pixels }, plan, image, call);
    const asWork = { ...plan, picture: image, passes: passesMax };
    const { engine, chosenFor, work, quality, detailMap, check, ...picture } = await orRememberStop(
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
            carry: passthroughOf(asked, { sourceType: MADE_BY_NETWORK }),
          },
          {
            // The result is held as a file of about half its pixels; between two models, its pixels are held.
            pixels: image.width * image.height * (1 + reach ** 2 / 2 + (next ? next.reach ** 2 : 0)),
            estimatedSeconds: seconds,
            onStart,
            ...call,
          },
        ),
    );
    for (const [at, run] of work.entries())
      models.speeds.record(ranOf(plan.stages[at]!.choice, run.network), run);
    for (const { choice: own } of plan.stages)
      if (own.kind === 'installed' && 'origin' in own.network)
        for (const { name, origin } of [own.network, own.network.mix?.twin ?? []].flat())
          for (const note of notesOn(name, origin)) call.warn(note);
    const substitution = substitutionOf(
      plan,
      chosenFor && `${engine.name} was selected from the two networks for this scale: ${chosenFor}.`,
    );
    const verdict = verdictOn({ check, scale, networks: work.map(({ network }) => network), substitution });
    const because = plan.because ?? (verdict.degraded ? undefined : substitution);
    return {
      ...(await passthroughAnswer(
        { pixels, ...services },
        picture,
        { image, action: 'c2pa.resized', showsTheSame: true, durable: true, output },
        call,
      )),
      model: plan.because ? (work[0]!.network as FaithfulModel) : modelOf(asked),
      scale,
      networks: work.map(({ network }) => network),
      ...(because && { chosen_because: because }),
      ...(asked.denoise !== undefined && { denoise: roundDenoise(asked.denoise) }),
      original_size_bytes: image.bytes.length,
      upscaled_size_bytes: picture.bytes.length,
      quality,
      ...(detailMap && { detail_map: await keepMap(services.results, detailMap) }),
      engine,
      ...(check && {
        against_lanczos: {
          gain_db: check.gainDb,
          gain_ssim: check.gainSsim,
          gain_min_db: LANCZOS_GAIN_MIN_DB,
        },
      }),
      degraded: verdict.degraded,
      ...(verdict.degraded && { degraded_reason: verdict.degraded_reason }),
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
        why: 'The same call with a real network and your own image',
        params: { image: ORIGINAL_PNG_B64, scale: 2 },
      },
      {
        action: 'Prepare it for print',
        tool: 'print_ready',
        why: 'Places an image on a page with bleed and crop marks',
        params: { image: ORIGINAL_PNG_B64, product_size: 'a4' },
      },
      {
        action: 'Resize without a network',
        tool: 'resize_image',
        why: 'Free, and sufficient if no detail has to be restored',
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

/** Why smaller models run than requested; undefined where none does. */
function substitutionOf({ stages }: Pick<UpscalePlan, 'stages'>, more = ''): string | undefined {
  const reasons = stages.flatMap(({ choice }) => (choice.kind === 'bundled' ? [choice.reason] : []));
  if (reasons.length === 0) return undefined;
  return [...new Set(reasons), ...(more ? [more] : [])].join(' ');
}

/** Whether a smaller model will run. The check of the result determines whether it is visible. */
function degradation(plan: UpscalePlan): { degraded: boolean; degraded_reason?: string } {
  const reason = substitutionOf(plan);
  return reason === undefined ? { degraded: false } : { degraded: true, degraded_reason: reason };
}

interface Finished {
  readonly check: LanczosCheck | undefined;
  readonly scale: number;
  readonly networks: readonly string[];
  readonly substitution: string | undefined;
}

type Verdict = { readonly degraded: false } | { readonly degraded: true; readonly degraded_reason: string };

/** A checked result is degraded if it gains too little on Lanczos; an unchecked one, if a substitute model made it. */
function verdictOn({ check, scale, networks, substitution }: Finished): Verdict {
  if (!check) {
    if (substitution === undefined) return { degraded: false };
    return { degraded: true, degraded_reason: substitution };
  }
  if (check.gainDb >= LANCZOS_GAIN_MIN_DB) return { degraded: false };
  const names = networks.join(' and then ');
  const found =
    check.gainDb > 0
      ? `${check.gainDb} dB closer to it than Lanczos resampling`
      : `${-check.gainDb} dB further from it than Lanczos resampling`;
  const reason = `This image, reduced ${scale} times and enlarged again by ${names}, is ${found}. A paid result is at least ${LANCZOS_GAIN_MIN_DB} dB closer, so you were not charged. Detail may be invented: check the result. compare_upscalers (free) shows the results of other networks.`;
  return {
    degraded: true,
    degraded_reason: substitution === undefined ? reason : `${reason} ${substitution}`,
  };
}

/** Warnings about unofficial weights. */
function notesOn(model: string, origin: Origin): string[] {
  if (origin === 'rounded')
    return [`The weights of ${model} on this server are the official ones, rounded to 16 bits.`];
  if (origin === 'unofficial')
    return [
      `The weights of ${model} on this server are unofficial: a file that the operator added. Compare engine.weights_sha256.`,
    ];
  return [];
}

const MAP_TYPE = 'image/png';

async function keepMap(results: PassthroughServices['results'], { bytes, width, height }: DetailMap) {
  const kept = await results.keep(bytes, MAP_TYPE);
  return { ...linkAnswer(kept), content_type: MAP_TYPE, size_bytes: bytes.length, width, height };
}
