import { defineCommand } from '../command.ts';
import { withDataset } from '../dataset.ts';
import { DATA_SWITCH } from '../setting_switches.ts';

export const datasetEmbedCommand = defineCommand({
  name: 'dataset embed',
  summary: 'encode works: records (EMBEDDINGS_URL), and pictures kept here (tinyclip)',
  words: '',
  example: 'atelier dataset embed',
  switches: DATA_SWITCH,

  run: ({ values }, world) =>
    withDataset(values, world, async (dataset, view) => {
      const { stdout, stderr } = world.terminal;
      const shown = (what: string) => (count: number) => view.show(0, `${count} ${what}`);
      const { signal } = world;
      const done = await dataset.embed({ signal, onProgress: shown('works embedded') });
      const seen = await dataset.see({ signal, onProgress: shown('pictures encoded') });
      view.clear();
      if (done === undefined && seen === undefined) {
        stderr.write(
          'No embedding model is set up (EMBEDDINGS_URL and EMBEDDINGS_MODEL), and no network that sees pictures: atelier models pull tinyclip\n',
        );
        return 1;
      }
      if (done !== undefined) stdout.write(`${done} works embedded; the others were before.\n`);
      if (seen !== undefined)
        stdout.write(`${seen} pictures encoded; the others that are kept here were before.\n`);
      return 0;
    }),
});
