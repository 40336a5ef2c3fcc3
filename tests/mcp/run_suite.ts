import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** `current` knows the frozen requirements of each revision; `released` is what most servers are measured with. */
const PROGRAMS = {
  current: () => require.resolve('@modelcontextprotocol/conformance/dist/index.js'),
  released: () => require.resolve('mcp-conformance-legacy/dist/index.js'),
};

/** Names of the scenarios that ran, and of those with a failed check. */
export interface Outcome {
  readonly ran: string[];
  readonly failed: string[];
}

/** Runs a suite as a child process against `url` and reads the checks it wrote. */
export async function runSuite(
  suite: keyof typeof PROGRAMS,
  url: string,
  selection: readonly string[] = [],
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-mcp-'));
  const parameters = [PROGRAMS[suite](), 'server', '--url', url, '--output-dir', folder, ...selection];
  // It exits with 1 when a check failed; what failed is read from its files.
  await new Promise<void>((done) => execFile(process.execPath, parameters, { cwd: folder }, () => done()));
  try {
    return await readOutcome(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A folder per scenario: server-<scenario>-<time>/checks.json */
async function readOutcome(folder: string): Promise<Outcome> {
  const outcome: Outcome = { ran: [], failed: [] };
  for (const name of (await readdir(folder)).filter((entry) => entry.startsWith('server-'))) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const checks: { status: string }[] = JSON.parse(
      await readFile(join(folder, name, 'checks.json'), 'utf8'),
    );
    outcome.ran.push(scenario);
    if (checks.some(({ status }) => status === 'FAILURE')) outcome.failed.push(scenario);
  }
  return { ran: outcome.ran.sort(), failed: outcome.failed.sort() };
}
