import { isFree } from '../../../features/definitions/price.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { type Sample, sampleOf } from '../samples.ts';

/** A call that a documentation page can send. */
export interface RunnableCall {
  readonly tool: string;
  /** `upload:<id>` stands for the sample, `result:<id>` for the result of the call before. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Runnable calls below a block of commands. */
export interface RunnableBlock {
  readonly calls: readonly RunnableCall[];
  /** Sample used in place of the file of the commands. */
  readonly sample: Sample;
  /** Name of that file. Unset if the calls take none. */
  readonly fileName?: string;
  /** Some calls of the block are omitted: they are paid, change an account or need an id of the reader. */
  readonly isPart: boolean;
}

/** Tool calls beside the commands of a guide, one per line, for agents. */
const CALLS = /^<!-- mcp\n(.*)-->/s;
const CALL = /^(\w+) (\{.*\})$/;
/** Fields that belong to a particular reader. */
const PERSONAL = ['wallet', 'payer', 'job_id', 'save'];

/**
 * Parses the comment below a block of commands. A call is runnable if it is free, names no wallet and all its inputs are available.
 * @returns undefined for other comments, or if no call is runnable
 */
export function runnableBlock(
  comment: string,
  tools: ReadonlyMap<string, AnyTool>,
): RunnableBlock | undefined {
  const lines = CALLS.exec(comment)?.[1]?.trim().split('\n') ?? [];
  const all = lines.map((line) => {
    const [, tool = '', params = '{}'] = CALL.exec(line) ?? [];
    return { tool, params: JSON.parse(params) as Record<string, unknown> };
  });
  const upload = all.find(({ tool }) => tool === 'request_upload');
  const sent = all.filter((call) => call !== upload);
  const calls: RunnableCall[] = [];
  let hasResult = false;
  for (const call of sent) {
    const isRun: boolean = isRunnable(call, tools.get(call.tool)) && (hasResult || !namesResult(call));
    if (isRun) calls.push(call);
    hasResult = isRun;
  }
  if (calls.length === 0) return undefined;
  const fileName = upload?.params.file;
  return {
    calls,
    sample: sampleFor(fileName),
    ...(typeof fileName === 'string' && { fileName }),
    isPart: calls.length < sent.length,
  };
}

function isRunnable({ params }: RunnableCall, tool: AnyTool | undefined): boolean {
  if (!tool || tool.effects.destructive) return false;
  return (isFree(tool.price) || params.dry_run === true) && PERSONAL.every((field) => !(field in params));
}

const namesResult = ({ params }: RunnableCall): boolean => JSON.stringify(params).includes('result:<id>');

const sampleFor = (file: unknown): Sample =>
  sampleOf(
    file === 'logo.png' || file === 'card.svg' ? 'badge' : file === 'pear.webp' ? 'pear' : 'still_life',
  );
