import { defineCommand } from '../command.ts';
import { configOf, FIRST_SETTINGS, PUBLIC_SETTINGS, settingSwitches } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';

export const workerCommand = defineCommand({
  name: 'worker',
  summary: 'run a worker: process queued jobs for all or selected tools',
  words: '',
  example: 'atelier worker --tools upscale_image,remove_background',
  switches: {
    tools: {
      value: '<names>',
      meaning: 'comma-separated tools whose jobs to run (or WORKER_TOOLS). Default: all',
    },
    ...settingSwitches(PUBLIC_SETTINGS),
  },
  shown: ['tools', ...FIRST_SETTINGS],
  notes:
    'Every setting is a switch, such as --port for PORT. List all settings with atelier config.\nA worker needs the DATABASE_URL, storage and secrets of the servers that accept the jobs. Ctrl-C or SIGTERM requeues running jobs.\nTo leave jobs to workers, set JOBS_HERE=none on the server.',

  async run({ values: { tools, ...values } }, world) {
    const given = { ...(tools !== undefined && { 'worker-tools': tools }), ...values };
    const config = configOf(given, world);
    try {
      await world.runWorker(config);
      return 0;
    } catch (error) {
      world.terminal.stderr.write(`${replaceControls((error as Error).message)}\n`);
      return 1;
    }
  },
});
