import { defineCommand } from '../command.ts';
import { reportInstalled, withModels } from '../models.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';

export const modelsImportCommand = defineCommand({
  name: 'models import',
  summary: 'install the networks of a file that models export wrote, each checked by its sha256',
  words: '<file>',
  example: 'atelier models import networks.tar',
  switches: {
    accept: { meaning: 'take unofficial ones, too' },
    ...DATA_SWITCH,
  },

  run: ({ words: [path = ''], values }, world) =>
    withModels(values, world, async (models) => {
      const states = await models.list();
      const imported = await models.importFrom(path, { accept: values.accept === true });
      for (const { name, installed, problem = '' } of imported) {
        if (installed) reportInstalled(installed, states, world.terminal);
        else world.terminal.stderr.write(`${name} NOT INSTALLED: ${replaceControls(problem)}\n`);
      }
      return imported.every(({ installed }) => installed) ? 0 : 1;
    }),
});
