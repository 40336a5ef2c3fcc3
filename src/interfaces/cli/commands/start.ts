import { defineCommand } from '../command.ts';
import {
  configOf,
  FIRST_SETTINGS,
  PUBLIC_SETTINGS,
  settingSwitches,
  settingsOf,
} from '../setting_switches.ts';

export const startCommand = defineCommand({
  name: 'start',
  summary: 'start the server',
  words: '',
  example: 'atelier start --port 8090 --data-dir ./studio',
  switches: settingSwitches(PUBLIC_SETTINGS),
  shown: FIRST_SETTINGS,
  notes:
    'Every setting is a switch, such as --port for PORT. List all settings with atelier config.\nA switch overrides the environment variable of the same name (--data-dir overrides DATA_DIR). Secrets are read from the\nenvironment only, because every user of a machine can read its command lines.',

  async run({ values }, world) {
    configOf(values, world);
    await world.startServer(settingsOf(values));
    return 0;
  },
});
