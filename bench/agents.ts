import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { LanguageModel } from 'ai';
import { readConfig } from '../src/config/config.ts';
import { openLanguageModel } from '../src/features/enrichment/open_model.ts';
import { UNLIMITED } from '../tests/support/unlimited.ts';
import { heldOutCalls } from './support/league/held_out/calls.ts';
import { freshCalls } from './support/league/held_out/fresh_calls.ts';
import type { FirstCall, Job, World } from './support/league/job.ts';
import { jobsIn } from './support/league/jobs.ts';
import { playModel } from './support/league/play_model.ts';
import { playScripted } from './support/league/play_scripted.ts';
import type { Trip } from './support/league/send_call.ts';
import { openWorld } from './support/league/world.ts';
import { median } from './support/load.ts';
import { startServer } from './support/server.ts';
import { replaySection, replayTranscripts } from './support/transcripts/replay.ts';

const TRANSCRIPT = join(import.meta.dirname, 'results/agents.local.jsonl');
const CHARACTERS_SHOWN = 160;

interface Play {
  readonly player: string;
  readonly job: Job;
  readonly trips: readonly Trip[];
}

/**
 * The agent benchmark: 104 jobs over MCP, on a separate server. Replays scripted first calls; if
 * VISION_PROVIDER and VISION_MODEL name a model, it plays each job too. Every call and response is stored in
 * bench/results/agents.local.jsonl.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-league-'));
  // The server itself runs without a model, so that every run of the script is the same.
  const settings = { ...UNLIMITED, VISION_PROVIDER: '', DATA_DIR: folder, LOG_LEVEL: 'fatal' };
  const server = await startServer('src/main.ts', settings);
  try {
    const world = await openWorld(server.url);
    const client = await connect(server.url, world.wallet);
    const { tools } = await client.listTools();
    const plays = await playAll(client, { world, tools, model: await configuredModel() });
    await client.close();
    keep(plays);
    tellFailures(plays);
    const replays = await replayTranscripts(server.url);
    return `${section(plays, Math.round(Buffer.byteLength(JSON.stringify(tools)) / 4))}\n\n${replaySection(replays)}`;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Model {
  readonly name: string;
  readonly model: LanguageModel;
}

async function configuredModel(): Promise<Model | undefined> {
  const config = readConfig(process.env);
  const { VISION_PROVIDER: provider, VISION_MODEL: name } = config;
  return provider && name ? { name, model: await openLanguageModel(config, provider, name) } : undefined;
}

async function connect(url: string, wallet: string): Promise<Client> {
  const client = new Client({ name: 'league', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${wallet}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

interface Table {
  readonly world: World;
  readonly tools: Awaited<ReturnType<Client['listTools']>>['tools'];
  readonly model: Model | undefined;
}

async function playAll(client: Client, { world, tools, model }: Table): Promise<Play[]> {
  const plays: Play[] = [];
  const [heldOut, fresh] = [heldOutCalls(world), freshCalls(world)];
  for (const job of jobsIn(world)) {
    const scripts = {
      script: job.firstCalls,
      'script, held out': heldOut[job.wish] ?? [],
      'script, fresh': fresh[job.wish] ?? [],
    };
    for (const [player, calls] of Object.entries<readonly FirstCall[]>(scripts))
      for (const first of calls) plays.push({ player, job, trips: await playScripted(client, job, first) });
    if (!model) continue;
    const trips = await playModel(model.model, client, { job, world, listed: tools });
    plays.push({ player: model.name, job, trips });
  }
  return plays;
}

function keep(plays: readonly Play[]): void {
  mkdirSync(join(TRANSCRIPT, '..'), { recursive: true });
  const lines = plays.map(({ player, job, trips }) => JSON.stringify({ player, wish: job.wish, trips }));
  writeFileSync(TRANSCRIPT, `${lines.join('\n')}\n`);
}

const isFirst = ({ trips }: Play): boolean => trips[0]?.isDone === true;
const isDone = ({ trips }: Play): boolean => trips.at(-1)?.isDone === true;

/** Prints the failed jobs, which show what to improve in the tools. */
function tellFailures(plays: readonly Play[]): void {
  for (const { player, job, trips } of plays.filter((play) => !isFirst(play))) {
    const [first] = trips;
    const how = trips.at(-1)?.isDone ? `done at call ${trips.length}` : 'not done';
    const call = first ? `${first.tool} ${JSON.stringify(first.args)}` : 'no call';
    const why = String(first?.answer?.detail ?? 'answered, and not as wished');
    console.error(`${player}, ${how}: ${job.wish}`);
    console.error(`  ${call.slice(0, CHARACTERS_SHOWN)}\n  ${why.slice(0, CHARACTERS_SHOWN)}`);
  }
}

function section(plays: readonly Play[], listTokens: number): string {
  const players = [...new Set(plays.map(({ player }) => player))];
  const slowest = plays
    .flatMap(({ trips }) => trips)
    .reduce((one, other) => (other.milliseconds > one.milliseconds ? other : one));
  return [
    '## Agent benchmark',
    '',
    `${new Set(plays.map(({ job }) => job)).size} tasks over MCP with the TypeScript client. Each is tried with several first calls as a model might write them that has seen only the tool list (${listTokens} tokens at four bytes each). After a failure the script sends what the failure suggests in \`try\` or \`did_you_mean\`; it has no other knowledge. A task is done when the result is the one intended, not merely when no error occurred. Target: 95 % at the first call. Slowest call: ${slowest.tool}, ${slowest.milliseconds} ms.`,
    '',
    '| player | plays | first call | by the one repair it names | within three | calls to success | median tokens in | median tokens out |',
    '|---|---|---|---|---|---|---|---|',
    ...players.map((player) =>
      row(
        player,
        plays.filter((play) => play.player === player),
      ),
    ),
  ].join('\n');
}

function row(player: string, plays: readonly Play[]): string {
  const percent = (some: readonly Play[]) => `${((100 * some.length) / plays.length).toFixed(1)} %`;
  const done = plays.filter(isDone);
  const calls = done.reduce((sum, { trips }) => sum + trips.length, 0) / Math.max(1, done.length);
  const tokens = (key: 'tokensIn' | 'tokensOut') =>
    median(plays.map(({ trips }) => trips.reduce((sum, trip) => sum + trip[key], 0)).sort((a, b) => a - b));
  return `| ${player} | ${plays.length} | ${percent(plays.filter(isFirst))} | ${percent(done.filter(({ trips }) => trips.length <= 2))} | ${percent(done)} | ${calls.toFixed(2)} | ${tokens('tokensIn')} | ${tokens('tokensOut')} |`;
}
