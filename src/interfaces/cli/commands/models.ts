import type { Calibration } from '../../../features/enrichment/subjects/types.ts';
import type { ModelState, Models } from '../../../features/models/types.ts';
import { defineCommand } from '../command.ts';
import {
  megabytes,
  originText,
  reportInstalled,
  requireModel,
  requireModels,
  withModels,
} from '../models.ts';
import { progressView } from '../progress.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls, table } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';
import type { World } from '../world.ts';

export const modelsListCommand = defineCommand({
  name: 'models list',
  summary: 'list all models with their source and whether they are installed',
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
        state.sources.join(', ') || 'local file only (models add)',
      ]);
      const own = (await models.upscalersAtHand()).flatMap((network) =>
        'condition' in network
          ? [
              [
                network.name,
                `upscale ×${network.architecture.scale}`,
                'bundled',
                megabytes(network.bytes),
                'Apache-2.0',
                `fallback for ${network.condition} images, if the requested model is not installed`,
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

/** Reports whether the pair of encoders names subjects; no other command shows this. */
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
  embed: 'search by image content',
  tokenize: 'vocabulary of tinyclip',
  read_text: 'read text',
  caption: 'describe images',
  erase: 'fill erased areas',
} as const;

/** Also shows a download that runs in another process. */
const missingText = ({ arrived }: ModelState): string =>
  arrived === 0 ? 'not installed' : `not installed, ${megabytes(arrived)} arrived`;

function useText({ entry }: ModelState): string {
  if (entry.use === 'upscale') return `upscale ×${entry.architecture.scale}`;
  if (entry.use === 'cut_out') return `cut-out ${entry.sidePx}×${entry.sidePx}`;
  return USE_TEXTS[entry.use];
}

export const modelsAddCommand = defineCommand({
  name: 'models add',
  summary: 'install a model from a local file',
  words: '<file>',
  example: 'atelier models add RealESRGAN_x2plus.pth',
  switches: {
    model: { value: '<name>', meaning: 'name of the model, if the file content does not identify it' },
    accept: { meaning: 'accept unofficial weights; responses report them as unofficial' },
    ...DATA_SWITCH,
  },

  run: ({ words: [path = ''], values }, world) =>
    withModels(values, world, async (models) => {
      const states = await models.list();
      const name = values.model === undefined ? undefined : requireModel(values.model, states);
      reportInstalled(
        await models.add(path, { accept: values.accept === true, name }),
        states,
        world.terminal,
      );
      return 0;
    }),
});

export const modelsCalibrateCommand = defineCommand({
  name: 'models calibrate',
  summary: 'calibrate subject recognition by tinyclip on labelled images',
  words: '<labels> <pictures>',
  example: 'atelier models calibrate labels.csv pictures/',
  switches: DATA_SWITCH,
  notes:
    'labels: a file with one line per image, "beach/3.jpg: dog, beach, sea", that names everything visible in the image. pictures: the base folder of the file names.\nHalf of the images set the thresholds, the other half test them. Terms with a precision below 0.9 in the test are not reported.',

  async run({ words: [labels = '', pictures = ''], values }, world) {
    const { stdout, stderr } = world.terminal;
    const subjects = await world.openSubjects(configOf(values, world));
    const view = progressView(stderr);
    try {
      const labelled = await subjects.readLabels(labels, pictures);
      const { signal } = world;
      const measured = await subjects.calibrate(labelled, { signal, onProgress: view.show });
      view.clear();
      stdout.write(table(rowsOf(measured), stdout));
      stdout.write(`\n${await subjects.describe()}.\n`);
      return 0;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      view.clear();
      stderr.write(`${replaceControls((error as Error).message)}\n`);
      return 1;
    } finally {
      await subjects.close();
    }
  },
});

const rowsOf = ({ groups }: Calibration): string[][] => [
  ['terms', 'threshold', 'correct of found, training half', 'test half', ''],
  ...groups.map(({ group, threshold, chosenOn, heldBack, speaks }) => [
    group,
    threshold ? threshold.share.toFixed(3) : '',
    threshold ? `${chosenOn.right} of ${chosenOn.all}` : '',
    threshold ? `${heldBack.right} of ${heldBack.all}` : '',
    speaks ? 'spoken of' : 'silent',
  ]),
];

export const modelsExportCommand = defineCommand({
  name: 'models export',
  summary: 'export the installed models to one file, for a machine without internet access',
  words: '<file>',
  example: 'atelier models export networks.tar',
  switches: DATA_SWITCH,

  run: ({ words: [path = ''], values }, world) =>
    withModels(values, world, async (models) => {
      const installed = await models.exportTo(path);
      const bytes = installed.reduce((sum, model) => sum + model.bytes, 0);
      const names = installed.map(({ name }) => name).join(', ');
      world.terminal.stdout.write(
        `${path}: ${installed.length} model${installed.length === 1 ? '' : 's'}, ${megabytes(bytes)}: ${names}.\nOn the other machine: atelier models import <file>\n`,
      );
      return 0;
    }),
});

export const modelsImportCommand = defineCommand({
  name: 'models import',
  summary: 'install models from a file written by models export, and verify their sha256',
  words: '<file>',
  example: 'atelier models import networks.tar',
  switches: {
    accept: { meaning: 'accept unofficial weights' },
    ...DATA_SWITCH,
  },

  run: ({ words: [path = ''], values }, world) =>
    withModels(values, world, async (models) => {
      const states = await models.list();
      const imported = await models.importFrom(path, { accept: values.accept === true });
      for (const { name, installed, problem = '' } of imported) {
        if (installed) reportInstalled(installed, states, world.terminal);
        else world.terminal.stderr.write(`${name} NOT INSTALLED: ${replaceControls(problem)}\n`);
      }
      return imported.every(({ installed }) => installed) ? 0 : 1;
    }),
});

export const modelsPullCommand = defineCommand({
  name: 'models pull',
  summary: 'download official models by name; vision: all vision models; all: all models',
  words: '<name>…',
  example: 'atelier models pull realesrgan_x2plus isnet_general',
  switches: DATA_SWITCH,

  run: ({ words, values }, world) =>
    withModels(values, world, async (models) => {
      const states = await models.list();
      const names =
        words.join() === 'all'
          ? states.filter(({ bytes }) => bytes !== undefined).map(({ name }) => name)
          : words.flatMap((word) => requireModels(word, states));
      for (const name of new Set(names)) {
        // Further files of the package have been downloaded by now.
        const { installed } = (await models.list()).find((other) => other.name === name)!;
        if (installed && installed.origin !== 'unofficial')
          world.terminal.stdout.write(`${name} is already installed.\n`);
        else await pull(name, { models, states }, world);
      }
      return 0;
    }),
});

async function pull(
  name: ModelState['name'],
  { models, states }: { models: Models; states: readonly ModelState[] },
  { terminal, signal, report }: World,
): Promise<void> {
  const view = progressView(terminal.stderr);
  const onProgress = (done: number, all: number) => {
    const arrived = `${megabytes(done)} of ${megabytes(all)}`;
    report?.(done / all, arrived);
    view.show(done / all, terminal.stderr.isTTY ? `${name} ${arrived}` : name);
  };
  try {
    reportInstalled(await models.pull(name, { signal, onProgress }), states, terminal);
  } finally {
    view.clear();
  }
}
