import { AtelierError } from '../errors/atelier_error.ts';
import type { Services } from '../services/contract.ts';
import type { Proof } from '../services/ownership/contract.ts';
import type { AnyTool, CallContext, Charge } from '../tools/tool.ts';
import type { Caller } from './caller.ts';
import { callerKey } from './identify.ts';
import { pacedProgress } from './paced_progress.ts';
import { strictSchema } from './strict_schema.ts';

interface Run {
  readonly caller: Caller;
  readonly wallet: string | undefined;
  readonly proof: Proof | undefined;
  /** Names the credits held for this call. */
  readonly hold: string | undefined;
  /** Aborts at the deadline or when the caller has gone. */
  readonly signal: AbortSignal;
  /** Aborts at the deadline. */
  readonly deadline: AbortSignal;
  readonly deadlineMs: number;
  /** Absent in a job. */
  readonly jobDeadlineMs?: number;
  readonly remarks: Remarks;
  /** Runs the calls this one is made of; each ends by the deadline itself. */
  readonly runSteps?: CallContext['runSteps'];
}

/** What a tool says beside its output while it runs. */
export interface Remarks {
  readonly warnings: string[];
  /** What the call was found to cost, where that may be less than its price. */
  found?: Charge;
  /** What its steps cost together, where it is made of others: that is taken, and no more. */
  sum?: Charge;
}

/**
 * Runs a tool until its deadline and checks what it returns against its own contract. Work that only computes is dropped
 * when its caller has gone. Work that changes something is awaited: else whoever hangs up in time has it for nothing.
 */
export async function runTool(
  services: Services,
  tool: AnyTool,
  input: Record<string, unknown>,
  run: Run,
): Promise<Record<string, unknown>> {
  const { caller, wallet, proof, hold, signal, deadlineMs, jobDeadlineMs, remarks, runSteps } = run;
  const output = await untilAborted(
    endOf(tool, run),
    tool.run(input, services, {
      requestId: caller.requestId,
      ...(wallet && { wallet }),
      ...(proof && { proof }),
      ...(hold !== undefined && { hold }),
      callerKey: callerKey(caller.address, wallet),
      address: caller.address,
      signal,
      deadlineMs,
      ...(jobDeadlineMs !== undefined && { jobDeadlineMs }),
      ...(runSteps && { runSteps }),
      onProgress: pacedProgress((fraction, message) => caller.onProgress?.(fraction, message)),
      warn: (message) => remarks.warnings.push(message),
      waive: (why) => {
        remarks.found = { credits: 0, why };
      },
      charge: (found) => {
        remarks.found = found;
      },
    }),
    caller.signal,
  );
  const checked = strictSchema(tool.output).safeParse(output);
  if (checked.success) return checked.data;
  throw new Error(`${tool.name} broke its own contract: ${checked.error.message}`);
}

/** What ends the run before it is done. What has steps ends with them: those that were done by then are delivered. */
function endOf({ effects, steps }: AnyTool, { signal, deadline }: Run): AbortSignal {
  if (steps) return new AbortController().signal;
  return effects.readOnly ? signal : deadline;
}

/** Rejects when the signal fires even if the tool does not listen to it. */
export async function untilAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  callerSignal: AbortSignal,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(abortError(callerSignal));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } catch (error) {
    if (signal.aborted && !(error instanceof AtelierError)) throw abortError(callerSignal);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export function abortError(callerSignal: AbortSignal): AtelierError {
  return callerSignal.aborted
    ? new AtelierError(
        'timed_out',
        'The caller closed the connection before the tool had finished. Nothing was charged.',
      )
    : stoppedInTime();
}

/** What a caller is told whose tool was still running at the deadline. */
export const stoppedInTime = (): AtelierError =>
  new AtelierError('timed_out', 'The tool did not finish in time and was stopped. Nothing was charged.');
