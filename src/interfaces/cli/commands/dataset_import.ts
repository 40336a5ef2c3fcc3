import { MUSEUM_NAMES } from '../../../features/artworks/museums/museums.ts';
import { defineCommand } from '../command.ts';
import { requireMuseum, withDataset } from '../dataset.ts';
import { importMuseum } from '../import_museum.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { UsageError } from '../usage_error.ts';

/** Also of dataset pull. */
export const SHRINK_SWITCH = {
  shrink: { meaning: 'let works go that are not in it, also where fewer are left than there were' },
};

export const datasetImportCommand = defineCommand({
  name: 'dataset import',
  summary: 'take a museum’s own file; the same again changes nothing',
  words: '<museum> <file, folder or URL>',
  example: 'atelier dataset import met MetObjects.csv.gz',
  switches: {
    part: { meaning: 'it is a part: works that are not in it stay' },
    limit: { value: '<n>', meaning: 'at most n works, those with a picture and the best known first' },
    ...SHRINK_SWITCH,
    ...DATA_SWITCH,
  },
  firstWord: MUSEUM_NAMES,

  run({ words: [name = '', place = ''], values }, world) {
    const museum = requireMuseum(name);
    const worksMax = values.limit === undefined ? undefined : count('limit', values.limit);
    const isPart = values.part === true;
    const isUrl = /^https?:\/\//.test(place);
    return withDataset(values, world, (dataset) =>
      importMuseum(
        dataset,
        {
          museum,
          mayShrink: values.shrink === true,
          typed: `dataset import ${museum} ${shellWord(place)}${worksMax === undefined ? '' : ` --limit ${worksMax}`}`,
          worksMax,
          isPart,
          find: async (showing) =>
            isUrl
              ? dataset.fetchFile(place, { worksMax, signal: world.signal, ...showing })
              : { path: place },
        },
        world,
      ),
    );
  },
});

/** A path or address as it can be typed into a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function count(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`--${name} takes a whole number; got "${text}".`);
}
