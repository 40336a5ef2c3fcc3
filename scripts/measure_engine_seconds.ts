import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OUTPUT_FORMATS } from '@atelier/imaging/encoders/formats.ts';
import sharp from 'sharp';
import { photo } from '../bench/support/photo.ts';
import type { EngineName } from '../src/core/workers/engines.ts';
import { PLACES } from '../src/core/workers/find_places.ts';
import { createPredictor } from '../src/core/workers/predict_seconds.ts';
import type { Pixels, RunSeconds } from '../src/core/workers/types.ts';
import { createPixels } from '../src/core/workers/workers.ts';
import { VARIANT_SETS } from '../src/features/images/tools/variant_sets.ts';
import { createModels } from '../src/features/models/service.ts';
import { createPressProfiles } from '../src/features/print/profiles/press_profiles.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MODELS = new URL('../../shared/models/', import.meta.url);
const SIGNAL = new AbortController().signal;
const RENDERING = { intent: 'relative', blackPointCompensation: true } as const;

interface Case {
  readonly engine: EngineName;
  readonly name: string;
  readonly input: object;
  /** As reserved by the tool. */
  readonly pixels: number;
}

/**
 * Measures the CPU seconds of every engine and compares them with the prediction; ENGINE_SECONDS in `src/core/workers/predict_seconds.ts` is fitted to them.
 * ENGINES=resize,… limits the engines, ROUNDS=5 sets the number of runs.
 */
async function measure(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-seconds-'));
  const pixels = createPixels({
    workers: 1,
    pixelsInFlightMax: 1e9,
    queueLengthMax: 9,
    deadlineMs: 600_000,
    callerShare: 1,
  });
  const rows: string[] = [];
  const wanted = (process.env.ENGINES ?? '').split(',').filter(Boolean);
  try {
    for await (const one of cases(folder)) {
      if (wanted.length > 0 && !wanted.includes(one.engine)) continue;
      rows.push(await row(pixels, one));
      console.error(rows.at(-1));
    }
  } finally {
    await pixels.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    '## CPU seconds of engines, predicted and measured',
    '',
    `User and system time of all threads of the worker process, median of ${ROUNDS} runs after one that loads the code. The prediction is that of a server that has just started. Pictures are grain over soft shapes as JPEG, unless the row says otherwise.`,
    '',
    '| engine | input | predicted s | measured s | measured ÷ predicted |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function row(pixels: Pixels, { engine, name, input, pixels: held }: Case): Promise<string> {
  const control = { pixels: held, signal: SIGNAL, deadlineMs: 600_000 };
  const predicted = createPredictor().predict(engine, input, control).seconds;
  const seconds: number[] = [];
  let failure = '';
  for (let round = 0; round <= ROUNDS; round += 1) {
    const onSpent = ({ cpu }: RunSeconds) => void (round > 0 && seconds.push(cpu));
    const own =
      'path' in input && engine !== 'render_region' ? { ...input, path: `${input.path}${round}` } : input;
    await pixels.run(engine, own as never, { ...control, onSpent }).catch((error) => {
      failure = ` (${error.code}: ${String(error.message).slice(0, 60)})`;
    });
    if (seconds[0]! > 15) break;
  }
  const median = seconds.sort((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? Number.NaN;
  return `| ${engine} | ${name}${failure} | ${predicted.toFixed(2)} | ${median.toFixed(2)} | ${(median / predicted).toFixed(2)} |`;
}

const SIZES = [
  [600, 400],
  [1500, 1000],
  [2828, 2828],
  [4900, 3300],
] as const;

async function* cases(folder: string): AsyncGenerator<Case> {
  yield* ofNetworks(folder);
  yield* ofParameters();
  for (const [width, height] of SIZES) {
    const bytes = await photo(width, height);
    const area = width * height;
    const name = `${(area / 1e6).toFixed(2)} MP`;
    yield* ofPicture({ bytes, area, name, folder });
    if (area > 1e6 && area < 20e6) yield* ofFormats(bytes, area, name);
  }
}

interface Picture {
  readonly bytes: Buffer;
  readonly area: number;
  readonly name: string;
  readonly folder: string;
}

const CANVAS = { dpi: 150, background: '#ffffff' } as const;
const PHOTO = { type: 'image', image: 'photo' } as const;
const WORDS = { type: 'text', text: 'Autumn exhibition, 14 to 29 November', fit: true } as const;
/** Documents by their contents. */
const COMPOSED = {
  'a photograph': [PHOTO],
  'eight texts': Array.from({ length: 8 }, (_, row) => ({
    ...WORDS,
    box: { x: '5%', y: `${5 + 11 * row}%`, width: '90%', height: '9%' },
  })),
  'a poster': [
    PHOTO,
    {
      type: 'shape',
      shape: 'rect',
      fill: '#00000080',
      box: { x: 0, y: '70%', width: '100%', height: '30%' },
    },
    { ...WORDS, color: '#ffffff', box: { x: '5%', y: '75%', width: '90%', height: '12%' } },
    { type: 'qr', text: 'https://example.org/', box: { x: '80%', y: '5%', width: '15%', height: '15%' } },
  ],
} as const;

async function* ofPicture({ bytes, area, name, folder }: Picture): AsyncGenerator<Case> {
  const of = (engine: EngineName, input: object, more = '', pixels = area): Case => ({
    engine,
    name: `${name} ${more}`.trim(),
    input: { bytes, ...input },
    pixels,
  });
  const shrink = { width: 200, height: 200, mode: 'contain', format: 'png', quality: 90, isMeasured: true };
  yield of('resize', shrink, 'to 200 png');
  for (const format of ['png', 'jpeg', 'webp'])
    yield of(
      'resize',
      { ...shrink, width: 2000, height: 2000, mode: 'stretch', format },
      `to 2000² ${format}`,
    );
  for (const format of OUTPUT_FORMATS) {
    if (area > 10e6) break;
    yield of('convert', { format, frames: 'first' }, `to ${format}`);
    yield of('convert', { format, frames: 'first', bytesMax: area / 20 }, `to ${format}, fitted`);
  }
  for (const [set, variants] of Object.entries(VARIANT_SETS))
    yield of('make_variants', { variants, fit: 'cover', set }, set, 2 * area + 20e6);
  for (const format of ['png', 'webp', 'avif'] as const) {
    const square = [500, 1000, 2000].map((side) => ({ name: `${side}`, width: side, height: side, format }));
    yield of(
      'make_variants',
      { variants: square, fit: 'cover' },
      `three squares, ${format}`,
      2 * area + 20e6,
    );
  }
  for (const [kind, layers] of Object.entries(COMPOSED))
    for (const side of [800, 2000])
      yield {
        engine: 'compose',
        name: `${name}, ${kind}, ${side}² png`,
        input: {
          canvas: { ...CANVAS, width: side, height: side },
          layers,
          images: { photo: bytes },
          format: 'png',
        },
        pixels: area + 4 * side * side,
      };
  yield of('convert_to_srgb', { dpi: 300 });
  const [press] = await createPressProfiles({ folder: undefined }).list();
  yield of('convert_to_press', { dpi: 300, software: 'x', press, rendering: RENDERING, isProof: false });
  yield of(
    'convert_to_press',
    { dpi: 300, software: 'x', press, rendering: RENDERING, isProof: true },
    'proof',
  );
  yield of('mockup', { product: 'mug', background: [255, 255, 255] });
  yield of('palette', { colors: 6, isSheetWanted: false });
  yield of('palette', { colors: 6, isSheetWanted: true }, 'sheet');
  yield of('analyse', {});
  for (const mode of ['color', 'binary']) yield of('vectorize', { ...VECTOR, mode }, mode);
  yield of('cut_out', { format: 'png', look: { kind: 'transparent' } });
  yield of('difference', { original: bytes });
  yield of('fingerprint', { purpose: 'verify' });
  yield of('fingerprint', { purpose: 'register' }, 'register');
  yield of('condition', {});
  yield of('look', {});
  yield of('hash_pixels', {});
  yield of('infuse', { fields: { title: 'x' } });
  for (const engine of [
    'inspect',
    'read_metadata',
    'read_manifest',
    'take_manifest',
    'read_soulmark',
  ] as const)
    yield of(engine, {});
  yield of('watermark_embed', { payload: 'Ada', strength: 0.5, id: 'abcdef012345' });
  yield of('watermark_detect', {});
  if (area < 20e6) yield of('watermark_detect', { parts: true }, 'parts');
  const path = join(folder, `${area}.tif`);
  yield of('make_pyramid', { path });
  // The first run of the pyramid wrote under this name.
  for (const side of [256, 1000])
    yield of(
      'render_region',
      {
        path: `${path}0`,
        region: { left: 0, top: 0, width: 400, height: 400 },
        size: { width: side, height: side },
        isMirrored: false,
        degrees: 0,
        quality: 'color',
        format: 'jpg',
      },
      `400² to ${side}²`,
      1e6,
    );
  if (area < 40e6) {
    const print = { bleedMm: 3, fit: 'cover', orientation: 'auto', hasMarks: true, press };
    const words = { rendering: RENDERING, software: 'x', title: 'x', createdAt: '2026-01-01T00:00:00Z' };
    const about = { documentId: '6ba7b810-9dad-11d1-80b4-00c04fd430c8', deadlineMs: 600_000 };
    for (const [width, dpi, format] of [
      [100, 300, 'tiff'],
      [210, 300, 'tiff'],
      [210, 300, 'pdf'],
      [420, 300, 'tiff'],
    ] as const)
      yield of(
        'print',
        {
          ...print,
          ...words,
          ...about,
          format,
          dpi,
          trimMm: { width, height: width * 1.4 },
          path: join(folder, `sheet ${area} ${width} ${dpi} ${format} `),
        },
        `${width} mm ${dpi} dpi ${format}`,
      );
  }
}

const VECTOR = {
  colorPrecision: 6,
  filterSpeckle: 4,
  palette: [],
  gradients: false,
  nodesMax: 60_000,
  force: true,
};

async function* ofFormats(jpeg: Buffer, area: number, name: string): AsyncGenerator<Case> {
  const picture = sharp(jpeg);
  const files = {
    png: await picture.png({ compressionLevel: 6 }).toBuffer(),
    'png interlaced': await picture.png({ compressionLevel: 6, progressive: true }).toBuffer(),
    'png 16 bit': await picture.toColourspace('rgb16').png().toBuffer(),
    'jpeg progressive': await sharp(jpeg).jpeg({ progressive: true, quality: 88 }).toBuffer(),
    webp: await sharp(jpeg).webp({ quality: 80 }).toBuffer(),
    avif: await sharp(jpeg).avif({ effort: 1 }).toBuffer(),
    tiff: await sharp(jpeg).tiff({ compression: 'lzw' }).toBuffer(),
    gif: await sharp(jpeg).gif({ effort: 1 }).toBuffer(),
  };
  for (const [format, bytes] of Object.entries(files)) {
    const input = {
      bytes,
      width: 200,
      height: 200,
      mode: 'contain',
      format: 'png',
      quality: 90,
      isMeasured: true,
    };
    yield { engine: 'resize', name: `${name} ${format} to 200`, input, pixels: area };
    yield { engine: 'hash_pixels', name: `${name} ${format}`, input: { bytes }, pixels: area };
  }
}

async function* ofParameters(): AsyncGenerator<Case> {
  const bytes = await photo(1500, 1000);
  const area = 1.5e6;
  for (const side of [512, 1024, 2000, 4000])
    for (const product of ['mug', 'tshirt', 'framed_print'])
      yield {
        engine: 'mockup',
        name: `${product} ${side} px`,
        pixels: area + 2.5 * side * side,
        input: { bytes, product, side, background: [255, 255, 255] },
      };
  for (const change of [
    { colorPrecision: 2 },
    { colorPrecision: 10 },
    { filterSpeckle: 0 },
    { filterSpeckle: 40 },
    { gradients: true },
    { nodesMax: 250_000 },
    { nodesMax: 5_000 },
    { colorPrecision: 10, filterSpeckle: 0, nodesMax: 250_000 },
  ])
    yield {
      engine: 'vectorize',
      name: `1.5 MP ${JSON.stringify(change)}`,
      pixels: area,
      input: { bytes, mode: 'color', ...VECTOR, ...change },
    };
  for (const [width, height, format] of [
    [500, 500, 'jpeg'],
    [1000, 1000, 'webp'],
    [4000, 4000, 'jpeg'],
    [7000, 6600, 'jpeg'],
    [7000, 6600, 'png'],
    [7000, 6600, 'webp'],
  ] as const)
    yield {
      engine: 'resize',
      name: `1.5 MP to ${width} × ${height} ${format}`,
      pixels: area + width * height,
      input: { bytes, width, height, mode: 'stretch', format, quality: 90, isMeasured: true },
    };
}

async function* ofNetworks(folder: string): AsyncGenerator<Case> {
  const models = createModels({
    folder: join(folder, 'models'),
    provider: 'cpu',
    mirror: undefined,
    fetch: () => Promise.reject(new Error('no network here')),
  } as never);
  for (const file of [
    'u2netp',
    'clip_standin',
    'face_detection_yunet_2026may',
    'text_detection_ppocrv3',
    'person_segmentation_pphumansegv1_lite',
    'nsfw_mobilenet_v2',
    'imagenet_mobilenet_v2',
  ])
    await models
      .add(new URL(`${file}.onnx`, MODELS).pathname, { accept: true })
      .catch((error) => console.error(file, String(error)));
  for (const [width, height] of [
    [300, 200],
    [600, 400],
    [1000, 700],
    [2000, 1333],
  ] as const) {
    const bytes = await photo(width, height);
    const area = width * height;
    const name = `${(area / 1e6).toFixed(2)} MP`;
    const network = await models.cutOut();
    if (network)
      yield {
        engine: 'cut_out_by_network',
        name,
        pixels: area,
        input: { bytes, network, format: 'png', look: { kind: 'transparent' } },
      };
    const { embedder, ...eyes } = await models.eyes();
    if (Object.keys(eyes).length > 0)
      yield {
        engine: 'see',
        name: `${name} ${Object.keys(eyes).join(' ')}`,
        pixels: area,
        input: { bytes, networks: eyes },
      };
    for (const [sight, file] of Object.entries(eyes))
      yield {
        engine: 'see',
        name: `${name} ${sight}`,
        pixels: area,
        input: { bytes, networks: { [sight]: file } },
      };
    const finders = await models.placeFinders();
    for (const place of PLACES)
      yield {
        engine: 'find_places',
        name: `${name} ${place}`,
        pixels: area,
        input: { bytes, place, finders, otherwise: 'next' },
      };
    const clip = await models.embedder();
    if (clip) yield { engine: 'embed_picture', name, pixels: area, input: { bytes, network: clip } };
    if (clip && area < 1e5)
      yield { engine: 'embed_text', name: 'text', pixels: 1, input: { text: 'a boat', network: clip } };
    for (const model of await models.upscalersAtHand()) {
      if (area > 1e6 && model.name !== (await models.upscalersAtHand())[0]!.name) continue;
      yield { engine: 'upscale', name: `${name} ${model.name}`, pixels: area * 9, input: { bytes, model } };
      if (area < 3e5)
        yield {
          engine: 'count_passes',
          name,
          pixels: area,
          input: { bytes, architecture: model.architecture },
        };
    }
    if (area < 1e5)
      yield {
        engine: 'compare_upscalers',
        name: 'all',
        pixels: area,
        input: { bytes, models: await models.upscalersAtHand() },
      };
    if (area < 1e5)
      yield {
        engine: 'measure_upscaler',
        name: 'one',
        pixels: 0,
        input: { model: (await models.upscalersAtHand())[0] },
      };
  }
}

console.log(await measure());
