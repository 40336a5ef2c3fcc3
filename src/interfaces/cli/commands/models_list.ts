import type { ModelState } from '../../../features/models/types.ts';
import { defineCommand } from '../command.ts';
import { megabytes, originText, withModels } from '../models.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { table } from '../terminal.ts';
import type { World } from '../world.ts';

export const modelsListCommand = defineCommand({
  name: 'models list',
  summary: 'every network, where it comes from, whether it is here',
  words: '',
  example: 'atelier models list',
  switches: DATA_SWITCH,

  run: ({ values }, world) =>
    withModels(values, world, async (models) => {
      const states = await models.list();
      const rows = states.map((state) => [
        state.name,
        useText(state),
        state.installed ? originText(state.installed, state) : missingText(state),
        state.bytes === undefined ? '' : megabytes(state.bytes),
        state.licence ?? '',
        state.sources.join(', ') || 'only from this machine, with models add',
      ]);
      const own = (await models.upscalersAtHand()).flatMap((network) =>
        'condition' in network
          ? [
              [
                network.name,
                `upscale ×${network.architecture.scale}`,
                'part of this program',
                megabytes(network.bytes),
                'Apache-2.0',
                `for ${network.condition} pictures, where the one asked for is not installed`,
              ],
            ]
          : [],
      );
      const { stdout } = world.terminal;
      stdout.write(table([...rows, ...own], stdout));
      if (states.some(({ name, installed }) => name === 'tinyclip' && installed))
        stdout.write(`\n${await naming(values, world)}.\n`);
      return 0;
    }),
});

/** Whether the pair of encoders names subjects: nothing else shows it. */
async function naming(values: Parameters<typeof configOf>[0], world: World): Promise<string> {
  const subjects = await world.openSubjects(configOf(values, world));
  try {
    return await subjects.describe();
  } finally {
    await subjects.close();
  }
}

const USE_TEXTS = {
  find_faces: 'find faces',
  name_things: 'name things',
  rate_content: 'rate content',
  find_objects: 'find people and vehicles',
  find_people: 'find people',
  find_writing: 'find writing',
  embed: 'search by what is seen',
  tokenize: 'vocabulary of tinyclip',
  read_text: 'read text',
  caption: 'describe images',
  erase: 'fill what is erased',
} as const;

/** A download that is under way in another process shows here as well. */
const missingText = ({ arrived }: ModelState): string =>
  arrived === 0 ? 'not installed' : `not installed, ${megabytes(arrived)} arrived`;

function useText({ entry }: ModelState): string {
  if (entry.use === 'upscale') return `upscale ×${entry.architecture.scale}`;
  if (entry.use === 'cut_out') return `cut-out ${entry.sidePx}×${entry.sidePx}`;
  return USE_TEXTS[entry.use];
}
