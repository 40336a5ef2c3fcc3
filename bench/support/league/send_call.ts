import type { Client } from '@modelcontextprotocol/client';
import type { Answer, FirstCall, Job } from './job.ts';

/** One call and what came back of it. */
export interface Trip {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** The object answered: the tool's fields, or the problem. */
  readonly answer: Answer;
  /** It is what was wished, and no field that was sent was left out of account; or the honest refusal that the job allows. */
  readonly isDone: boolean;
  readonly milliseconds: number;
  /** Of what a model writes for it and reads of it, at four bytes a token. */
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Calls a tool as an MCP client does. Whatever is answered is told, failures of the protocol as well. */
export async function sendCall(client: Client, [tool, args]: FirstCall, job: Job): Promise<Trip> {
  const started = performance.now();
  const { answer, isError, texts } = await answerOf(client, tool, args);
  return {
    tool,
    args,
    answer,
    isDone: isError ? job.isHonestRefusal?.(answer) === true : isDone(job, answer) && !hasIgnored(answer),
    milliseconds: Math.round(performance.now() - started),
    tokensIn: tokensOf(JSON.stringify({ name: tool, arguments: args })),
    tokensOut: tokensOf(texts),
  };
}

async function answerOf(client: Client, tool: string, args: Record<string, unknown>) {
  try {
    const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
    const texts = content.map((block) => ('text' in block ? block.text : '')).join('\n');
    return { answer: structuredContent as Answer, isError: isError === true, texts };
  } catch (error) {
    const { message, data } = error as { message: string; data?: object };
    return { answer: { detail: message, ...data }, isError: true, texts: JSON.stringify({ message, data }) };
  }
}

/** An answer of another tool lacks what the check looks at, and is not what was wished. */
function isDone(job: Job, answer: Answer): boolean {
  try {
    return job.isDone(answer);
  } catch {
    return false;
  }
}

/** A field nobody read may have been the one that mattered, though the answer happens to fit. */
const hasIgnored = ({ warnings = [] }: Answer): boolean =>
  warnings.some((warning: string) => warning.startsWith('Unknown field'));

const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
