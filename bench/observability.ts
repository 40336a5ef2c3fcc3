import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOtlpCollector } from '../tests/support/otlp_collector.ts';
import { loadOf, median, type Target } from './support/load.ts';
import { photo } from './support/photo.ts';
import { type BenchServer, startServer } from './support/server.ts';

const ROUNDS = 7;
const SECONDS = 5;
const SCRAPE_MS = 5_000;
/** What traces may cost, and metrics, of the processor time of a resize. */
const COST_MAX = 0.02;

interface Contestant {
  readonly name: string;
  readonly server: BenchServer;
  readonly target: Target;
  readonly cpuMs: number[];
  /** Somebody reads /metrics, three times as often as Prometheus usually does. */
  readonly isScraped: boolean;
}

/** What metrics that are read and traces that are sent add to a resize, in processor time of server and engines, in turn. */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const collector = await openOtlpCollector();
  const contestants = await start(folder, collector.url);
  for (const { target } of contestants) await loadOf(target, 2, SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Another goes first each time: whatever the machine does besides hits all alike.
    for (let at = 0; at < contestants.length; at += 1)
      await measure(contestants[(at + round) % contestants.length]!);
  }
  await Promise.all(contestants.map(({ server }) => server.stop()));
  await collector.close();
  rmSync(folder, { recursive: true });
  const [plain] = contestants as [Contestant, ...Contestant[]];
  const rows = contestants.map(({ name, cpuMs }) => {
    const cost = median(cpuMs.map((ms, round) => ms / plain.cpuMs[round]!)) - 1;
    const held = name === plain.name ? '' : cost <= COST_MAX ? 'yes' : 'no';
    return `| ${name} | ${median(cpuMs).toFixed(2)} | ${(100 * cost).toFixed(1)} % | ${held} |`;
  });
  return `## What is measured costs\n\n2000 × 1333 JPEG → fit 500, q80, two clients, ${ROUNDS} rounds of ${SECONDS} s in turn; processor time of server and processes for pixels a request, and the median of its ratios within a round. A twin that does the same as the first shows what is chance. Spans sent: ${collector.spans.length}. Not to be passed: ${100 * COST_MAX} %.\n\n| | processor ms a request | more | held |\n|---|---|---|---|\n${rows.join('\n')}`;
}

async function measure({ server, target, cpuMs, isScraped }: Contestant): Promise<void> {
  const scrape = () => void fetch(new URL('/metrics', target.url)).then((answer) => answer.text());
  const timer = isScraped ? setInterval(scrape, SCRAPE_MS) : undefined;
  const before = server.cpuMs();
  const { requests } = await loadOf(target, 2, SECONDS);
  cpuMs.push((server.cpuMs() - before) / requests);
  clearInterval(timer);
}

async function start(folder: string, collector: string): Promise<Contestant[]> {
  const jpeg = await photo(2000, 1333);
  const body = Buffer.from(
    JSON.stringify({ image: jpeg.toString('base64'), width: 500, height: 500, format: 'jpeg', quality: 80 }),
  );
  const open = async (name: string, settings: Record<string, string> = {}, isScraped = false) => {
    const DATA_DIR = join(folder, name.replaceAll(' ', '_'));
    const server = await startServer('src/main.ts', { ...UNLIMITED, DATA_DIR, ...settings });
    const headers = { 'Content-Type': 'application/json' };
    const url = `${server.url}/api/tools/resize_image`;
    return { name, server, isScraped, cpuMs: [], target: { url, method: 'POST', headers, body } as const };
  };
  return [
    await open('nobody reads them'),
    await open('its twin'),
    await open('metrics read every 5 s', {}, true),
    await open('every trace sent', { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_METRICS_EXPORTER: 'none' }),
    await open('metrics and traces sent', { OTEL_EXPORTER_OTLP_ENDPOINT: collector }, true),
  ];
}

const UNLIMITED = { FREE_TOOLS_PER_HOUR: '1000000000', WORKERS: '2' };
