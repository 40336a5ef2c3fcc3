import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { type Config, overrideSettings, readCliSettings, readConfig } from '../../config/config.ts';
import { connect, type OpenedApp, runCli } from './run_cli.ts';
import type { Terminal } from './terminal.ts';

const stopping = new AbortController();
/** Servers and workers shut down gracefully. */
const isService = ['start', 'worker'].includes(process.argv[2] ?? '');
const IMPATIENT_MS = 1000;
// An older Node that has started this one forwards signals that the terminal sends to both. A person who
// repeats Ctrl-C does not want to wait.
let stoppedAt: number | undefined;
process.on('SIGINT', () => {
  if (stoppedAt !== undefined && Date.now() - stoppedAt > IMPATIENT_MS && !isService) process.exit(130);
  stoppedAt ??= Date.now();
  stopping.abort();
});
// The server that started this process has exited.
process.once('disconnect', () => stopping.abort());
process.channel?.unref();
// A reader such as `head` may close early; the rest of the output is then dropped.
process.stdout.on('error', () => {});

const terminal: Terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  readStdin: () => buffer(process.stdin),
  ...(process.stdin.isTTY && process.stderr.isTTY && { confirm, ask }),
};

process.exitCode = await runCli(process.argv.slice(2), {
  terminal,
  settings: readCliSettings(),
  folder: process.cwd(),
  signal: stopping.signal,
  ...(process.send && {
    report: (fraction, message) => void process.send?.({ fraction, message }),
  }),
  readConfig(given) {
    overrideSettings(given);
    return readConfig();
  },
  openModels: async (config) => (await import('../../features/models/service.ts')).openModels(config),
  openSubjects: async (config) =>
    (await import('../../features/enrichment/subjects/subjects.ts')).openOwnSubjects(config),
  openMarkTrials: async () =>
    (await import('../../features/provenance/mark_trials/mark_trials.ts')).openMarkTrials(),
  openDataset: async (config) =>
    (await import('../../features/artworks/open_dataset.ts')).openDataset(config),
  openSetup: async (config) => (await import('../../features/models/setup/setup.ts')).openSetup(config),
  openOperator: async (config) => (await import('../../features/operator/service.ts')).openOperator(config),
  openBackups: async (config) =>
    (await import('../../features/operator/backups/backups.ts')).openBackups(config),
  openMaintenance: async (config) =>
    (await import('../../features/operator/maintenance/maintenance.ts')).openMaintenance(config),
  openMove: async (config) => (await import('../../features/operator/moving/moving.ts')).openMove(config),
  connect: ({ url, config, isDry }) =>
    connect({ url, dataDir: config?.DATA_DIR, fetch, openApp: () => openApp(config!, isDry) }),
  async startServer(given) {
    overrideSettings(given);
    await import('../../main.ts');
  },
  async serveMcp(options) {
    await (await import('./stdio/serve_mcp.ts')).serveMcp(options);
    process.exit(0);
  },
  async runWorker(config) {
    const worker = await (await import('../../worker.ts')).startWorker(config);
    await new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
    });
    await worker.stop();
    process.exit(0);
  },
});

/**
 * Opens the app in this process. Its log is off, because it would mix with the result. A dry run leaves
 * nothing behind: if the data folder does not exist yet, it uses a temporary one.
 */
async function openApp(config: Config, isDry = false): Promise<OpenedApp> {
  const isPassing = isDry && !existsSync(config.DATA_DIR);
  const folder = isPassing ? await mkdtemp(join(tmpdir(), 'atelier-')) : config.DATA_DIR;
  const { openApp } = await import('../../app.ts');
  // Webhook deliveries are left to a server, which knows its public address.
  const own = { DATA_DIR: folder, LOG_LEVEL: 'silent', WEBHOOKS_AT_ONCE: 0 } as const;
  const app = await openApp({ ...config, ...own });
  return {
    fetch: (request) => app.fetch(request),
    async close() {
      await app.close();
      if (isPassing) await rm(folder, { recursive: true });
    },
  };
}

async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)) ?? '');
}

/** Ctrl-C stops the program as usual; Ctrl-D ends the input. */
async function ask(question: string): Promise<string | undefined> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  asking.on('SIGINT', () => stopping.abort());
  const ended = new Promise<undefined>((resolve) => asking.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([asking.question(question, { signal: stopping.signal }), ended]);
  } finally {
    asking.close();
  }
}
