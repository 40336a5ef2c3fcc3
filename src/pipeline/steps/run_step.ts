import { AtelierError } from '../../errors/atelier_error.ts';
import type { Course, Step } from '../../tools/tool.ts';
import { chargeOf } from '../billing/charge_of.ts';
import { chargeOnce } from '../billing/charge_once.ts';
import type { CallKit } from '../kit.ts';
import { deadlinesOf } from '../kit.ts';
import { loadPictures } from '../load_pictures.ts';
import { asAtelierError } from '../problem.ts';
import { limitTool } from '../rate_limit.ts';
import { recordDuration } from '../record_duration.ts';
import { type Remarks, runTool } from '../run_tool.ts';
import { isWaived } from '../settle.ts';
import { whenThereIsRoom } from '../when_there_is_room.ts';
import type { Progress, StepsRun } from './contract.ts';
import { enterStep, type StepCall } from './enter_step.ts';
import type { Outputs } from './fill_step.ts';
import { inOwnVisit } from './in_own_visit.ts';
import { findAnswer, type KeptPlace, keepAnswer, placeOf } from './kept_steps.ts';

interface Turn {
  readonly course: Course;
  readonly step: Step;
  readonly outputs: Outputs;
  readonly progress: Progress;
}

interface Done {
  readonly output: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly credits: number;
  readonly kept: boolean;
}

/** One step as a call of its tool by itself: admitted, counted, run and kept; only its price is taken with that of the others. */
export async function runStep(kit: CallKit, run: StepsRun, { progress, ...turn }: Turn): Promise<Done> {
  const { caller, principal, signal, hold } = run;
  const { wallet } = principal;
  const call = await enterStep(kit, { caller, principal, ...turn });
  return inOwnVisit(kit, { address: caller.address, wallet }, async () => {
    const { expected } = call.controls;
    const options = { wallet, signal, expected };
    const loaded = await loadPictures(kit.services.images, call.tool, call.input, options);
    const place = await placeOf(kit, call.tool, loaded, { wallet, hold });
    const found = await findAnswer(kit, place);
    if (found) {
      const isToPay = found.isUnpaid && !progress.paidKeys.has(place!.key);
      return count(progress, place, { ...found, credits: isToPay ? found.credits : 0, kept: !isToPay });
    }
    const work = () =>
      limitTool(kit, call, async () => ({
        headers: {},
        body: await runPaid(kit, run, { call, loaded, place, progress }),
      }));
    const { body } = await (run.isJob ? whenThereIsRoom({ signal, ...onProgressOf(run) }, work) : work());
    return count(progress, place, body);
  });
}

const onProgressOf = ({ caller: { onProgress } }: StepsRun) => (onProgress ? { onProgress } : {});

function count(
  progress: Progress,
  place: KeptPlace | undefined,
  { output, warnings, credits, kept }: Done,
): Done {
  progress.spent += credits;
  if (place) progress.paidKeys.add(place.key);
  return { output, warnings, credits, kept };
}

interface Ready {
  readonly call: StepCall;
  readonly loaded: Record<string, unknown>;
  readonly place: KeptPlace | undefined;
  readonly progress: Progress;
}

type Ran = Done & Record<string, unknown>;

async function runPaid(kit: CallKit, run: StepsRun, { call, loaded, place, progress }: Ready): Promise<Ran> {
  const { tool, input } = call;
  const { hold, signal, deadline, endsAt, principal } = run;
  return chargeOnce(kit, call, { loaded, signal }, async (repeats) => {
    const price = repeats === undefined ? (await chargeOf(kit, tool, input)).price : 0;
    if (progress.spent + price > run.held) throw tooLittleHeld();
    const remarks: Remarks = { warnings: [...call.warnings] };
    const left = Math.max(1, endsAt - Date.now());
    const { jobDeadlineMs } = deadlinesOf(kit);
    progress.isUnsure = false;
    const output = await recordDuration(kit, tool, { input, loaded, deadline }, () =>
      runTool(kit.services, tool, loaded, {
        ...{ caller: call.caller, wallet: principal.wallet, proof: principal.proof, hold, signal, remarks },
        // Who cancels a job pays nothing, and what was changed is undone with the hold: no run has to be awaited.
        deadline: run.isJob ? signal : deadline,
        deadlineMs: left,
        ...(!run.isJob && { jobDeadlineMs }),
      }),
    ).catch((error: unknown) => {
      progress.isUnsure = !tool.effects.readOnly && asAtelierError(error).status >= 500;
      throw error;
    });
    const credits = isWaived(remarks, price) ? 0 : price;
    const { warnings } = remarks;
    await keepAnswer(kit, tool, place, { output, warnings, credits });
    return { output, warnings, credits, kept: false };
  });
}

/** What was to cost nothing when the whole was priced has ended since. */
const tooLittleHeld = (): AtelierError =>
  new AtelierError(
    'insufficient_credits',
    'What this step would have repeated for nothing has ended meanwhile, and nothing was held for it. Send the call again.',
  );
