import { mockupImage } from '@atelier/engines/mockup/mockup_image.ts';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import { photo } from './support/photo.ts';

const PRODUCTS = ['tshirt', 'poster', 'canvas', 'phone_case', 'mug', 'tote_bag'] as const;
const VIEWS = ['front', 'angle'] as const;
const SIDES = [2000, 4000] as const;
const ROUNDS = 3;

/** A mockup of each product in each view: processor time of the first of its kind, and of the best of those after it. */
export async function run(): Promise<string> {
  const bytes = await photo(1600, 1200);
  const peers: number[] = [];
  for (const side of SIDES)
    peers.push(await bestOf(() => sharp(bytes).resize(side, side, { fit: 'fill' }).png().toBuffer()));
  const rows: string[] = [];
  for (const product of PRODUCTS)
    for (const view of VIEWS) {
      const show = (side: number) => mockupImage({ bytes, product, view, side, background: [245, 245, 245] });
      const first = await processorMs(() => show(2000));
      const times: number[] = [];
      for (const side of SIDES) times.push(await bestOf(() => show(side)));
      const mib = (await show(4000)).bytes.length / 2 ** 20;
      const [small, large] = times.map((ms, at) => `${ms.toFixed(0)} (${(ms / peers[at]!).toFixed(2)})`);
      rows.push(`| ${product}, ${view} | ${first.toFixed(0)} | ${small} | ${large} | ${mib.toFixed(1)} |`);
    }
  return [
    '## Mockups',
    '',
    `From a photograph of 1600 × 1200, milliseconds of the processor, all threads together. "First" works out the maps of the view; then the best of ${ROUNDS}. In brackets: times what sharp takes to enlarge the photograph to as many pixels and write a PNG.`,
    '',
    '| product, view | first, 2000 px | then, 2000 px | then, 4000 px | file of 4000 px, MiB |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function bestOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await processorMs(work));
  return Math.min(...times);
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
