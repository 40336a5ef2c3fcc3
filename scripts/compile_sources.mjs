/**
 * Runs after `npm ci`: bundles the sources, starts the service once in an empty folder and loads every engine
 * once, so that Node caches the compiled code. Optional: without it the first start compiles the sources
 * itself and takes a few seconds longer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSources } from './bundle_sources.mjs';

const NODE_MAJOR_MIN = 24;
/** A slower machine skips this step. */
const TIMEOUT_MS = 120_000;

const pathOf = (place) => fileURLToPath(new URL(place, import.meta.url));
// An image-processing worker that loads every engine and then gets no work.
const LOAD_ENGINES = `import(process.argv[1])
  .then(({ ENGINES }) => Promise.all(Object.values(ENGINES).map((load) => load())))
  .then(() => import(process.argv[2]))`;

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  console.log(`Skipped: Node ${process.versions.node} cannot run the sources.`);
} else {
  await bundleSources().catch((error) => console.log(`The sources were not bundled: ${error.message}`));
  await startOnce().catch((error) => console.log(`The sources were not compiled ahead: ${error.message}`));
  await loadEngines().catch((error) => console.log(`The engines were not compiled ahead: ${error.message}`));
}

/** From the start to the greeting, and back. */
async function startOnce() {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-prepare-'));
  // Minimal environment: settings of the installing user must not take effect here.
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  const own = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent', LIVE_WORKS: 'false', MODELS_PULL: 'none' };
  const child = spawn(process.execPath, [pathOf('../bin/atelier.mjs'), 'start'], {
    cwd: folder,
    env: { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(TMPDIR && { TMPDIR }), SystemRoot, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  const ended = once(child, 'exit');
  try {
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (!url) continue;
      await (await fetch(`${url}/health`)).arrayBuffer();
      child.kill('SIGTERM');
      break;
    }
    await ended;
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadEngines() {
  const files = ['../src/core/workers/engines.ts', '../src/core/workers/process_main.ts'].map(pathOf);
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '-e', LOAD_ENGINES, ...files],
    {
      env: { NODE_COMPILE_CACHE: pathOf('../node_modules/.cache/atelier/compiled/pixels') },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    },
  );
  child.stdio[3].end();
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(complaint.trim().split('\n').at(-1) || `status ${status}`);
}
