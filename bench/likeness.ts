import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { lookOfPicture } from '@atelier/engines/look/look_of_picture.ts';
import { openSession, type Session } from '@atelier/engines/onnx/open_session.ts';
import { partOfGraph } from '@atelier/engines/onnx/part_of_graph.ts';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import type { Database } from '../src/database/contract.ts';
import { createLookIndex, type ShippedLook } from '../src/dataset/looks/look_index.ts';
import { packVector, VectorIndex } from '../src/dataset/meaning/vector_index.ts';

const SHARED = resolve(import.meta.dirname, '../../shared');
const FOLDERS = ['images/artworks'];
/** What the tagging network gives before it names anything: 1280 numbers. */
const FEATURES = 't169';
const SIDE_PX = 224;
const SIDE_MAX_PX = 320;

/** Paintings whose titles say what they are; whoever sends one wants others of its kind. */
const KINDS = {
  landscape: '10790 11322 11894 436090 437307 437436 437680 437853 437980 438635 435809 44703'.split(' '),
  portrait: '436150 436243 436323 436620 436660 436850 437262 437398 437408 437868 438002'.split(' '),
};

/** A way to put pictures in order of likeness; those it says nothing of are missing. */
interface Way {
  add(id: string, bytes: Uint8Array): Promise<void>;
  order(bytes: Uint8Array): Promise<string[]>;
}

/** `npm run bench likeness`: today's looks (hash and palette) beside the features of the tagging network, on pictures neither was tuned on. */
export async function run(): Promise<string> {
  const network = readFileSync(join(SHARED, 'models/imagenet_mobilenet_v2.onnx'));
  const session = await openSession(partOfGraph(network, [FEATURES]));
  const files = FOLDERS.flatMap((folder) => globSync(`${SHARED}/${folder}/*.{jpg,jpeg,png}`));
  const pictures = await Promise.all(
    files.map(async (file) => ({
      id: basename(file),
      // Neither way looks at more.
      bytes: await sharp(readFileSync(file))
        .resize(SIDE_MAX_PX, SIDE_MAX_PX, { fit: 'inside' })
        .jpeg({ quality: 92 })
        .toBuffer(),
    })),
  );
  const rows: string[] = [];
  const ways: [string, () => Way][] = [
    ['looks: hash and palette', byLooks],
    ['features of the tagging network', () => byFeatures(session)],
  ];
  for (const [name, make] of ways) rows.push(`| ${name} | ${(await measured(make, pictures)).join(' | ')} |`);
  return [
    '## Likeness',
    '',
    `${pictures.length} pictures (paintings and prints). *Copies*: every picture is in the index, asked for by one smaller and saved again. *Crops*: by its middle 60 %,`,
    'darker and saved again. *Other half*: only right halves are in the index, asked for by left halves, which share no pixel. Shares of pictures whose',
    `own comes first. *Kind*: ${KINDS.landscape.length} landscapes and ${KINDS.portrait.length} portraits, each asked for among the others; share of the five nearest that are of its kind.`,
    '',
    '| | copies | crops | other half | kind |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

type Pictures = readonly { readonly id: string; readonly bytes: Uint8Array }[];

async function measured(make: () => Way, pictures: Pictures): Promise<string[]> {
  const whole = make();
  const halves = make();
  for (const { id, bytes } of pictures) {
    await whole.add(id, bytes);
    await halves.add(id, await part(bytes, { left: 0.5, top: 0, width: 0.5, height: 1 }));
  }
  const first = async (way: Way, change: (bytes: Uint8Array) => Promise<Uint8Array>) => {
    let right = 0;
    for (const { id, bytes } of pictures) if ((await way.order(await change(bytes)))[0] === id) right += 1;
    return percent(right / pictures.length);
  };
  return [
    await first(whole, (bytes) => sharp(bytes).resize(300).jpeg({ quality: 60 }).toBuffer()),
    await first(whole, async (bytes) =>
      sharp(await part(bytes, { left: 0.2, top: 0.2, width: 0.6, height: 0.6 }))
        .modulate({ brightness: 0.85 })
        .jpeg({ quality: 70 })
        .toBuffer(),
    ),
    await first(halves, (bytes) => part(bytes, { left: 0, top: 0, width: 0.5, height: 1 })),
    await kindOf(make(), pictures),
  ];
}

async function kindOf(way: Way, pictures: Pictures): Promise<string> {
  const kinds = Object.values(KINDS);
  const of = (id: string) =>
    kinds.find((numbers) => numbers.some((number) => id.startsWith(`met-${number}-`)));
  const known = pictures.filter(({ id }) => of(id));
  for (const { id, bytes } of known) await way.add(id, bytes);
  let right = 0;
  for (const { id, bytes } of known) {
    const nearest = (await way.order(bytes)).filter((other) => other !== id).slice(0, 5);
    right += nearest.filter((other) => of(other) === of(id)).length / 5;
  }
  return percent(right / known.length);
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

async function part(
  bytes: Uint8Array,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): Promise<Uint8Array> {
  const { width: w, height: h } = await sharp(bytes).metadata();
  const region = {
    ...{ left: Math.floor(left * w), top: Math.floor(top * h) },
    ...{ width: Math.floor(width * w), height: Math.floor(height * h) },
  };
  return sharp(bytes).extract(region).jpeg({ quality: 90 }).toBuffer();
}

function byLooks(): Way {
  const rows: ShippedLook[] = [];
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  // What is shipped with a server stands beside the rows of its database, of which there are none.
  const database = { query: async () => [] } as unknown as Database;
  return {
    async add(id, bytes) {
      const { hashes, quality, colors } = await lookOfPicture({ bytes });
      rows.push({ id, pdq: hex(hashes[0]!), quality, colors: hex(colors) });
    },
    async order(bytes) {
      const like = await lookOfPicture({ bytes });
      const hits = await createLookIndex(database, rows).search({ like });
      return hits.map(({ id }) => id);
    },
  };
}

function byFeatures(session: Session): Way {
  let index: VectorIndex | undefined;
  const featuresOf = async (bytes: Uint8Array) => {
    const pixels = await sharp(bytes)
      .resize(SIDE_PX, SIDE_PX, { fit: 'fill' })
      .flatten()
      .toColourspace('srgb')
      .raw()
      .toBuffer();
    const area = SIDE_PX * SIDE_PX;
    const input = Float32Array.from(
      { length: 3 * area },
      (_, at) => (pixels[(at % area) * 3 + Math.floor(at / area)]! - 128) / 128,
    );
    return session.runNamed({ input: { data: input, sides: [1, 3, SIDE_PX, SIDE_PX] } }, FEATURES);
  };
  return {
    async add(id, bytes) {
      const vector = await featuresOf(bytes);
      index ??= new VectorIndex(vector.length);
      index.set(id, packVector(vector));
    },
    order: async (bytes) => (await index!.nearest(await featuresOf(bytes), 1000)).map(({ id }) => id),
  };
}
