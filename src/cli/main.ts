import { buffer } from 'node:stream/consumers';
import { readCliSettings, readConfig } from '../config.ts';
import { connect } from './connect.ts';
import { runCli } from './run_cli.ts';

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
// A reader such as `head` may close early; what is left to say is then said to nobody.
process.stdout.on('error', () => {});

process.exitCode = await runCli(process.argv.slice(2), {
  terminal: { stdout: process.stdout, stderr: process.stderr, readStdin: () => buffer(process.stdin) },
  settings: readCliSettings(),
  folder: process.cwd(),
  signal: stopping.signal,
  readConfig,
  openModels: async (config) => (await import('../open_models.ts')).openModels(config),
  openDataset: async (config) => (await import('../open_dataset.ts')).openDataset(config),
  connect: (url) => connect({ url, dataDir: readConfig().DATA_DIR, fetch, openApp }),
});

/** Opens the app in this process. Its log would mix with the answer, so it is silent. */
async function openApp() {
  const app = await import('../app.ts');
  return app.openApp({ ...readConfig(), LOG_LEVEL: 'silent' });
}
