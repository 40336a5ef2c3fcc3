import { defineCommand } from '../command.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';

export const maintenanceCommand = defineCommand({
  name: 'maintenance',
  summary: 'turn read-only maintenance mode on or off, or show its status',
  words: '[<on or off>] [<reason>]',
  example: 'atelier maintenance on "Moving to a larger machine"',
  firstWord: ['on', 'off'],
  switches: DATA_SWITCH,
  notes:
    'All servers and workers of the database follow within seconds, including those that start later. Writes get 503 maintenance with\nRetry-After. Reads still work, and accepted jobs continue. Clients see the reason. Put the reason in quotes.',

  async run({ words: [what, why], values }, world) {
    if (what !== undefined && what !== 'on' && what !== 'off')
      throw new UsageError(`"${what}" is not on or off.`);
    if (what === 'off' && why !== undefined) throw new UsageError('A reason is only allowed with on.');
    const maintenance = await world.openMaintenance(configOf(values, world));
    const say = (text: string) => void world.terminal.stdout.write(`${replaceControls(text)}\n`);
    try {
      if (what === 'on') await maintenance.begin(why);
      if (what === 'off')
        say((await maintenance.end()) ? 'Maintenance mode is off.' : 'Maintenance mode was already off.');
      const [state, jobs] = [await maintenance.state(), await maintenance.liveJobs()];
      if (state)
        say(
          `Maintenance mode is on since ${state.since.toISOString()}${state.why ? ` (${state.why})` : ''}. Queued and running jobs: ${jobs}.`,
        );
      else if (what === undefined) say('Maintenance mode is off.');
      return 0;
    } finally {
      await maintenance.close();
    }
  },
});
