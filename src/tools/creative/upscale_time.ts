import { AtelierError } from '../../errors.ts';
import type { SourceImage } from '../../services/images/index.ts';
import type { Models, UpscalerChoice } from '../../services/models/index.ts';
import type { Services } from '../../services/services.ts';
import type { CallContext, Deadlines } from '../tool.ts';

/** What remains of a deadline for the network itself, when a size or a network is proposed that should fit. */
const PROPOSED_SHARE = 0.7;
/** Opening the network and reading the picture. */
const START_SECONDS = 1;

type Network = Awaited<ReturnType<Models['upscalersAtHand']>>[number];

/** Of networks one of which will run, the slowest for this picture. */
function slowest({ speeds }: Models, choice: UpscalerChoice, picture: SourceImage) {
  const networks: readonly Network[] =
    choice.kind === 'installed' ? [choice.network] : [choice.networks.clean, choice.networks.spoiled];
  return networks
    .map((network) => ({ network, ...speeds.estimate(network, picture) }))
    .reduce((one, other) => (other.seconds > one.seconds ? other : one));
}

/** What a dry run says: seconds, and why the call would be refused. */
export async function timeOutlook(
  models: Models,
  choice: UpscalerChoice,
  picture: SourceImage,
  deadlines: Deadlines,
): Promise<{ estimated_seconds: number; refusal?: string }> {
  const { seconds } = slowest(models, choice, picture);
  const isLate = START_SECONDS + seconds > deadlines.deadlineMs / 1000;
  const refusal = isLate && (await tooLong(models, choice, picture, deadlines)).message;
  return { estimated_seconds: rounded(START_SECONDS + seconds), ...(refusal && { refusal }) };
}

/**
 * Refuses at once what could not end before the deadline, as fast as the network is on this machine. A guess refuses nothing:
 * the network is measured first, and so it is again where the last run was a while ago, when the machine may have been busy.
 * @throws AtelierError image_too_large naming the size, the network and the way that would do
 */
export async function refuseTooLong(
  { models, pixels }: Pick<Services, 'models' | 'pixels'>,
  choice: UpscalerChoice,
  picture: SourceImage,
  call: CallContext,
): Promise<void> {
  const isLate = () => START_SECONDS + slowest(models, choice, picture).seconds > call.deadlineMs / 1000;
  const { network, isFresh } = slowest(models, choice, picture);
  if (!isLate()) return;
  if (!isFresh) {
    call.onProgress(0.02, 'Measuring the network');
    const control = { pixels: 0, signal: call.signal, deadlineMs: call.deadlineMs };
    models.speeds.record(network, await pixels.run('measure_upscaler', { model: network }, control));
  }
  if (isLate()) throw await tooLong(models, choice, picture, call);
}

async function tooLong(
  models: Models,
  choice: UpscalerChoice,
  picture: SourceImage,
  { deadlineMs, jobDeadlineMs }: Deadlines,
): Promise<AtelierError> {
  const { network, seconds } = slowest(models, choice, picture);
  const budget = (PROPOSED_SHARE * deadlineMs) / 1000;
  const { speeds } = models;
  const largest = speeds.largestWithin(network, picture, budget);
  const faster = (await models.upscalersAtHand())
    .filter((other) => !('condition' in other) && other.name !== network.name)
    .map((other) => ({ name: other.name, seconds: speeds.estimate(other, picture).seconds }))
    .filter((other) => other.seconds <= budget)
    .sort((one, other) => one.seconds - other.seconds);
  const asJob = jobDeadlineMs !== undefined && seconds < (PROPOSED_SHARE * jobDeadlineMs) / 1000;
  const ways = [
    ...(largest ? [`send at most ${largest.width} × ${largest.height} pixels`] : []),
    ...(faster[0] ? [`take model ${faster[0].name} (about ${rounded(faster[0].seconds)} s)`] : []),
    ...(asJob
      ? [
          `send the same call with the header "Prefer: respond-async", which gives it ${jobDeadlineMs / 1000} s`,
        ]
      : []),
  ];
  return new AtelierError(
    'image_too_large',
    `${network.name} needs about ${rounded(seconds)} s on this server for ${picture.width} × ${picture.height} pixels, and the call may take ${deadlineMs / 1000} s. Nothing ran and nothing was charged. ${sentence(ways)}`,
    {
      members: {
        estimated_seconds: rounded(seconds),
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

const rounded = (seconds: number): number =>
  seconds < 10 ? Math.ceil(seconds * 10) / 10 : Math.ceil(seconds);
