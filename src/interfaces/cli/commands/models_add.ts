import { defineCommand } from '../command.ts';
import { reportInstalled, requireModel, withModels } from '../models.ts';
import { DATA_SWITCH } from '../setting_switches.ts';

export const modelsAddCommand = defineCommand({
  name: 'models add',
  summary: 'take a file from this machine',
  words: '<file>',
  example: 'atelier models add RealESRGAN_x2plus.pth',
  switches: {
    model: { value: '<name>', meaning: 'which network it is, where its content does not say' },
    accept: { meaning: 'accept an unofficial file' },
    ...DATA_SWITCH,
  },

  run: ({ words: [path = ''], values }, world) =>
    withModels(values, world, async (models) => {
      const states = await models.list();
      const name = values.model === undefined ? undefined : requireModel(values.model, states);
      reportInstalled(
        await models.add(path, { accept: values.accept === true, name }),
        states,
        world.terminal,
      );
      return 0;
    }),
});
