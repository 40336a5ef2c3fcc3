import type { ModelState, Models } from '../../../features/models/types.ts';
import { defineCommand } from '../command.ts';
import { megabytes, reportInstalled, requireModels, withModels } from '../models.ts';
import { progressView } from '../progress.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import type { World } from '../world.ts';

export const modelsPullCommand = defineCommand({
  name: 'models pull',
  summary: 'download official files; those that look at pictures: vision; all of them: all',
  words: '<name>…',
  example: 'atelier models pull realesrgan_x2plus isnet_general',
  switches: DATA_SWITCH,

  run: ({ words, values }, world) =>
    withModels(values, world, async (models) => {
      const states = await models.list();
      const names =
        words.join() === 'all'
          ? states.filter(({ bytes }) => bytes !== undefined).map(({ name }) => name)
          : words.flatMap((word) => requireModels(word, states));
      for (const name of new Set(names)) {
        // What a package brought besides is here since.
        const { installed } = (await models.list()).find((other) => other.name === name)!;
        if (installed && installed.origin !== 'unofficial')
          world.terminal.stdout.write(`${name} is here already.\n`);
        else await pull(name, { models, states }, world);
      }
      return 0;
    }),
});

async function pull(
  name: ModelState['name'],
  { models, states }: { models: Models; states: readonly ModelState[] },
  { terminal, signal, report }: World,
): Promise<void> {
  const view = progressView(terminal.stderr);
  const onProgress = (done: number, all: number) => {
    const arrived = `${megabytes(done)} of ${megabytes(all)}`;
    report?.(done / all, arrived);
    view.show(done / all, terminal.stderr.isTTY ? `${name} ${arrived}` : name);
  };
  try {
    reportInstalled(await models.pull(name, { signal, onProgress }), states, terminal);
  } finally {
    view.clear();
  }
}
