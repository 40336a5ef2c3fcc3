import type { Durations, Estimate } from '../durations.ts';
import type { StepPrice } from './contract.ts';

/** A line of the quote for each step. */
export function describeSteps(steps: readonly StepPrice[]) {
  const isLoop = steps.some(({ course }) => course > 0);
  return steps.map(({ course, step, credits, note }) => ({
    ...(isLoop && { item: course }),
    save_as: step.save_as,
    tool: step.tool,
    credit: credits,
    ...(note !== undefined && { note }),
  }));
}

/** Steps run one after the other, so their times add up; unknown where that of one is. */
export function estimateSteps(durations: Durations, steps: readonly StepPrice[]): Estimate {
  const each = steps.map(({ step: { tool }, credits }) => durations.estimate({ tool, credit: credits }));
  const unknown = each.findIndex(({ typical_ms: typical }) => typical === null);
  const runs = Math.min(...each.map((estimate) => estimate.runs));
  if (unknown >= 0) {
    const { tool } = steps[unknown]!.step;
    const basis = `No estimate: ${tool} has not run at this price since the server started.`;
    return { typical_ms: null, slow_ms: null, runs: 0, basis };
  }
  const sum = (field: 'typical_ms' | 'slow_ms') =>
    each.reduce((ms, estimate) => ms + (estimate[field] ?? 0), 0);
  const basis = 'The sum of its steps, each measured on this server with pictures of any size.';
  return { typical_ms: sum('typical_ms'), slow_ms: sum('slow_ms'), runs, basis };
}
