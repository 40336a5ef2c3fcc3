import {
  MUSEUM_NAMES,
  type MuseumName,
  PULLED_SHARE,
  STARTER_MUSEUMS,
} from '../../../features/artworks/museums/museums.ts';
import type { OpenedDataset } from '../../../features/artworks/open_dataset.ts';
import { defineCommand } from '../command.ts';
import { requireMuseum, withDataset } from '../dataset.ts';
import { importMuseum } from '../import_museum.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls } from '../terminal.ts';
import type { World } from '../world.ts';
import { SHRINK_SWITCH } from './dataset_import.ts';

export const datasetPullCommand = defineCommand({
  name: 'dataset pull',
  summary: 'fetch and import what the museums publish: 53,000 works in all, or everything',
  words: '[<museum>…]',
  example: 'atelier dataset pull met rijks',
  switches: { all: { meaning: 'everything they publish' }, ...SHRINK_SWITCH, ...DATA_SWITCH },
  firstWord: MUSEUM_NAMES,

  run({ words, values }, world) {
    const unnamed = values.all ? MUSEUM_NAMES : STARTER_MUSEUMS;
    const museums = words.length > 0 ? words.map(requireMuseum) : unnamed;
    const worksMax = values.all ? undefined : PULLED_SHARE;
    return withDataset(values, world, async (dataset) => {
      let code = 0;
      for (const museum of museums) {
        // One museum that cannot be reached does not keep the others away.
        const done = await importMuseum(
          dataset,
          {
            museum,
            mayShrink: values.shrink === true,
            typed: `dataset pull ${museum}${values.all ? ' --all' : ''}`,
            worksMax,
            find: (showing) => dataset.fetchMuseum(museum, { worksMax, signal: world.signal, ...showing }),
          },
          world,
        );
        code = Math.max(code, done);
        if (done === 0) await noteTerms(museum, dataset, world);
        if (world.signal.aborted) break;
      }
      return code;
    });
  },
});

/** A page of terms that cannot be read is said to be missing in the manifest; the works are here all the same. */
async function noteTerms(
  museum: MuseumName,
  dataset: OpenedDataset,
  { terminal: { stdout, stderr }, signal }: World,
): Promise<void> {
  try {
    const { url, sha256 } = await dataset.fetchTerms(museum, signal);
    stdout.write(`  Its terms, ${url}, were read: sha256 ${sha256}.\n`);
  } catch (error) {
    if ((error as Error).name !== 'SourceProblem') throw error;
    stderr.write(`${museum}: its terms could not be read: ${replaceControls((error as Error).message)}\n`);
  }
}
