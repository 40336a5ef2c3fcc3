import { z } from 'zod';
import { creditsText, nextSteps } from '../../../catalog/next_steps.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { sandboxContracts } from '../../definitions/contracts.ts';
import { imageFieldsOf } from '../../definitions/fields.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { type AnyOperation, defineOperation, type OperationCall } from '../../definitions/operation.ts';
import { priceOf } from '../../definitions/price.ts';
import { rehearsedField } from '../../definitions/rehearsal.ts';
import type { AnyTool, CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';

/** Maximum cache age of a sample. */
const SAMPLES_AGE_SECONDS_MAX = 3600;
const SAMPLES_AGE_MS_MAX = SAMPLES_AGE_SECONDS_MAX * 1000;
/** Samples and simulated failures per address, failed requests included. */
const SAMPLES_PER_HOUR = 600;
/** Timeout of a sample: a 4× upscaling network on the smallest image, on a busy machine. */
const SAMPLE_MS_MAX = 60_000;
/** Cache lifetime of a failed sample. */
const FAILURE_AGE_MS = 60_000;

interface Sample {
  readonly answer: Record<string, unknown>;
  /** Warnings for the caller: those of the tool, and reasons for lower quality. */
  readonly warnings: readonly string[];
}

interface Kept {
  readonly at: number;
  readonly sample: Promise<Sample>;
}

/** Samples of one service, by tool and query. Queries are enums, so there are a few dozen at most. */
const KEPT = new WeakMap<Services, Map<string, Kept>>();

/**
 * Returns the response of the tool to its sample. Concurrent requests share one run, and its result is cached for its maximum age.
 * A failure is cached for a minute, because other services may be asked and paid for each sample; a full queue is not cached.
 * @throws AtelierError busy, timed_out, model_unavailable as the tool does
 */
function runSample(
  tool: AnyTool,
  query: Record<string, string>,
  services: Services,
  call: OperationCall,
): Promise<Sample> {
  const samples = KEPT.get(services) ?? new Map<string, Kept>();
  KEPT.set(services, samples);
  const key = JSON.stringify([tool.name, query]);
  const known = samples.get(key);
  if (known && performance.now() - known.at < SAMPLES_AGE_MS_MAX) return known.sample;
  const sample = makeSample(tool, query, services, call);
  samples.set(key, { at: performance.now(), sample });
  sample.catch((error: unknown) => {
    const isFull = error instanceof AtelierError && error.code === 'busy';
    setTimeout(() => samples.delete(key), isFull ? 0 : FAILURE_AGE_MS).unref();
  });
  return sample;
}

/** Runs under the principal of the first request, and continues if that client disconnects: others may be waiting. */
async function makeSample(
  tool: AnyTool,
  query: Record<string, string>,
  services: Services,
  { requestId, address, callerKey }: OperationCall,
): Promise<Sample> {
  const sandbox = tool.sandbox!;
  const warnings: string[] = [];
  const deadline = AbortSignal.timeout(SAMPLE_MS_MAX);
  const context: CallContext = {
    requestId,
    address,
    callerKey,
    deadlineMs: SAMPLE_MS_MAX,
    signal: deadline,
    deadline,
    onProgress: () => {},
    warn: (message) => warnings.push(message),
    waive: () => {},
    charge: () => {},
  };
  const among = (await sandbox.among?.(services, context)) ?? services;
  const input = tool.input.parse(sandbox.input(query)) as Record<string, unknown>;
  for (const field of imageFieldsOf(tool.input.shape))
    if (input[field] !== undefined)
      input[field] = await services.images.open(input[field] as string, field, context);
  const answer = tool.output.strict().parse(await tool.run(input, among, context)) as Record<string, unknown>;
  if (typeof answer.degraded_reason === 'string') warnings.push(answer.degraded_reason);
  const shown = { ...answer, ...sandbox.shown?.(answer) };
  return { answer: sandbox.answer.parse(shown) as Record<string, unknown>, warnings };
}

/** GET /api/sandbox/<tool> for every tool that has a sample. */
export const sandboxOperations: readonly AnyOperation[] = sandboxContracts.map(sandboxOperation);

function sandboxOperation(tool: AnyTool): AnyOperation {
  const { name, title, sandbox } = tool;
  if (!sandbox) throw new Error(`${name} has no sandbox sample`);
  return defineOperation({
    name: `sandbox_${name}`,
    methods: ['GET'],
    path: `/api/sandbox/${name}`,
    tag: 'sandbox',
    summary: `${title}: a free sample of ${name}, made by the tool itself from ${sandbox.of}.`,
    input: sandbox.query.extend({ force_error: rehearsedField }),
    rehearses: tool,
    answer: sandbox.answer.extend({ ...costFields, _note: z.string(), _sandbox: z.literal(true) }),
    cacheSeconds: SAMPLES_AGE_SECONDS_MAX,
    limit: { name: 'sandbox', calls: SAMPLES_PER_HOUR, perSeconds: 3600, by: 'address', failuresCount: true },
    async run({ force_error: _, ...query }, services: Services, call) {
      const { answer, warnings } = await runSample(tool, query as Record<string, string>, services, call);
      return {
        ...answer,
        cost: { credit: 0, usd: 0, note: priceNote(tool, query) },
        next_steps: nextSteps(services.catalogue, sandbox.next),
        _note: `A sample, made by ${name} itself from ${sandbox.of}. For your own results, call POST /api/tools/${name}${besides(tool)}.${warnings.map((warning) => ` ${warning}`).join('')}`,
        _sandbox: true as const,
      };
    },
  });
}

/** The specification defines the fields of a sample; a real response has these in addition. */
function besides({ output, sandbox }: AnyTool): string {
  const more = Object.keys(output.shape).filter((field) => !Object.hasOwn(sandbox!.answer.shape, field));
  return more.length > 0 ? ` and may also have ${more.join(', ')}` : '';
}

function priceNote({ name, price }: AnyTool, query: Record<string, unknown>): string {
  const credits = priceOf(price, query);
  return credits === 0
    ? `The sandbox is free, and so is ${name}.`
    : `The sandbox is free; ${name} with these settings costs ${creditsText(credits)}.`;
}
