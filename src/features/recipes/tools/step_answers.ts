import { z } from 'zod';
import { costOf } from '../../definitions/price.ts';
import type { StepOutcome } from '../../definitions/tool.ts';
import { ANSWER_CHARACTERS_MAX, FOR_EACH_MAX, STEP_CHARACTERS_MIN, STEP_RUNS_MAX } from './limits.ts';

const count = z.int().min(0).max(STEP_RUNS_MAX);

/** What a call of several steps answers. */
export const stepAnswers = {
  state: z
    .enum(['done', 'partial'])
    .describe('partial: a step failed; what was done is charged, the rest is not.'),
  delivered: count.describe('Steps that are done.'),
  failed: count,
  skipped: count.describe('Steps after one that failed.'),
  steps: z.array(
    z.object({
      item: z
        .int()
        .min(0)
        .max(FOR_EACH_MAX - 1)
        .optional()
        .describe('Place in for_each, from 0.'),
      save_as: z.string(),
      tool: z.string(),
      state: z.enum(['done', 'failed', 'skipped']),
      kept: z
        .boolean()
        .describe('Answered from an earlier run of the same step on the same picture, for nothing.'),
      cost: z.object({ credit: z.int().min(0).max(1_000_000), usd: z.number().min(0).max(1_000_000) }),
      answer: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("The tool's own answer; files as handle and link."),
      left_out: z
        .array(z.string())
        .optional()
        .describe('Fields of the answer for which there was no room here; later steps see them.'),
      warnings: z.array(z.string()).optional(),
      error: z
        .object({
          code: z.string(),
          detail: z.string(),
          retry_after_s: z.number().min(0).max(86_400).optional(),
        })
        .optional(),
    }),
  ),
};

/** Outcomes in words and numbers, with whatever is long left out of them. */
export function answerOf(outcomes: readonly StepOutcome[]) {
  const inState = (state: StepOutcome['state']) =>
    outcomes.filter((outcome) => outcome.state === state).length;
  const isLoop = outcomes.some(({ course }) => course > 0);
  const delivered = inState('done');
  const room = Math.max(STEP_CHARACTERS_MIN, Math.floor(ANSWER_CHARACTERS_MAX / outcomes.length));
  return {
    state: delivered === outcomes.length ? ('done' as const) : ('partial' as const),
    delivered,
    failed: inState('failed'),
    skipped: inState('skipped'),
    steps: outcomes.map(({ course, step, state, kept, credits, output, warnings, error }) => {
      const { credit, usd } = costOf(credits);
      return {
        ...(isLoop && { item: course }),
        save_as: step.save_as,
        tool: step.tool,
        state,
        kept,
        cost: { credit, usd },
        ...(output && shorten(output, room)),
        ...(warnings && warnings.length > 0 && { warnings: [...warnings] }),
        ...(error && { error }),
      };
    }),
  };
}

/** What matters most of an answer: where its file is. */
const FIRST = ['result', 'result_url'];

/**
 * As many fields of an answer as fit, short ones first, in the order they have. An agent pays for every word it reads, and
 * twelve whole answers are more than it can keep in mind.
 * @param characters of JSON
 */
function shorten(output: Readonly<Record<string, unknown>>, characters: number) {
  const sizes = Object.entries(output).map(([name, value]) => ({
    name,
    size: JSON.stringify(value)?.length ?? 0,
    rank: FIRST.indexOf(name) >= 0 ? FIRST.indexOf(name) : FIRST.length,
  }));
  const shown = new Set<string>();
  let left = characters;
  for (const { name, size } of sizes.sort((a, b) => a.rank - b.rank || a.size - b.size)) {
    if (size > left && name !== FIRST[0]) break;
    shown.add(name);
    left -= size;
  }
  const names = Object.keys(output);
  const long = names.filter((name) => !shown.has(name));
  return {
    answer: Object.fromEntries(names.filter((name) => shown.has(name)).map((name) => [name, output[name]])),
    ...(long.length > 0 && { left_out: long }),
  };
}
