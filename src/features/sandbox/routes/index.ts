import { z } from 'zod';
import { creditsText, nextSteps } from '../../../catalog/next_steps.ts';
import { sandboxContracts } from '../../definitions/contracts.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import { priceOf } from '../../definitions/price.ts';
import { rehearsedField } from '../../definitions/rehearsal.ts';
import type { AnyTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { SAMPLES_AGE_SECONDS_MAX, SAMPLES_PER_HOUR } from './limits.ts';
import { runSample } from './run_sample.ts';

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
    summary: `${title}: a free sample of what ${name} answers, made by the tool itself from ${sandbox.of}. Needs no wallet.`,
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
        _note: `A sample, made here by ${name} itself from ${sandbox.of}. Your own come from POST /api/tools/${name}${besides(tool)}.${warnings.map((warning) => ` ${warning}`).join('')}`,
        _sandbox: true as const,
      };
    },
  });
}

/** The specification names the fields of a sample; a real answer has them and these. */
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
