import { defineCommand } from '../command.ts';
import { withDataset } from '../dataset.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';

export const datasetRegisterCommand = defineCommand({
  name: 'dataset register',
  summary: 'register pictures of works (met_436535.jpg), to recognise crops of them in verify_provenance',
  words: '<folder>',
  example: 'atelier dataset register pictures/',
  switches: DATA_SWITCH,

  run: ({ words: [folder = ''], values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout } = world.terminal;
      const { taken, unknown, bad } = await dataset.register(folder, {
        signal: world.signal,
        onProgress: (done, all) => view.show(all ? done / all : 0, `${done} of ${all} pictures`),
      });
      view.clear();
      stdout.write(
        `${taken} pictures registered; ${unknown} files named after no work here; ${bad.length} cannot be.\n`,
      );
      for (const { file, problem } of bad) stdout.write(`  ${replaceControls(`${file}: ${problem}`)}\n`);
      return 0;
    }),
});
