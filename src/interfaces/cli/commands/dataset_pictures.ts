import { defineCommand } from '../command.ts';
import { withDataset } from '../dataset.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';

export const datasetPicturesCommand = defineCommand({
  name: 'dataset pictures',
  summary: 'measure pictures of works (met_436535.jpg), to find these by colour and likeness',
  words: '<folder>',
  example: 'atelier dataset pictures pictures/',
  switches: DATA_SWITCH,

  run: ({ words: [folder = ''], values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout } = world.terminal;
      const { taken, unknown, bad } = await dataset.measure(folder, {
        signal: world.signal,
        onProgress: (done, all) => view.show(all ? done / all : 0, `${done} of ${all} pictures`),
      });
      view.clear();
      stdout.write(
        `${taken} pictures measured; ${unknown} files named after no work here; ${bad.length} are no pictures.\n`,
      );
      for (const { file, problem } of bad) stdout.write(`  ${replaceControls(`${file}: ${problem}`)}\n`);
      return 0;
    }),
});
