import type { Calibration } from '../../../features/enrichment/subjects/types.ts';
import { defineCommand } from '../command.ts';
import { progressView } from '../progress.ts';
import { configOf, DATA_SWITCH } from '../setting_switches.ts';
import { replaceControls, table } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';

export const modelsCalibrateCommand = defineCommand({
  name: 'models calibrate',
  summary: 'let tinyclip name what is shown, as far as it is right on labelled pictures',
  words: '<labels> <pictures>',
  example: 'atelier models calibrate labels.csv pictures/',
  switches: DATA_SWITCH,
  notes:
    'labels: a file with a line a picture, "beach/3.jpg: dog, beach, sea", naming everything that is to be seen in it; pictures: the folder the names start from.\nHalf of the pictures set the thresholds, the other half tests them: what is not right nine times in ten there is not spoken of.',

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
  ['terms', 'from a share of', 'right of found, first half', 'held back', ''],
  ...groups.map(({ group, threshold, chosenOn, heldBack, speaks }) => [
    group,
    threshold ? threshold.share.toFixed(3) : '',
    threshold ? `${chosenOn.right} of ${chosenOn.all}` : '',
    threshold ? `${heldBack.right} of ${heldBack.all}` : '',
    speaks ? 'spoken of' : 'silent',
  ]),
];
