import { z } from 'zod';
import { creditsText, nextSteps } from '../../catalogue/next_steps.ts';
import type { Services } from '../../services/contract.ts';
import { sandboxContracts } from '../../tools/contracts.ts';
import { priceOf } from '../../tools/price.ts';
import type { AnyContract } from '../../tools/tool.ts';
import { costFields } from '../free_answer.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';

/** GET /api/sandbox/<tool> for every tool that has a sample. */
export const sandboxOperations: readonly AnyOperation[] = sandboxContracts.map(sandboxOperation);

function sandboxOperation(contract: AnyContract): AnyOperation {
  const { name, title, sandbox } = contract;
  if (!sandbox) throw new Error(`${name} has no sandbox sample`);
  return defineOperation({
    name: `sandbox_${name}`,
    methods: ['GET'],
    path: `/api/sandbox/${name}`,
    tag: 'sandbox',
    summary: `${title}: a free sample of what ${name} answers. Needs no wallet; the data are made up.`,
    input: sandbox.query,
    answer: sandbox.answer.extend({ ...costFields, _note: z.string(), _sandbox: z.literal(true) }),
    cacheSeconds: 3600,
    run: async (query, { catalogue }: Pick<Services, 'catalogue'>) => ({
      ...sandbox.sample(query as Record<string, string>),
      cost: { credit: 0, usd: 0, note: priceNote(contract, query) },
      next_steps: nextSteps(catalogue, sandbox.next),
      _note: `Sample data, the same at every call. The real answer comes from POST /api/tools/${name}${besides(contract)}.`,
      _sandbox: true as const,
    }),
  });
}

/** The specification names the fields of a sample; a real answer has them and these. */
function besides({ output, sandbox }: AnyContract): string {
  const more = Object.keys(output.shape).filter((field) => !Object.hasOwn(sandbox!.answer.shape, field));
  return more.length > 0 ? ` and may also have ${more.join(', ')}` : '';
}

function priceNote({ name, price }: AnyContract, query: Record<string, unknown>): string {
  const credits = priceOf(price, query);
  return credits === 0
    ? `The sandbox is free, and so is ${name}.`
    : `The sandbox is free; ${name} with these settings costs ${creditsText(credits)}.`;
}
