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
    'Every setting is a switch: atelier config lists them all with their meaning, PORT as --port.\nA switch goes before the environment variable of the same name (--data-dir before DATA_DIR). Secrets are read from the\nenvironment only, because everybody on a machine can read its command lines.',

  async run({ values }, world) {
    configOf(values, world);
    await world.startServer(settingsOf(values));
    return 0;
  },
});
