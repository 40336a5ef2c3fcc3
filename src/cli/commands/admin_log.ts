import { defineCommand } from '../command.ts';
import { withOperator } from '../operator.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls, table } from '../terminal.ts';

const ACTS_SHOWN = 100;

export const adminLogCommand = defineCommand({
  name: 'admin log',
  summary: `what was done by hand, and why: the last ${ACTS_SHOWN}`,
  words: '',
  switches: DATA_SWITCH,
  run: ({ values }, world) =>
    withOperator(values, world, async (operator) => {
      const { stdout } = world.terminal;
      const acts = await operator.acts(ACTS_SHOWN);
      const rows = acts.map(({ at, act, about, why }) => [
        at.toISOString(),
        act,
        about,
        replaceControls(why),
      ]);
      stdout.write(rows.length > 0 ? table(rows, stdout) : 'Nothing was done by hand yet.\n');
      return 0;
    }),
});
