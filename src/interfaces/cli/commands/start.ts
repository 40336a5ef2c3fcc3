import { defineCommand } from '../command.ts';
import { configOf, PUBLIC_SETTINGS, settingSwitches, settingsOf } from '../setting_switches.ts';

export const startCommand = defineCommand({
  name: 'start',
  summary: 'start the server',
  words: '',
  switches: settingSwitches(PUBLIC_SETTINGS),
  notes:
    'A switch goes before the environment variable of the same name (--data-dir before DATA_DIR). Secrets are read from the\nenvironment only, because everybody on a machine can read its command lines. See all with: atelier config',

  async run({ values }, world) {
    configOf(values, world);
    await world.startServer(settingsOf(values));
    return 0;
  },
});
