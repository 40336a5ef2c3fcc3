import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { median } from '../load.ts';
import { playTranscript } from './play_transcript.ts';
import type { Outcome, Transcript } from './types.ts';
import { openWorld } from './world.ts';

const FOLDER = join(import.meta.dirname, '../../agents/transcripts');
/** Maximum of one response, in tokens of o200k. */
export const TOKENS_MAX = 3_000;

/** The recorded jobs, in order. */
export const readTranscripts = (): Transcript[] =>
  globSync('*.json', { cwd: FOLDER })
    .sort()
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Transcript);

interface Replay {
  readonly transcript: Transcript;
  readonly outcomes: readonly Outcome[];
}

/** Replays the recorded jobs, without a wallet in the connection. @param only numbers of jobs; empty: all */
export async function replayTranscripts(url: string, only: readonly number[] = []): Promise<Replay[]> {
  const world = await openWorld(url);
  const client = new Client({ name: 'replay', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  await client.listTools();
  const replays: Replay[] = [];
  for (const transcript of readTranscripts().filter(({ job }) => only.length === 0 || only.includes(job)))
    replays.push({ transcript, outcomes: await playTranscript(client, transcript.calls, world) });
  await client.close();
  return replays;
}

/** Response of a tool without its network; a recipe repeats the sentence of its step. */
const NOT_INSTALLED = /is not installed|No segmentation network is installed/;

const lacksNetwork = ({ transcript, outcomes }: Replay): boolean =>
  transcript.needs !== undefined &&
  outcomes.some(({ body, text }) => body.code === 'model_unavailable' || NOT_INSTALLED.test(text));

/** Jobs that succeeded when they were recorded, and no longer do. */
export const regressionsIn = (replays: readonly Replay[]): string[] =>
  replays
    .filter((replay) => replay.transcript.done && !lacksNetwork(replay))
    .filter(({ outcomes }) => !outcomes.at(-1)!.isAsExpected)
    .map(({ transcript, outcomes }) => `${transcript.job} ${transcript.wish} ${outcomes.at(-1)!.why}`);

/** A section for the benchmark's report. */
export function replaySection(replays: readonly Replay[]): string {
  const played = replays.filter((replay) => !lacksNetwork(replay));
  const recorded = played.map(({ transcript }) => transcript);
  const tokens = played.flatMap(({ outcomes }) => outcomes.map((outcome) => outcome.tokens));
  const before = recorded.flatMap(({ calls }) => calls.map((call) => call.tokens ?? 0));
  const calls = recorded.map((transcript) => transcript.calls.length).sort((a, b) => a - b);
  const done = played.filter(({ outcomes }) => outcomes.at(-1)!.isAsExpected).length;
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const regressions = regressionsIn(replays);
  return [
    '## Replayed transcripts of a language model',
    '',
    'Each job was played once over MCP by a language model that had the list of tools. A replay sends the same calls, so it finds regressions and does not measure how a model chooses.',
    '',
    '| jobs | first call right when played | done when played | done now | median calls | largest answer | tokens read, then and now |',
    '|---|---|---|---|---|---|---|',
    `| ${played.length} | ${recorded.filter((one) => one.first_try).length} | ${recorded.filter((one) => one.done).length} | ${done} | ${median(calls)} | ${Math.max(...tokens)} | ${sum(before)}, ${sum(tokens)} |`,
    ...(Math.max(...tokens) > TOKENS_MAX ? ['', `An answer has more than ${TOKENS_MAX} tokens.`] : []),
    ...regressions.map((line) => `\nNo longer done: ${line}`),
  ].join('\n');
}
