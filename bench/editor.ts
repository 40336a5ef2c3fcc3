import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { Operation } from '@atelier/imaging/editor/operations.ts';
import { runEdit } from '../src/core/workers/run_edit.ts';
import { operationSchema } from '../src/features/definitions/edit_operations/operation_fields.ts';
import { readOperations } from '../src/features/definitions/edit_operations/read_operations.ts';
import { median } from './support/load.ts';
import { photo } from './support/photo.ts';

const ROUNDS = 3;
const [WIDTH, HEIGHT] = [4000, 3000];
const PLATE = { x: 1000, y: 900, width: 600, height: 300 };

interface Job {
  readonly name: string;
  readonly operations: readonly object[];
  /** The equivalent hand-written code: 8 bits, stored values, as many pipelines as the library needs. */
  byHand(jpeg: Buffer, logo: Buffer): Promise<Buffer>;
}

const jpegOf = (picture: ReturnType<typeof sharp>) =>
  picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer();
const raw = async (picture: ReturnType<typeof sharp>) => {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: info as never });
};

const JOBS: readonly Job[] = [
  {
    name: 'ten operations at full size',
    operations: [
      { op: 'crop', box: { x: 100, y: 100, width: 3800, height: 2800 } },
      { op: 'flip' },
      { op: 'rotate', degrees: 90 },
      { op: 'adjust', brightness: 0.1 },
      { op: 'adjust', contrast: -0.1 },
      { op: 'adjust', saturation: 0.2 },
      { op: 'sharpen', amount: 0.5, radius: 1 },
      { op: 'blur', where: [PLATE], amount: 20, feather: 0 },
      { op: 'overlay', image: 'logo', gravity: 'southeast', margin: 50, width: 400 },
      { op: 'border', width: 40, color: 'white' },
    ],
    async byHand(jpeg, logo) {
      const cut = await raw(sharp(jpeg).extract({ left: 100, top: 100, width: 3800, height: 2800 }).flop());
      const turned = await raw(cut.rotate(90));
      const toned = await raw(turned.linear(0.99, 12.75).modulate({ saturation: 1.2 }).sharpen({ sigma: 1 }));
      const blurred = await toned
        .clone()
        .extract({ left: PLATE.x, top: PLATE.y, width: PLATE.width, height: PLATE.height })
        .blur(20)
        .png({ compressionLevel: 0 })
        .toBuffer();
      const small = await sharp(logo).resize(400).png({ compressionLevel: 0 }).toBuffer();
      const layers = [
        { input: blurred, left: PLATE.x, top: PLATE.y },
        { input: small, left: 2350, top: 3350 },
      ];
      const laid = await raw(toned.composite(layers));
      return jpegOf(laid.extend({ top: 40, left: 40, bottom: 40, right: 40, background: 'white' }));
    },
  },
  {
    name: 'ten operations, reduced first',
    operations: [
      { op: 'resize', width: 1200 },
      { op: 'crop', box: { x: 100, y: 0, width: 1000, height: 900 } },
      { op: 'flip' },
      { op: 'adjust', brightness: 0.1 },
      { op: 'adjust', contrast: -0.1 },
      { op: 'adjust', saturation: 0.2 },
      { op: 'sharpen', amount: 0.5, radius: 1 },
      { op: 'pad', top: 20, bottom: 60, background: 'white' },
      { op: 'overlay', image: 'logo', gravity: 'southeast', margin: 10, width: 200 },
      { op: 'border', width: 10, color: 'black' },
    ],
    async byHand(jpeg, logo) {
      const reduced = sharp(jpeg)
        .resize(1200)
        .extract({ left: 100, top: 0, width: 1000, height: 900 })
        .flop();
      const toned = await raw(
        reduced.linear(0.99, 12.75).modulate({ saturation: 1.2 }).sharpen({ sigma: 1 }),
      );
      const padded = await raw(toned.extend({ top: 20, bottom: 60, background: 'white' }));
      const small = await sharp(logo).resize(200).png({ compressionLevel: 0 }).toBuffer();
      const laid = await raw(padded.composite([{ input: small, left: 790, top: 770 }]));
      return jpegOf(laid.extend({ top: 10, left: 10, bottom: 10, right: 10, background: 'black' }));
    },
  },
  {
    name: 'a turn by 3 degrees',
    operations: [{ op: 'rotate', degrees: 3, background: 'white' }],
    byHand: (jpeg) => jpegOf(sharp(jpeg).rotate(3, { background: 'white' })),
  },
];

async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** CPU time of edits of 12 megapixels, JPEG to JPEG, compared with hand-written libvips code. */
export async function run(): Promise<string> {
  const jpeg = await photo(WIDTH, HEIGHT);
  const logo = await sharp({ create: { width: 800, height: 300, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer();
  const rows: string[] = [];
  for (const { name, operations, byHand } of JOBS) {
    const taken = (readOperations(operations) as object[]).map((one) => operationSchema.parse(one));
    const named = taken.map((one) =>
      'image' in one && one.image ? { ...one, image: 'logo' } : one,
    ) as Operation[];
    const edit = () =>
      runEdit({
        ...{ bytes: jpeg, operations: named, format: 'jpeg', quality: 90, frames: 'first', frameCount: 1 },
        ...{ images: { logo }, texts: {}, findings: { crops: {}, places: {} } },
      });
    await edit();
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await cpuSeconds(edit));
      theirs.push(await cpuSeconds(() => byHand(jpeg, logo)));
    }
    const [own, other] = [median(ours), median(theirs)];
    rows.push(`| ${name} | ${own.toFixed(2)} | ${other.toFixed(2)} | ${(own / other).toFixed(2)} |`);
  }
  return `## Edits\n\n${WIDTH} × ${HEIGHT} JPEG to JPEG q90, CPU seconds, median of ${ROUNDS}.\n\n| | edit_image | sharp by hand | ratio |\n|---|---|---|---|\n${rows.join('\n')}`;
}
