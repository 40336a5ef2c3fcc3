import { defineCommand } from '../command.ts';
import { configOf, FIRST_SETTINGS, PUBLIC_SETTINGS, settingSwitches } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';

export const workerCommand = defineCommand({
  name: 'worker',
  summary: 'take jobs of a server, of some tools or all, and nothing else',
  words: '',
  example: 'atelier worker --tools upscale_image,remove_background',
  switches: {
    tools: {
      value: '<names>',
      meaning: 'tools whose jobs it takes, with commas between them (or WORKER_TOOLS); absent: all',
    },
    ...settingSwitches(PUBLIC_SETTINGS),
  },
  shown: ['tools', ...FIRST_SETTINGS],
  notes:
    'Every setting is a switch: atelier config lists them all with their meaning, PORT as --port.\nIt shares DATABASE_URL and the stored bytes with the servers that accept the jobs, and needs their secrets. Ctrl-C or SIGTERM\ngives back what runs. A server leaves jobs to workers with JOBS_HERE=none.',

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
