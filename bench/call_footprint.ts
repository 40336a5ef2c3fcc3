import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importExampleWork } from '../tests/support/import_example_work.ts';
import { openTestApp, type TestApp } from '../tests/support/open_test_app.ts';
import { scene } from '../tests/support/scene.ts';
import { toppedUp } from '../tests/support/topped_up.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PAYER = `0x${'e'.repeat(40)}`;
/** The folders with the code around every call, and with billing. */
const PIPELINE = /^src\/pipeline\//;
const BILLING = /^src\/pipeline\/billing\//;

interface Footprint {
  readonly files: ReadonlySet<string>;
  readonly functions: number;
}

/**
 * Measures how much code of the service one call enters in the main process: fewer files are easier to
 * follow.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-footprint-'));
  await importExampleWork(folder);
  const app = await openTestApp({ DATA_DIR: folder });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    await toppedUp(app.post, PAYER);
    const rows: string[] = [];
    for (const [name, call] of await callsOf(app)) {
      // The second call of a kind: the first one also fills caches.
      await call();
      await session.post('Profiler.takePreciseCoverage');
      await call();
      rows.push(rowOf(name, await footprintOf(session)));
    }
    return [
      '## Code entered by one call',
      '',
      'Files, folders and functions of the main process that one call enters (V8 coverage); processes for pixels are not counted.',
      '',
      '| call | files | folders | functions | of them pipeline files | billing files |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  } finally {
    session.disconnect();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function callsOf(app: TestApp): Promise<[string, () => Promise<unknown>][]> {
  const image = (await scene(7, 200, 144)).toString('base64');
  const expectOk = async (reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply;
    if (status !== 200 || text.includes('"isError":true'))
      throw new Error(`${status}: ${text.slice(0, 500)}`);
  };
  const rest = (tool: string, body: object) => () => expectOk(app.post(`/api/tools/${tool}`, body));
  const mcp = (name: string, body: object) => () =>
    expectOk(
      app.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: body } },
        { Authorization: `Bearer ${PAYER}`, Accept: 'application/json, text/event-stream' },
      ),
    );
  return [
    ['free resize over REST', rest('resize_image', { image, width: 100, height: 72 })],
    ['paid upscale over MCP', mcp('upscale_image', { image, scale: 2 })],
    ['search over REST', rest('search_artworks', { query: 'watch' })],
  ];
}

async function footprintOf(session: Session): Promise<Footprint> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = new Set<string>();
  let functions = 0;
  for (const { url, functions: entered } of result) {
    if (!url.startsWith('file:')) continue;
    const path = relative(ROOT, fileURLToPath(url));
    if (!/^(src|packages)\//.test(path)) continue;
    const called = entered.filter(
      ({ functionName, ranges: [range] }) => functionName !== '' && range!.count > 0,
    );
    if (called.length > 0) files.add(path);
    functions += called.length;
  }
  return { files, functions };
}

function rowOf(name: string, { files, functions }: Footprint): string {
  const folders = new Set([...files].map((path) => dirname(path)));
  const paths = [...files];
  return `| ${name} | ${[files.size, folders.size, functions, paths.filter((path) => PIPELINE.test(path)).length, paths.filter((path) => BILLING.test(path)).length].join(' | ')} |`;
}
