import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './support/load.ts';
import { startServer } from './support/server.ts';

const ROUNDS = 5;

/** From the start of the process to the first healthy answer: in an empty folder (cold) and in one used before (warm). */
export async function run(): Promise<string> {
  const cold: number[] = [];
  const warm: number[] = [];
  const node: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
    node.push(await firstAnswer('bench/peers/bare_sharp.ts', '/', {}));
    cold.push(await firstAnswer('src/main.ts', '/health', { DATA_DIR: folder }));
    warm.push(await firstAnswer('src/main.ts', '/health', { DATA_DIR: folder }));
    rmSync(folder, { recursive: true });
  }
  const seconds = (times: number[]) =>
    `${(median(times) / 1000).toFixed(2)} | ${(median(times) / median(node)).toFixed(1)}`;
  return `## Start\n\nFrom spawn to the first healthy answer, median of ${ROUNDS}.\n\n| | seconds | of a bare Node server with sharp |\n|---|---|---|\n| bare sharp behind node:http | ${seconds(node)} |\n| Atelier, empty folder | ${seconds(cold)} |\n| Atelier, folder used before | ${seconds(warm)} |`;
}

async function firstAnswer(file: string, path: string, settings: Record<string, string>): Promise<number> {
  const started = performance.now();
  const server = await startServer(file, settings);
  await (await fetch(`${server.url}${path}`)).arrayBuffer();
  const elapsed = performance.now() - started;
  await server.stop();
  return elapsed;
}
