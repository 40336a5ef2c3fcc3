import { defineCommand } from '../command.ts';
import { actOnId } from '../operator.ts';
import { DATA_SWITCH } from '../setting_switches.ts';

export const adminShowCommand = defineCommand({
  name: 'admin show',
  summary: 'put a hidden entry back into its feed',
  words: '<id> <reason>…',
  switches: DATA_SWITCH,
  run: (typed, world) =>
    actOnId(typed, world, {
      act: 'show',
      done: 'is in its feed again.',
      absent: 'No board has an entry of that id. "atelier admin log" shows what was hidden.',
    }),
});
