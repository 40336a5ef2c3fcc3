import type { Client } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Outcome, PlayedCall } from './types.ts';

type Body = Record<string, unknown>;

/** Sends the calls of a transcript in order. @param world values of `{name}` */
export async function playTranscript(
  client: Client,
  calls: readonly PlayedCall[],
  world: Readonly<Record<string, unknown>>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const call of calls) {
    const known = { ...world, ...Object.fromEntries(outcomes.map(({ body }, at) => [at + 1, body])) };
    outcomes.push(await sendCall(client, call, filled(call.args, known) as Body));
  }
  return outcomes;
}

/** Maximum polls of a job, 20 s each. */
const WAITS_MAX = 15;

async function sendCall(client: Client, call: PlayedCall, args: Body): Promise<Outcome> {
  const answered = await answerOf(client, call.tool, args);
  const isWanted = call.tool === 'get_job' || args.async === true;
  const { body, text, images, isError } = isWanted ? answered : await endOf(client, answered);
  const why = differenceOf(call, { body, images, isError });
  return { isAsExpected: why === '', why, tokens: encode(text).length, text, body, images };
}

type Answered = Awaited<ReturnType<typeof answerOf>>;

/**
 * Waits for a call that became a job, as its response says; whether it does depends on the load of the
 * server.
 */
async function endOf(client: Client, answered: Answered): Promise<Answered> {
  const [step] = (answered.body.next_steps ?? []) as { tool?: string; params?: Body }[];
  if (answered.body.state !== 'queued' || step?.tool !== 'get_job') return answered;
  for (let wait = 0; wait < WAITS_MAX; wait++) {
    const job = await answerOf(client, step.tool, step.params ?? {});
    if (job.body.state === 'succeeded') return { ...job, body: job.body.result as Body };
    if (job.body.state === 'failed') return { ...job, body: job.body.problem as Body, isError: true };
  }
  return answered;
}

async function answerOf(client: Client, tool: string, args: Body) {
  try {
    const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
    const read = content.map((block) => {
      if (block.type === 'image') return '';
      return 'text' in block ? block.text : JSON.stringify(block);
    });
    const images = content.filter(({ type }) => type === 'image').length;
    return { body: structuredContent as Body, text: read.join('\n'), images, isError: isError === true };
  } catch (error) {
    const { message, data } = error as { message: string; data?: object };
    return {
      body: { code: 'protocol_error', detail: message, ...data },
      text: message,
      images: 0,
      isError: true,
    };
  }
}

/** Empty if the response is as expected. */
function differenceOf(
  { expect }: PlayedCall,
  { body, images, isError }: { body: Body; images: number; isError: boolean },
): string {
  if (isError) return `${body.code}: ${body.detail}`;
  const wrong = Object.entries(expect).find(([path, value]) => !fits(value, at({ ...body, images }, path)));
  return wrong ? `${wrong[0]} is ${JSON.stringify(at({ ...body, images }, wrong[0]))?.slice(0, 200)}` : '';
}

/** `results.0.museum` */
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => {
    if (name === 'length') return (inner as unknown[] | undefined)?.length;
    return (inner as Body | undefined)?.[name];
  }, value);

function fits(expected: unknown, actual: unknown): boolean {
  if (expected === '*') return actual !== undefined && actual !== null;
  if (typeof expected !== 'string') return JSON.stringify(expected) === JSON.stringify(actual);
  if (expected.startsWith('>=')) return Number(actual) >= Number(expected.slice(2));
  if (expected.length > 2 && expected.startsWith('/') && expected.endsWith('/'))
    return new RegExp(expected.slice(1, -1)).test(String(actual));
  return expected === actual;
}

/** Replaces `{name}` in the arguments, at any depth. */
function filled(value: unknown, known: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((part) => filled(part, known));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part, known)]));
  if (typeof value !== 'string') return value;
  const [, whole] = /^\{([\w.]+)\}$/.exec(value) ?? [];
  if (whole !== undefined) return at(known, whole);
  return value.replace(/\{([a-z0-9_.]+)\}/g, (text, path: string) => String(at(known, path) ?? text));
}
