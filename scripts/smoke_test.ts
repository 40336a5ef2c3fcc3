/**
 * `npm run smoke`: follows the README in this checkout as a newcomer would. Starts the service with `npm start` in an empty data
 * folder, runs every command of "Quick start", then asks for the documents, an MCP session and a studio page.
 * Exits with 1 and the failing step when one of them fails.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
/** The URL in the README. */
const README_URL = 'http://127.0.0.1:8080';
const START_MS_MAX = 120_000;
const STOP_MS_MAX = 20_000;
const PAGES = ['/', '/tools', '/docs', '/llms.txt', '/openapi.json', '/pricing.json', '/health'];

const folder = mkdtempSync(join(tmpdir(), 'atelier-smoke-'));
const env = {
  ...process.env,
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  MODELS_PULL: 'none',
  MUSEUMS_PULL: '',
};
const server = spawn('npm', ['start'], {
  cwd: ROOT,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
let passed = 0;
let failed = 0;
try {
  const url = await addressOf(server);
  await step('README commands', () => runReadme(url));
  for (const path of PAGES) await step(`GET ${path}`, () => readPage(url + path));
  await step('MCP session', () => listTools(url));
} catch (error) {
  failed += 1;
  console.error(error);
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function step(name: string, run: () => unknown): Promise<void> {
  try {
    await run();
    passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${(error as Error).message}`);
  }
}

/** The URL printed by `npm start`. */
function addressOf({ stdout }: typeof server): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    const late = setTimeout(() => fail(new Error(`npm start printed no URL:\n${text}`)), START_MS_MAX);
    stdout.on('end', () => fail(new Error(`npm start ended before it printed a URL:\n${text}`)));
    stdout.on('data', (chunk) => {
      text += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (!url) return;
      clearTimeout(late);
      done(url);
    });
  });
}

/** Runs the shell blocks of the README after `npm start`; a handle in the output of a command replaces `upload:…` in later ones. */
function runReadme(url: string): void {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!);
  const commands = blocks.filter((block) => !block.includes('npm start'));
  if (commands.length < 3) throw new Error('The README has fewer than three commands to run.');
  let handle = '';
  for (const command of commands) {
    const script = command
      .replaceAll(README_URL, url)
      .replaceAll('"upload:…"', `"${handle}"`)
      .replace(/--out (\S+)/, (_, name) => `--out ${join(folder, name)}`);
    const output = execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: ROOT, env }).toString();
    if (output.includes('"status":4') || output.includes('"status":5'))
      throw new Error(`${command}\n${output}`);
    handle = /upload:[\w-]+/.exec(output)?.[0] ?? handle;
    const [, file] = /--out (\S+)/.exec(script) ?? [];
    if (file && !existsSync(file)) throw new Error(`${command}\nwrote no ${file}`);
  }
}

async function readPage(address: string): Promise<void> {
  const response = await fetch(address, { headers: { Accept: 'text/html, */*' } });
  const { length } = await response.text();
  if (!response.ok || length < 50) throw new Error(`answered ${response.status} with ${length} characters`);
}

async function listTools(url: string): Promise<void> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const text = await response.text();
  if (!text.includes('"resize_image"')) throw new Error(`answered ${response.status}: ${text.slice(0, 300)}`);
}

/** Ends the whole process group: npm does not always forward signals. */
async function stop(): Promise<void> {
  const ended = new Promise((done) => server.once('exit', done));
  if (server.exitCode !== null || server.pid === undefined) return;
  process.kill(-server.pid, 'SIGTERM');
  const kill = setTimeout(() => process.kill(-server.pid!, 'SIGKILL'), STOP_MS_MAX);
  await ended;
  clearTimeout(kill);
}
