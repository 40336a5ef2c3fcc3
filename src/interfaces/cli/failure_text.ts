import type { Body } from '@atelier/client/transport.ts';
import { flagOf, type ToolDescription, takesFile } from './input_schema.ts';
import { replaceControls } from './terminal.ts';

/** Headers of the HTTP interface and their switches here. */
const PAYING =
  'Name the paying wallet with --wallet 0x… (or ATELIER_WALLET). Create one with atelier call register_wallet.';

interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A problem object as text: what is wrong, what to do, and a command that works, if known. */
export function failureText(
  problem: Body,
  sent: { tool: string; description?: ToolDescription; input?: Body },
): string {
  const errors = Array.isArray(problem.errors) ? (problem.errors as FieldProblem[]) : [];
  const lines = [
    `${sent.tool} failed: ${problem.detail ?? problem.title ?? `status ${problem.status}`}`,
    ...(errors.length > 1
      ? errors.map(({ field, message }) => `  ${flagOf(String(field))}: ${message}`)
      : []),
    ...(problem.status === 402 ? [PAYING] : []),
    ...(typeof problem.fix === 'string' ? [`What to do: ${problem.fix}`] : []),
    ...suggestions(problem, sent),
    ...(typeof problem.request_id === 'string' ? [`Request ${problem.request_id}`] : []),
  ];
  return `${replaceControls(lines.join('\n'))}\n`;
}

function suggestions(
  problem: Body,
  { tool, description, input = {} }: Parameters<typeof failureText>[1],
): string[] {
  const corrected = typeof problem.try === 'object' && problem.try !== null ? (problem.try as Body) : {};
  const changed = Object.entries(corrected).filter(
    ([field, value]) =>
      !takesFile(description?.fields[field] ?? {}) && JSON.stringify(value) !== JSON.stringify(input[field]),
  );
  const near = Array.isArray(problem.did_you_mean) ? problem.did_you_mean : [];
  const steps = Array.isArray(problem.next_steps) ? (problem.next_steps as Body[]) : [];
  return [
    ...(changed.length > 0 ? [`Try: atelier call ${tool} … ${changed.map(asFlag).join(' ')}`] : []),
    ...(near.length > 0 ? [`Similar names: ${near.join(', ')}`] : []),
    ...steps.map((step) => `Next: ${step.action} (${asCommand(step)}): ${step.why}`),
  ];
}

function asFlag([field, value]: [string, unknown]): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${flagOf(field)} ${/^[\w./:#-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`;
}

/** Converts the endpoint of a tool to the command that calls it. */
function asCommand({ endpoint, params }: Body): string {
  const tool = endpoint === 'POST /api/wallet/register' ? 'register_wallet' : toolAt(String(endpoint));
  if (tool === undefined) return String(endpoint);
  return ['atelier call', tool, ...Object.entries(params ?? {}).map(asFlag)].join(' ');
}

const toolAt = (endpoint: string): string | undefined => /^POST \/api\/tools\/(\w+)$/.exec(endpoint)?.[1];
