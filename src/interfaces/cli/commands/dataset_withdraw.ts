import { defineCommand } from '../command.ts';
import { withDataset } from '../dataset.ts';
import { DATA_SWITCH } from '../setting_switches.ts';

const REASON_CHARACTERS_MAX = 500;

export const datasetWithdrawCommand = defineCommand({
  name: 'dataset withdraw',
  summary: 'take a work out for good; the reason is shown to everybody',
  words: '<id> <reason>…',
  example: 'atelier dataset withdraw met_436535 "asked for by the heirs"',
  switches: DATA_SWITCH,

  run: ({ words: [id = '', ...reason], values }, world) =>
    withDataset(values, world, async (dataset) => {
      const edition = await dataset.withdraw(id, reason.join(' ').slice(0, REASON_CHARACTERS_MAX));
      world.terminal.stdout.write(`${id} is not in edition ${edition}, and no import brings it back.\n`);
      return 0;
    }),
});
