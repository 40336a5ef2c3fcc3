import type { MirrorReport } from '../../../features/artworks/image_cache/mirror_pictures.ts';
import { PICTURE_SIZES, PICTURE_WIDTHS } from '../../../features/artworks/images/sizes.ts';
import { MUSEUM_NAMES, MUSEUMS, type MuseumName } from '../../../features/artworks/museums/museums.ts';
import { defineCommand } from '../command.ts';
import { requireMuseum, withDataset } from '../dataset.ts';
import { DATA_SWITCH } from '../setting_switches.ts';
import { type Output, replaceControls } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';

const GIGABYTE = 1e9;
const BUDGET_GB = 20;
const SIZE = 'large';

export const datasetMirrorCommand = defineCommand({
  name: 'dataset mirror',
  summary: 'keep the pictures of works here, so that a museum that refuses or closes changes nothing',
  words: '[<museum>…]',
  example: 'atelier dataset mirror met rijks --size full --budget 200',
  switches: {
    size: {
      value: '<size>',
      meaning: `${PICTURE_SIZES.join(', ')} (${Object.values(PICTURE_WIDTHS).join(', ')} pixels wide, or as it is); ${SIZE} where not said`,
    },
    budget: { value: '<GB>', meaning: `of all pictures kept; ${BUDGET_GB} where not said` },
    check: { meaning: 'read what is kept first, and bring anew what is damaged' },
    ...DATA_SWITCH,
  },
  firstWord: MUSEUM_NAMES,

  run({ words, values }, world) {
    const { signal, terminal } = world;
    const museums = words.length > 0 ? [...new Set(words.map(requireMuseum))] : MUSEUM_NAMES;
    const size = PICTURE_SIZES.find((one) => one === (values.size ?? SIZE));
    if (!size) throw new UsageError(`--size takes ${PICTURE_SIZES.join(', ')}; got "${values.size}".`);
    const bytesMax = budget(values.budget);
    return withDataset(values, world, async (dataset, view) => {
      const report = await dataset.mirror({
        museums,
        size,
        bytesMax,
        isChecked: values.check === true,
        signal,
        onProgress: (now) => view.show(now.bytes / bytesMax, lineOf(now)),
      });
      view.clear();
      print(report, terminal);
      if (signal.aborted) terminal.stderr.write('Stopped. The same command goes on.\n');
      return Object.values(report.museums).some(({ isGivenUp }) => isGivenUp) ? 1 : 0;
    });
  },
});

function budget(text: string | boolean | undefined): number {
  const gigabytes = text === undefined ? BUDGET_GB : Number(text);
  if (gigabytes > 0 && gigabytes < 1e6) return gigabytes * GIGABYTE;
  throw new UsageError(`--budget takes gigabytes, such as 20 or 0.5; got "${text}".`);
}

const ofAll = (report: MirrorReport) =>
  `${report.pictures} pictures, ${(report.bytes / GIGABYTE).toFixed(2)} GB`;

const lineOf = (report: MirrorReport) =>
  `${ofAll(report)}; brought ${Object.entries(report.museums)
    .map(([museum, { brought }]) => `${museum} ${brought}`)
    .join(', ')}`;

function print(report: MirrorReport, { stdout, stderr }: { stdout: Output; stderr: Output }): void {
  for (const [museum, own] of Object.entries(report.museums)) {
    const { name } = MUSEUMS[museum as MuseumName];
    stdout.write(
      `${name}: ${own.brought} pictures brought, ${own.failed} not, of ${own.works} works with one.\n`,
    );
    for (const problem of own.problems) stderr.write(`  ${replaceControls(problem)}\n`);
    if (own.isGivenUp)
      stderr.write('  It was given up after too many failures on end. The same command tries again.\n');
  }
  if (report.dropped > 0)
    stdout.write(`${report.dropped} were let go of: damaged, or their works are here no more.\n`);
  if (report.isFull) stdout.write('The budget is used up (--budget).\n');
  stdout.write(`${ofAll(report)} are kept.\n`);
}
