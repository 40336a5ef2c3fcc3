import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePng } from '@atelier/imaging/codecs/write_png.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { EngineName, Engines } from '../../../core/workers/engines.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { Models } from '../../models/types.ts';
import type { PressProfiles } from '../../print/profiles/types.ts';
import type { EngineChecks, EngineHealth } from './health.ts';

/** Test data of the engine self-test. */
interface SelfTestData {
  /** An image of simple shapes on a plain background, as PNG. */
  readonly bytes: Uint8Array;
  readonly models: Pick<
    Models,
    | 'choose'
    | 'cutOut'
    | 'eraser'
    | 'eyes'
    | 'placeFinders'
    | 'textReader'
    | 'captioner'
    | 'embedder'
    | 'upscalersAtHand'
    | 'bundled'
  >;
  readonly pressProfiles: Pick<PressProfiles, 'list'>;
  /** Temporary folder of this run. */
  readonly folder: string;
}

type InputOf<Name extends EngineName> = Parameters<Engines[Name]>[0];
type Maybe<T> = T | undefined | Promise<T | undefined>;

/** An engine without a self-test of its own: its input exists only within a call, and the named engine runs the same code. */
type ComesWith = { readonly comesWith: EngineName };

const DRAWN = {
  mode: 'color',
  colorPrecision: 6,
  filterSpeckle: 4,
  palette: [],
  gradients: false,
  nodesMax: 2000,
  force: true,
} as const;

const RENDERING = { intent: 'relative', blackPointCompensation: true } as const;

/**
 * Self-test input per engine, in order; undefined: the engine is unavailable, as its model is not installed. Add new engines here.
 */
export const SELF_TESTS: {
  readonly [Name in EngineName]: ((cage: SelfTestData) => Maybe<InputOf<Name>>) | ComesWith;
} = {
  resize: ({ bytes }) => ({ bytes, width: 24, height: 24, mode: 'contain', format: 'jpeg', quality: 80 }),
  convert: ({ bytes }) => ({ bytes, format: 'webp', frames: 'first' }),
  compose: ({ bytes }) => ({
    canvas: { width: 64, height: 64, dpi: 96, background: 'white' },
    layers: [
      { type: 'image', image: 'canary' },
      { type: 'text', text: 'canary' },
    ],
    images: { canary: bytes },
    format: 'png',
  }),
  edit: ({ bytes }) => ({
    bytes,
    operations: [{ op: 'rotate', degrees: 10, background: 'white', expand: true }],
    format: 'png',
    frames: 'first',
    frameCount: 1,
    images: {},
    texts: {},
    findings: { crops: {}, places: {} },
  }),
  convert_to_srgb: ({ bytes }) => ({ bytes, dpi: 300 }),
  convert_to_press: async ({ bytes, pressProfiles }) => {
    const [press] = await pressProfiles.list();
    return press && { bytes, dpi: 300, software: 'Atelier', press, rendering: RENDERING, isProof: false };
  },
  mockup: ({ bytes }) => ({ bytes, product: 'mug', side: 256, background: [255, 255, 255] }),
  mockup_in_photo: ({ bytes }) => ({ bytes, photo: bytes, corners: CANARY_CORNERS }),
  print: { comesWith: 'convert_to_press' },
  layout: { comesWith: 'convert_to_press' },
  make_pyramid: ({ bytes, folder }) => ({ bytes, path: join(folder, 'canary.tif') }),
  make_variants: ({ bytes }) => ({
    bytes,
    variants: [{ name: 'canary.png', width: 24, height: 24, format: 'png' }],
    fit: 'cover',
  }),
  render_region: ({ folder }) => ({
    path: join(folder, 'canary.tif'),
    region: { left: 0, top: 0, width: SIDE, height: SIDE },
    size: { width: 16, height: 16 },
    isMirrored: false,
    degrees: 0,
    quality: 'color',
    format: 'png',
  }),
  preflight: async ({ folder }) => ({ bytes: await readFile(join(folder, 'canary.tif')), standard: 'none' }),
  palette: ({ bytes }) => ({ bytes, colors: 3, isSheetWanted: false }),
  analyse: ({ bytes }) => ({ bytes }),
  vectorize: ({ bytes }) => ({ bytes, ...DRAWN }),
  vectorize_by_network: ({ bytes, models }) => ({ bytes, ...DRAWN, networks: models.bundled(2) }),
  show_drawing: () => ({ bytes: DRAWING, width: 16, height: 16, quality: 80 }),
  compare_upscalers: { comesWith: 'upscale' },
  cut_out: ({ bytes }) => ({ bytes, format: 'png', look: { kind: 'transparent' } }),
  cut_out_by_network: async ({ bytes, models }) => {
    const network = await models.cutOut();
    return network && { bytes, network, format: 'png', look: { kind: 'transparent' } };
  },
  erase: ({ bytes }) => ({ bytes, boxes: [EYE], feather: 1, format: 'png' }),
  erase_by_network: async ({ bytes, models }) => {
    const network = await models.eraser();
    return network && { bytes, network, boxes: [EYE], feather: 1, format: 'png' };
  },
  see: async ({ bytes, models }) => {
    const { embedder: _, ...networks } = await models.eyes();
    return Object.keys(networks).length > 0 ? { bytes, networks } : undefined;
  },
  find_places: async ({ bytes, models }) => ({
    bytes,
    place: 'subject',
    finders: await models.placeFinders(),
    otherwise: 'next',
  }),
  read_text: async ({ bytes, models }) => {
    const reader = await models.textReader();
    return reader && { bytes, reader };
  },
  caption: async ({ bytes, models }) => {
    const captioner = await models.captioner();
    return captioner && { bytes, captioner };
  },
  embed_picture: async ({ bytes, models }) => {
    const network = await models.embedder();
    return network && { bytes, network };
  },
  embed_text: async ({ models }) => {
    const network = await models.embedder();
    return network && { text: 'a canary', network };
  },
  embed_texts: { comesWith: 'embed_text' },
  look_for_terms: { comesWith: 'embed_picture' },
  difference: ({ bytes }) => ({ bytes, original: bytes }),
  fingerprint: ({ bytes }) => ({ bytes, purpose: 'verify' }),
  likeness: ({ bytes }) => ({ bytes, original: bytes, turn: 0 }),
  fingerprint_regions: ({ bytes }) => ({ bytes }),
  condition: ({ bytes }) => ({ bytes }),
  count_passes: async ({ bytes, models }) => {
    const [upscaler] = await models.upscalersAtHand();
    return upscaler && { bytes, architecture: upscaler.architecture };
  },
  look: ({ bytes }) => ({ bytes }),
  measure_upscaler: { comesWith: 'upscale' },
  mark_ai: { comesWith: 'watermark_detect' },
  hash_pixels: ({ bytes }) => ({ bytes }),
  carry_metadata: { comesWith: 'resize' },
  infuse: ({ bytes }) => ({ bytes, fields: { title: 'Canary' } }),
  inspect: ({ bytes }) => ({ bytes }),
  read_metadata: ({ bytes }) => ({ bytes }),
  read_manifest: ({ bytes }) => ({ bytes }),
  take_manifest: ({ bytes }) => ({ bytes }),
  prepare_manifest: { comesWith: 'read_manifest' },
  read_soulmark: ({ bytes }) => ({ bytes }),
  watermark_embed: { comesWith: 'watermark_detect' },
  watermark_detect: ({ bytes }) => ({ bytes }),
  upscale: async ({ bytes, models }) => {
    const choice = await models.choose('realesr_general_x4v3');
    return { bytes, model: choice.kind === 'installed' ? choice.network : choice.networks };
  },
};

const SIDE = 96;
/** Box around the dark centre of the image. */
const EYE = { left: 53, top: 31, width: 14, height: 14 };
const DRAWING = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 0 8 8"><path d="M1 1H7V7Z"/></svg>',
);

/** A yellow disc with a dark centre on a light background. */
async function drawTestImage(): Promise<Uint8Array> {
  const samples = new Uint8Array(SIDE * SIDE * 3);
  for (let at = 0; at < SIDE * SIDE; at += 1) {
    const [x, y] = [(at % SIDE) - SIDE / 2, Math.floor(at / SIDE) - SIDE / 2];
    const isEye = Math.hypot(x - 12, y + 10) < 5;
    const isBody = Math.hypot(x, y) < SIDE / 3;
    samples.set(isEye ? [30, 30, 40] : isBody ? [250, 205, 40] : [235, 240, 245], at * 3);
  }
  const png = writePng({ width: SIDE, height: SIDE, channels: 3, depth: 8 });
  await png.rows(samples);
  return Buffer.concat(await png.finish());
}

/** Cache lifetime of results: a run takes some seconds of one process. */
const FLIGHT_REMEMBERED_MS = 60_000;
/** Timeout of a run. */
const FLIGHT_MS_MAX = 60_000;
/** Corners of the middle of a photo, as fractions of its width and height. */
const CANARY_CORNERS = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.1, 0.9],
] as const;
/** Timeout per engine, including loading its model from disk. */
const CANARY_DEADLINE_MS = 20_000;
/** Memory bound of the largest engine, mockup. */
const CANARY_PIXELS = 500_000;

interface SelfTestDeps extends Pick<SelfTestData, 'models' | 'pressProfiles'> {
  readonly pixels: Pick<Pixels, 'run'>;
  /** Reports failure details that clients do not get. */
  report(error: unknown, engine: EngineName): void;
  readonly now?: () => number;
}

/**
 * Runs a small image through every available engine, one after the other, scheduled like any other work. Concurrent and subsequent
 * requests share the result of one run.
 */
export function createEngineSelfTest({
  now = () => performance.now(),
  ...parts
}: SelfTestDeps): EngineHealth {
  let last: { readonly at: number; readonly found: Promise<EngineChecks> } | undefined;
  return {
    check() {
      if (!last || now() - last.at >= FLIGHT_REMEMBERED_MS) last = { at: now(), found: fly(parts) };
      return last.found;
    },
  };
}

async function fly({ models, pressProfiles, ...parts }: Omit<SelfTestDeps, 'now'>): Promise<EngineChecks> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-canary-'));
  const signal = AbortSignal.timeout(FLIGHT_MS_MAX);
  const found: Record<string, EngineChecks[string]> = {};
  try {
    const cage = { bytes: await drawTestImage(), models, pressProfiles, folder };
    for (const engine of Object.keys(SELF_TESTS) as EngineName[]) {
      const check = await passThrough(engine, { ...parts, cage, signal });
      if (check) found[engine] = check;
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Flight extends Pick<SelfTestDeps, 'pixels' | 'report'> {
  readonly cage: SelfTestData;
  readonly signal: AbortSignal;
}

/** Tests one engine; undefined where it is unavailable, or covered by another. */
async function passThrough(
  engine: EngineName,
  { pixels, report, cage, signal }: Flight,
): Promise<EngineChecks[string] | undefined> {
  const canary = SELF_TESTS[engine];
  if ('comesWith' in canary) return undefined;
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  try {
    const input = await canary(cage);
    if (input === undefined) return undefined;
    const control = { pixels: CANARY_PIXELS, signal, deadlineMs: CANARY_DEADLINE_MS };
    await pixels.run(engine, input as never, control);
    return { state: 'ok', ms: since() };
  } catch (error) {
    // A timeout of the whole run says nothing about this engine.
    if (signal.aborted || (error instanceof AtelierError && error.code === 'busy'))
      return { state: 'busy', ms: since() };
    report(error, engine);
    const reason = error instanceof AtelierError ? error.message : 'Failed. See the log for the reason.';
    return { state: 'failed', ms: since(), reason };
  }
}
