import { AtelierError } from '../errors/atelier_error.ts';
import { MILLICREDITS_PER_CREDIT } from '../limits.ts';
import { jobAnswer, jobPath } from '../operations/jobs/job_answer.ts';
import type { SourceImage } from '../services/images/contract.ts';
import type { NewJob } from '../services/jobs/contract.ts';
import { JOB_HOLD_LIFETIME_MS } from '../services/jobs/limits.ts';
import { imageFieldsOf } from '../tools/fields.ts';
import { handleIn } from '../tools/handle_in.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { KeepAnswer } from './answer_once.ts';
import { withinBudget } from './billing/budget.ts';
import { repeatOf } from './billing/charge_once.ts';
import { holdCredits } from './billing/credits.ts';
import { broughtSourceOf, freeCall, releaseOnFailure, requireCredits } from './billing/payment.ts';
import type { Answer } from './caller.ts';
import type { CallKit } from './kit.ts';
import { JOB_RETRY_SECONDS } from './limits.ts';
import { loadPictures } from './load_pictures.ts';
import { countingKeyOf } from './rate_limit.ts';
import type { ComposedAnswer } from './sign_answer.ts';
import { priceCall } from './steps/price_call.ts';
import type { ToolCall } from './tool_call.ts';

/**
 * The first half of a call whose caller does not wait: pictures are loaded, the price is held, everything is written down.
 * `runJob` is the second half. @throws AtelierError as a call that waits would, before anything runs; busy, too_many_jobs
 */
export async function acceptJob(kit: CallKit, call: ToolCall, keep: KeepAnswer): Promise<ComposedAnswer> {
  const { tool, raw, input, warnings, principal, caller } = call;
  const { jobs, images } = kit.services;
  const { wallet } = principal;
  const { price } = await priceCall(kit, call);
  if (price > 0 && broughtSourceOf(kit, caller)) throw onlyCredits();
  requireCredits(kit, call, price);
  const counted = await countingKeyOf(kit, caller.address, principal);
  await jobs.requireRoom({ countedAs: counted, address: caller.address });
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(kit.deadlineMs)]);
  const { expected } = call.controls;
  const loaded = await loadPictures(images, tool, input, { wallet, signal, expected });
  const id = jobs.newId();
  const terms = { id, lifetimeMs: JOB_HOLD_LIFETIME_MS };
  const isRepeat = (await repeatOf(kit, tool, { loaded, wallet })) !== undefined;
  const payment =
    price > 0 && wallet !== undefined && !isRepeat
      ? await holdCredits(withinBudget(kit, call), tool, { price, wallet }, terms)
      : freeCall(kit);
  return releaseOnFailure(payment, async () => {
    const job: NewJob = {
      id,
      tool: tool.name,
      caller: {
        countedAs: counted,
        ...principal,
        address: caller.address,
        requestId: caller.requestId,
        trace: kit.telemetry.traceContext(),
      },
      ...withoutPictures(tool, raw, loaded),
      warnings,
      ...(payment.receipt && { held: price * MILLICREDITS_PER_CREDIT }),
    };
    const body = jobAnswer(kit.services, await jobs.preview(job));
    await jobs.accept(job, await keep({ body }));
    return { body };
  });
}

/** 202, and where to look. */
export function asAccepted(answer: Answer): Answer {
  return {
    ...answer,
    status: 202,
    headers: {
      ...answer.headers,
      Location: jobPath(String(answer.body.job_id)),
      'Preference-Applied': 'respond-async',
      'Retry-After': String(JOB_RETRY_SECONDS),
      'Cache-Control': 'no-store',
    },
  };
}

/** What stands in an image field while its picture lies elsewhere. */
const ELSEWHERE = 'kept';

/** The input as it was sent, in known fields only, and the pictures apart from it: of those only handles are kept in it. */
function withoutPictures(
  { input: { shape } }: AnyTool,
  raw: unknown,
  loaded: Record<string, unknown>,
): Pick<NewJob, 'input' | 'pictures'> {
  const sent = raw as Record<string, unknown>;
  const fields = imageFieldsOf(shape).filter((name) => loaded[name] !== undefined);
  const known = Object.keys(shape).filter((name) => Object.hasOwn(sent, name));
  return {
    input: Object.fromEntries(
      known.map((name) => [name, fields.includes(name) ? (handleIn(sent[name]) ?? ELSEWHERE) : sent[name]]),
    ),
    pictures: Object.fromEntries(fields.map((name) => [name, loaded[name] as SourceImage])),
  };
}

const onlyCredits = (): AtelierError =>
  new AtelierError(
    'payment_required',
    'A job is paid with credits only, and nothing was taken: send Authorization: Bearer and no payment for a single call (X-Payment-Intent, x402, Authorization: Payment), or leave Prefer: respond-async out.',
  );
