import { isFree } from '../../../features/definitions/price.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { type Sample, sampleOf } from '../samples.ts';

/** A call that a page of the documentation can send by itself. */
export interface RunnableCall {
  readonly tool: string;
  /** `upload:<id>` stands for the sample, `result:<id>` for the result of the call before. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a reader can try below a block of commands. */
export interface RunnableBlock {
  readonly calls: readonly RunnableCall[];
  /** Stands for the file of the commands. */
  readonly sample: Sample;
  /** Name of that file; absent where the calls take none. */
  readonly fileName?: string;
  /** Some calls of the block are left out: they are paid for, change an account or need an id of the reader. */
  readonly isPart: boolean;
}

/** Tool calls beside the commands of a guide, one a line, as agents read them. */
const CALLS = /^<!-- mcp\n(.*)-->/s;
const CALL = /^(\w+) (\{.*\})$/;
/** Fields that name what belongs to one reader. */
const PERSONAL = ['wallet', 'payer', 'job_id', 'save'];

/**
 * Reads the comment below a block of commands. A call is run from a page where it is free, names no wallet, and everything it takes is there.
 * @returns undefined where the text is no such comment, or nothing of it can be run
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
