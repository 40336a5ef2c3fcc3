import { defineCommand } from '../command.ts';
import { megabytes, withModels } from '../models.ts';
import { DATA_SWITCH } from '../setting_switches.ts';

export const modelsExportCommand = defineCommand({
  name: 'models export',
  summary: 'write the networks that are here into one file, for a machine without a connection',
  words: '<file>',
  example: 'atelier models export networks.tar',
  switches: DATA_SWITCH,

  run: ({ words: [path = ''], values }, world) =>
    withModels(values, world, async (models) => {
      const installed = await models.exportTo(path);
      const bytes = installed.reduce((sum, model) => sum + model.bytes, 0);
      const names = installed.map(({ name }) => name).join(', ');
      world.terminal.stdout.write(
        `${path}: ${installed.length} network${installed.length === 1 ? '' : 's'}, ${megabytes(bytes)}: ${names}.\nThere: atelier models import <file>\n`,
      );
      return 0;
    }),
});
