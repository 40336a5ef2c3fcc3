import { MUSEUM_NAMES } from '../../../features/artworks/museums/museums.ts';
import { defineCommand } from '../command.ts';
import { withDataset } from '../dataset.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { table } from '../terminal.ts';

export const datasetStatusCommand = defineCommand({
  name: 'dataset status',
  summary: 'what is here, and the import that runs',
  words: '',
  example: 'atelier dataset status',
  switches: DATA_SWITCH,

  run: ({ values }, world) =>
    withDataset(values, world, async (dataset) => {
      const { stdout } = world.terminal;
      const { editions, works, running } = await dataset.status();
      const rows = MUSEUM_NAMES.map((name) => {
        const last = editions.find(({ museum }) => museum === name);
        const counts = works[name] ?? { works: 0, pictures: 0 };
        return [
          name,
          `${counts.works} works`,
          `${counts.pictures} with a picture`,
          last
            ? `edition ${last.number}, ${last.publishedAt.toISOString().slice(0, 10)}, ${last.source}`
            : 'starter only',
        ];
      });
      stdout.write(table(rows, stdout));
      const [newest] = editions;
      if (newest)
        stdout.write(`\nEdition ${newest.number}: ${newest.works} works, sha256 ${newest.digest}\n`);
      if (running) {
        const what = `${running.museum} from ${running.source}`;
        const read = `${running.report.rows} rows read`;
        stdout.write(
          running.isCutShort
            ? `An import of ${what} was cut short, ${read}. The same command goes on with it; any other takes it back.\n`
            : `Importing ${what}: ${read}, last written ${running.writtenAt.toISOString()}\n`,
        );
      }
      return 0;
    }),
});
