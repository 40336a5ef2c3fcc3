import type { Client } from '@modelcontextprotocol/client';
import type { Answer, FirstCall, Job } from './job.ts';

/** One call and its response. */
export interface Trip {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** The response body: the tool's fields, or the problem. */
  readonly answer: Answer;
  /**
   * The response fulfils the request and no sent field was ignored, or it is the error that the job accepts.
   */
  readonly isDone: boolean;
  readonly milliseconds: number;
  /** Tokens that a model writes and reads for it, at four bytes per token. */
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Calls a tool like an MCP client. Returns any outcome, including protocol errors. */
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

/** The response of another tool lacks the checked fields and does not fulfil the request. */
function isDone(job: Job, answer: Answer): boolean {
  try {
    return job.isDone(answer);
  } catch {
    return false;
  }
}

/** An ignored field may have mattered, even if the response happens to match. */
const hasIgnored = ({ warnings = [] }: Answer): boolean =>
  warnings.some((warning: string) => warning.startsWith('Unknown field'));

const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
