import { defineCommand } from '../command.ts';
import { actOnId } from '../operator.ts';
import { DATA_SWITCH } from '../setting_switches.ts';

export const adminHideCommand = defineCommand({
  name: 'admin hide',
  summary: 'take an entry of the cafe, the gallery or the registry out of the feeds',
  words: '<id> <reason>…',
  switches: DATA_SWITCH,
  run: (typed, world) =>
    actOnId(typed, world, {
      act: 'hide',
      done: 'is in no feed any more. It stays in the database as it was written.',
      absent: 'No board has an entry of that id. Feeds show the ids, such as 2026-11-21-0a1b2c3d.',
    }),
});
