import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openOtlpCollector } from '../tests/support/otlp_collector.ts';
import { loadOf, median, type Target } from './support/load.ts';
import { photo } from './support/photo.ts';
import { type BenchServer, startServer } from './support/server.ts';

/** Short and many, so that what else the machine does hits all alike. */
const ROUNDS = 20;
const SECONDS = 2;
/** Longer than what is read from the database is kept for the next who asks. */
const READ_EVERY_MS = 2_500;
const READS = 20;
/** As Prometheus reads unless it is told otherwise. */
const SCRAPE_MS = 15_000;
/** What traces may cost, and metrics, of the processor time of a resize. */
const COST_MAX = 0.02;

interface Contestant {
  readonly name: string;
  readonly server: BenchServer;
  readonly target: Target;
  readonly cpuMs: number[];
}

/**
 * What traces and metrics add to a resize, in processor time of server and processes for pixels. Both cost the same whatever the size of the
 * picture, so they are seen on a tiny one, of which they are a large part, and told as a part of a usual one, in which chance would hide them.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const collector = await openOtlpCollector();
  const contestants = await start(folder, collector.url);
  const [plain] = contestants as [Contestant, ...Contestant[]];
  for (const contestant of contestants) await measure(contestant);
  for (const { cpuMs } of contestants) cpuMs.length = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Another goes first each time.
    for (let at = 0; at < contestants.length; at += 1)
      await measure(contestants[(at + round) % contestants.length]!);
  }
  const usual = { ...plain, cpuMs: [], target: await resizeOf(plain.server.url, 2000, 1333) };
  for (let round = 0; round < 5; round += 1) await measure(usual);
  const usualMs = median(usual.cpuMs);
  const readMs = await readingOf(plain);
  await Promise.all(contestants.map(({ server }) => server.stop()));
  await collector.close();
  rmSync(folder, { recursive: true });
  const shown = (name: string, ms: string, part: number | undefined) =>
    `| ${name} | ${ms} | ${part === undefined ? '' : `${(100 * part).toFixed(2)} %`} | ${part === undefined ? '' : part <= COST_MAX ? 'yes' : 'no'} |`;
  const rows = contestants.slice(1).map(({ name, cpuMs }) => {
    const more = median(cpuMs.map((ms, round) => ms - plain.cpuMs[round]!));
    return shown(name, `${more.toFixed(3)} ms a request`, more / usualMs);
  });
  const read = shown('metrics read', `${readMs.toFixed(1)} ms a reading`, readMs / SCRAPE_MS);
  return `## What is measured costs\n\nTwo clients, ${ROUNDS} rounds of ${SECONDS} s in turn with a picture of 64 × 43, ${median(plain.cpuMs).toFixed(2)} ms of processor time a request; a resize of 2000 × 1333 takes ${usualMs.toFixed(1)} ms. A twin that does the same as the first shows what is chance. Spans sent: ${collector.spans.length}. A reading is told as a part of the ${SCRAPE_MS / 1000} s until the next, of one core. Not to be passed: ${100 * COST_MAX} %.\n\n| | more processor time | of a resize | held |\n|---|---|---|---|\n${[...rows, read].join('\n')}`;
}

async function measure({ server, target, cpuMs }: Contestant): Promise<void> {
  const before = server.cpuMs();
  const { requests } = await loadOf(target, 2, SECONDS);
  cpuMs.push((server.cpuMs() - before) / requests);
}

/** Processor milliseconds of one reading of /metrics, by a server that does nothing else. */
async function readingOf({ server }: Contestant): Promise<number> {
  const during = async (work: () => Promise<unknown>) => {
    const before = server.cpuMs();
    for (let reads = 0; reads < READS; reads += 1) {
      await work();
      await sleep(READ_EVERY_MS);
    }
    return (server.cpuMs() - before) / READS;
  };
  const idle = await during(async () => {});
  const reading = await during(async () => (await fetch(new URL('/metrics', server.url))).text());
  return reading - idle;
}

async function resizeOf(url: string, width: number, height: number): Promise<Target> {
  const image = (await photo(width, height)).toString('base64');
  const body = Buffer.from(
    JSON.stringify({ image, width: width / 4, height: width / 4, format: 'jpeg', quality: 80 }),
  );
  const headers = { 'Content-Type': 'application/json' };
  return { url: `${url}/api/tools/resize_image`, method: 'POST', headers, body };
}

async function start(folder: string, collector: string): Promise<Contestant[]> {
  const open = async (name: string, settings: Record<string, string> = {}) => {
    const DATA_DIR = join(folder, name.replaceAll(' ', '_'));
    const server = await startServer('src/main.ts', { ...UNLIMITED, DATA_DIR, ...settings });
    return { name, server, cpuMs: [], target: await resizeOf(server.url, 64, 43) };
  };
  return [
    await open('nothing sent'),
    await open('its twin'),
    await open('every trace sent', { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_METRICS_EXPORTER: 'none' }),
    await open('metrics and every trace sent', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_METRIC_EXPORT_INTERVAL: String(SCRAPE_MS),
    }),
  ];
}

const UNLIMITED = { FREE_TOOLS_PER_HOUR: '1000000000', WORKERS: '2' };
