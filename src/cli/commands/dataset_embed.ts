import { defineCommand } from '../command.ts';
import { withDataset } from '../dataset.ts';
import { DATA_SWITCH } from '../setting_switches.ts';

export const datasetEmbedCommand = defineCommand({
  name: 'dataset embed',
  summary: 'embed works, to find them by meaning (EMBEDDINGS_URL)',
  words: '',
  switches: DATA_SWITCH,

  run: ({ values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout, stderr } = world.terminal;
      const done = await dataset.embed({
        signal: world.signal,
        onProgress: (count) => view.show(0, `${count} works embedded`),
      });
      view.clear();
      if (done === undefined) {
        stderr.write('No embedding model is set up. Set EMBEDDINGS_URL and EMBEDDINGS_MODEL.\n');
        return 1;
      }
      stdout.write(`${done} works embedded; the others were before.\n`);
      return 0;
    }),
});
