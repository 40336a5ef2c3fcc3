import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { analysePicture } from '@atelier/engines/analyst/analyse_picture.ts';
import { plainColorName } from '@atelier/engines/analyst/plain_color_names.ts';
import type { Given } from '@atelier/engines/analyst/write/given.ts';
import { premiumMetadata, standardMetadata } from '@atelier/engines/analyst/write/write_metadata.ts';
import { writeSections } from '@atelier/engines/analyst/write/write_sections.ts';
import sharp from 'sharp';
import { surveyAgreement } from '../tests/support/color_survey.ts';
import { picturesWithTruth } from '../tests/support/pictures_with_truth.ts';

/** None of those the thresholds were set on. */
const SEEDS = [205, 206, 207, 208];
const CHARACTERS_PER_TOKEN = 4;
const GIVEN: Given = {
  title: '',
  artist_name: '',
  copyright_holder: '',
  creation_year: '',
  content_type: 'artwork',
  context: '',
};

/** What the built-in analyst claims of made pictures and how often it is right; length of its answers; time and memory. */
export async function run(): Promise<string> {
  return [
    '## The built-in analyst',
    '',
    await claims(),
    '',
    await lengths(),
    '',
    colors(),
    '',
    await times(),
  ].join('\n');
}

/** The share of right claims on pictures whose truth is known because they were made. */
async function claims(): Promise<string> {
  const tally = new Map<string, { right: number; wrong: number; withheld: number }>();
  for (const seed of SEEDS)
    for (const picture of picturesWithTruth(seed)) {
      const verdict = picture.isRight(await analysePicture({ bytes: await picture.bytes() }));
      const row = tally.get(picture.claim) ?? { right: 0, wrong: 0, withheld: 0 };
      row[verdict === undefined ? 'withheld' : verdict ? 'right' : 'wrong']++;
      tally.set(picture.claim, row);
    }
  const all = [...tally.values()].reduce((sum, row) => ({
    right: sum.right + row.right,
    wrong: sum.wrong + row.wrong,
    withheld: sum.withheld + row.withheld,
  }));
  const line = (name: string, { right, wrong, withheld }: typeof all) =>
    `| ${name} | ${right} | ${wrong} | ${withheld} | ${((100 * right) / Math.max(1, right + wrong)).toFixed(1)} % |`;
  return [
    `Made pictures with known truth, counter-examples among them, ${SEEDS.length} seeds. "Withheld": the analyst said nothing.`,
    '',
    '| claim | right | wrong | withheld | right of what was said |',
    '|---|---|---|---|---|',
    ...[...tally].map(([name, row]) => line(name, row)),
    line('**all**', all),
  ].join('\n');
}

async function lengths(): Promise<string> {
  const folder = fileURLToPath(new URL('../../shared/images/', import.meta.url));
  if (!existsSync(folder)) return 'Lengths: skipped, ../shared/images is absent';
  const files = globSync(['artworks/*.jpg', 'photo/*.png', 'art/*.jpg'], { cwd: folder })
    .sort()
    .filter((_, index) => index % 3 === 0);
  const tokens = { standard: [] as number[], premium: [] as number[], sections: [] as number[] };
  for (const file of files) {
    const facts = writeSections(await analysePicture({ bytes: readFileSync(folder + file) }), GIVEN);
    tokens.standard.push(tokensOf(standardMetadata(facts)));
    tokens.premium.push(tokensOf(premiumMetadata(facts)));
    tokens.sections.push(tokensOf(facts));
  }
  const row = (name: string, counts: number[]) => {
    const sorted = counts.toSorted((one, other) => one - other);
    return `| ${name} | ${sorted[0]} | ${sorted[sorted.length >> 1]} | ${sorted.at(-1)} |`;
  };
  return [
    `Length of an answer over ${files.length} reproductions and photographs, in tokens of ${CHARACTERS_PER_TOKEN} characters. The specification has 2000 to 6000 for the full analysis.`,
    '',
    '| answer | least | median | most |',
    '|---|---|---|---|',
    row('standard', tokens.standard),
    row('premium', tokens.premium),
    row('all sections, without a record', tokens.sections),
  ].join('\n');
}

const tokensOf = (value: object): number => Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN);

function colors(): string {
  const { agreed, greensCalledGrey } = surveyAgreement(plainColorName);
  return `Names of colours against the colour survey of xkcd, over a grid of 4,096: ${(100 * agreed).toFixed(1)} % have the survey's basic term, ${(100 * greensCalledGrey).toFixed(1)} % of the greens are called grey.`;
}

async function times(): Promise<string> {
  const rows: string[] = [];
  for (const [width, height] of [
    [1000, 1000],
    [4000, 3000],
    [8000, 6000],
  ] as const) {
    const bytes = await sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .jpeg({ quality: 90 })
      .toBuffer();
    await analysePicture({ bytes });
    const [ours, decoding] = [await best(() => analysePicture({ bytes })), await best(() => decoded(bytes))];
    const megapixels = (width * height) / 1e6;
    rows.push(
      `| ${megapixels} | ${ours.toFixed(0)} | ${(ours / megapixels).toFixed(0)} | ${(ours / decoding).toFixed(1)} | ${Math.round(process.memoryUsage().rss / 2 ** 20)} |`,
    );
  }
  return [
    'Processor time of one analysis, beside decoding the same JPEG whole (the least any analysis must do).',
    '',
    '| megapixels | processor ms | ms a megapixel | times the decoding | MiB of the process |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const decoded = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

/** Milliseconds of processor of the cheapest of three: on a busy machine the clock says little. */
async function best(work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
