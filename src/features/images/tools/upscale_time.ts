import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { PixelControl, SourceImage } from '../../../core/workers/types.ts';
import type { CallContext, Deadlines, Outlook, OutlookContext } from '../../definitions/tool.ts';
import type { Models } from '../../models/types.ts';
import type { Services } from '../../services.ts';
import { isNamed } from './upscale_models.ts';
import type { UpscalePlan } from './upscale_plan.ts';

/** What remains of a deadline for the network itself, when a size or a network is proposed that should fit. */
const PROPOSED_SHARE = 0.7;
/** Opening the network and reading the picture. */
const START_SECONDS = 1;

/** With transparency a network sees a picture twice at most. */
const PASSES_MAX = 2;

type Network = Awaited<ReturnType<Models['upscalersAtHand']>>[number];
type Around = Pick<Services, 'models' | 'pixels'>;

/** These networks are to enlarge this picture, whose pixels they see so often on average. */
interface Work {
  readonly stages: UpscalePlan['stages'];
  readonly picture: SourceImage;
  readonly passes: number;
}

/** What each stage takes at most: of networks one of which will run, the slowest. */
function partsOf({ speeds }: Models, { stages, picture, passes }: Work) {
  return stages.map(({ choice, reach }) => {
    const given = { width: picture.width * reach, height: picture.height * reach };
    const networks: readonly Network[] =
      choice.kind === 'installed' ? [choice.network] : [choice.networks.clean, choice.networks.spoiled];
    return networks
      .map((network) => {
        const { seconds, isFresh } = speeds.estimate(network, given);
        return { network, given, isFresh, seconds: passes * seconds };
      })
      .reduce(slower);
  });
}

const slower = <Timed extends { seconds: number }>(one: Timed, other: Timed): Timed =>
  other.seconds > one.seconds ? other : one;

/** All stages together, and the network that takes most of it. */
function slowest(models: Models, work: Work) {
  const parts = partsOf(models, work);
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  return { ...parts.reduce(slower), seconds, isFresh: parts.every(({ isFresh }) => isFresh) };
}

/** What a dry run says: seconds with those of the calls before it, and why the call would be refused. */
export async function timeOutlook(
  around: Around,
  { stages }: Pick<UpscalePlan, 'stages'>,
  picture: SourceImage,
  asked: OutlookContext,
): Promise<Pick<Outlook, 'refusal'> & { estimated_seconds: number }> {
  const { models, pixels } = around;
  const once = { stages, picture, passes: 1 };
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
 * Refuses at once what could not end before the deadline, as fast as the network is on this machine. A guess refuses nothing
 * while the network can be measured first, and so it is again where the last run was a while ago, when the machine may have been
 * busy. While another call has the network nothing can be measured, and what is known decides.
 * @returns the seconds it will take once it runs, and how often its network sees each pixel at most
 * @throws AtelierError image_too_large naming the size, the network and the way that would do; busy where only the calls before
 * it are in the way
 */
export async function refuseTooLong(
  around: Around,
  { stages }: Pick<UpscalePlan, 'stages'>,
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
  let work: Work = { stages, picture, passes: 1 };
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
 * Runs a network; where the run is stopped, remembers that it takes longer than that. Otherwise every call on a server that has
 * become slower would be let run into its deadline, as only a run that ends is a measurement.
 * @param run is given what to call when the network begins
 */
export async function orRememberStop<T>(
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
      // Whichever of two ran, the slower takes no less; what several took is shared as it was foreseen.
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

/** Read from the decoded picture, as no header tells how much of it is transparent. A JPEG never is. */
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
  const asJob = jobDeadlineMs ? ', or as a job with the header "Prefer: respond-async"' : '';
  return new AtelierError(
    'busy',
    `The network has about ${roundSeconds(ahead)} s of work to do for calls before this one, which needs about ${roundSeconds(seconds)} s and may take ${deadlineMs / 1000} s with waiting. Nothing was charged. Send it again later${asJob}.`,
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
    ...(faster[0] ? [`take model ${faster[0].name} (about ${roundSeconds(faster[0].seconds)} s)`] : []),
    ...(asJob
      ? [
          `send the same call with the header "Prefer: respond-async", which gives it ${jobDeadlineMs / 1000} s`,
        ]
      : []),
  ];
  return new AtelierError(
    'image_too_large',
    `${stages.length > 1 ? 'Enlarging it by two networks' : network.name} needs about ${roundSeconds(seconds)} s on this server for ${picture.width} × ${picture.height} pixels, and the call may take ${deadlineMs / 1000} s. Nothing ran and nothing was charged. ${sentence(ways)}`,
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
  return text ? `${text[0]!.toUpperCase()}${text.slice(1)}.` : 'Send a smaller picture.';
}

const roundSeconds = (seconds: number): number =>
  seconds < 10 ? Math.ceil(seconds * 10) / 10 : Math.ceil(seconds);
