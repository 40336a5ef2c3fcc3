import { defineCommand } from '../command.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';

export const maintenanceCommand = defineCommand({
  name: 'maintenance',
  summary: 'let servers only read for a while, or say whether they do',
  words: '[<on or off>] [<reason>]',
  example: 'atelier maintenance on "Moving to a larger machine"',
  firstWord: ['on', 'off'],
  switches: DATA_SWITCH,
  notes:
    'All servers and workers of the database follow within seconds, those that start meanwhile too. What writes is 503 maintenance with a time to come\nagain, reads are answered, jobs that were taken go on. Callers are told the reason. Put it in quotes.',

  async run({ words: [what, why], values }, world) {
    if (what !== undefined && what !== 'on' && what !== 'off')
      throw new UsageError(`"${what}" is neither on nor off.`);
    if (what === 'off' && why !== undefined) throw new UsageError('A reason goes with on.');
    const maintenance = await world.openMaintenance(configOf(values, world));
    const say = (text: string) => void world.terminal.stdout.write(`${replaceControls(text)}\n`);
    try {
      if (what === 'on') await maintenance.begin(why);
      if (what === 'off')
        say((await maintenance.end()) ? 'Everything goes on.' : 'There was no maintenance.');
      const [state, jobs] = [await maintenance.state(), await maintenance.liveJobs()];
      if (state)
        say(
          `Maintenance since ${state.since.toISOString()}${state.why ? ` (${state.why})` : ''}. Jobs that wait or run: ${jobs}.`,
        );
      else if (what === undefined) say('No maintenance.');
      return 0;
    } finally {
      await maintenance.close();
    }
  },
});
