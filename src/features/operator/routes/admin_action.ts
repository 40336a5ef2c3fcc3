import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation, type OperationCall } from '../../definitions/operation.ts';
import type { Limit } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { Attribution, OperatorScope } from '../types.ts';

/** Rate limit of all operator requests from one address. */
export const OPERATOR_LIMIT: Limit = { name: 'operator', calls: 600, perSeconds: 60, by: 'address' };

export const reasonField = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .describe('Reason, written to the audit log. The log cannot be changed.');

/** The actor and reason of an action. */
export const attributionOf = ({ operator }: Pick<OperationCall, 'operator'>, why: string): Attribution => ({
  who: operator!.who,
  why,
});

/** An admin action without a result. */
interface SimpleAct<Input extends z.ZodObject> {
  /** Name of the command in `atelier admin`. */
  readonly name: string;
  readonly scope: OperatorScope;
  readonly summary: string;
  readonly isFinal?: true;
  readonly input: Input;
  /** False where the target does not exist. */
  do(operator: Services['operator'], by: Attribution, input: z.output<Input>): Promise<boolean>;
  /** Messages for success and failure. */
  done(input: z.output<Input>): string;
  readonly absent: string;
}

/** The operation of such an action; the CLI offers it as `atelier admin <name>`. */
export const defineAdminAction = <Input extends z.ZodObject<{ reason: typeof reasonField }>>(
  act: SimpleAct<Input>,
) =>
  defineOperation({
    name: `operator_${act.name}`,
    methods: ['POST'],
    path: `/api/operator/${act.name}`,
    tag: 'operator',
    summary: act.summary,
    ...(act.isFinal && { isFinal: true as const }),
    input: act.input,
    answer: z.object({ done: z.literal(true), note: z.string().describe('Result of the action.') }),
    operator: act.scope,
    limit: OPERATOR_LIMIT,
    async run(input, { operator }: Pick<Services, 'operator'>, call) {
      if (!(await act.do(operator, attributionOf(call, input.reason), input)))
        throw new AtelierError('not_found', act.absent);
      return { done: true as const, note: act.done(input) };
    },
  });
