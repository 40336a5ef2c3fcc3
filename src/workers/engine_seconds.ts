import { type PictureFormat, readHeader } from '@atelier/engines/picture/read_header.ts';
import { MM_PER_INCH } from '@atelier/engines/print/plan_sheet.ts';
import { multiplicationsPerPixel, pixelsSeen, rulesOf } from '@atelier/engines/upscale/effort.ts';
import { VECTORIZE_PIXELS_MAX } from '@atelier/engines/vectorize/limits.ts';
import type { EngineName, Engines } from './engines.ts';
import type { ModelFile } from './open_models.ts';

type InputOf<Name extends EngineName> = Parameters<Engines[Name]>[0];

/** What the header of an image tells. Without an image: half of the pixels the job holds, and no format. */
interface Picture {
  readonly megapixels: number;
  readonly width: number;
  readonly height: number;
  readonly format?: PictureFormat;
}

interface Entry<Input> {
  /** CPU seconds on all threads, without decoding. */
  seconds(picture: Picture, input: Input): number;
  /** Whether every pixel is decoded, or the decoder may reduce a JPEG while it reads. Absent: pixels are not read. */
  readonly decodes?: 'whole' | 'reduced';
  /** Parameters whose runs share a correction; one class where absent. */
  variant?(input: Input): string;
}

/** CPU seconds of one megapixel, decoded whole by libvips. */
const DECODING: Record<PictureFormat, number> = {
  jpeg: 0.015,
  png: 0.03,
  webp: 0.03,
  avif: 0.06,
  tiff: 0.03,
  gif: 0.03,
};

/** What a job takes whatever the image: messages between processes, opening, a small answer. */
const BASE_SECONDS = 0.02;
/** Multiplications of a network in a CPU second: docs/decisions/0026-refusing-what-cannot-end.md */
const MULTIPLICATIONS_PER_SECOND = 30e9;
/** CPU seconds to encode one megapixel. */
const ENCODING = { png: 0.1, jpeg: 0.05, webp: 0.09 } as const;

/**
 * CPU seconds of every engine, as `npm run bench engine_seconds` measured them: docs/decisions/0150-admission-by-cpu-seconds.md has the figures
 * and the machine. An engine that is added has to be added here.
 */
const ENGINE_SECONDS: { readonly [Name in EngineName]: Entry<InputOf<Name>> } = {
  resize: {
    decodes: 'reduced',
    seconds: ({ megapixels }, { width, height, format }) =>
      (width * height * ENCODING[format]) / 1e6 + 0.004 * megapixels,
    variant: ({ format }) => format,
  },
  convert_to_srgb: { decodes: 'whole', seconds: ({ megapixels }) => 0.07 * megapixels },
  convert_to_press: { decodes: 'whole', seconds: ({ megapixels }) => 0.3 * megapixels },
  mockup: { decodes: 'whole', seconds: (_, { side = 2000 }) => (0.09 * side ** 2) / 1e6 },
  print: {
    decodes: 'whole',
    seconds: (_, { trimMm, bleedMm, dpi }) => {
      const [width, height] = [trimMm.width, trimMm.height].map(
        (mm) => ((mm + 2 * bleedMm) / MM_PER_INCH) * dpi,
      );
      return 0.1 + (0.19 * width! * height!) / 1e6;
    },
    variant: ({ format }) => format,
  },
  preflight: { seconds: (_, { bytes }) => 0.2 + (0.5 * bytes.length) / 1e6 },
  palette: { decodes: 'whole', seconds: (_, { isSheetWanted }) => (isSheetWanted ? 0.15 : 0.05) },
  analyse: { decodes: 'whole', seconds: ({ megapixels }) => 0.4 + 0.4 * Math.min(2, megapixels) },
  vectorize: {
    decodes: 'whole',
    seconds: ({ megapixels }, { mode }) => {
      const traced = Math.min(megapixels, VECTORIZE_PIXELS_MAX / 1e6);
      return mode === 'binary' ? 0.2 + 1.4 * traced : 1 + 3 * traced;
    },
    variant: ({ mode }) => mode,
  },
  show_drawing: { seconds: (_, { width, height }) => 0.1 + (0.2 * width * height) / 1e6 },
  compare_upscalers: {
    seconds: (_, { models }) => 1 + models.reduce((sum, model) => sum + networkSeconds(model, CROP), 0),
  },
  cut_out: { decodes: 'whole', seconds: ({ megapixels }) => 2 + 0.5 * megapixels },
  cut_out_by_network: { decodes: 'whole', seconds: ({ megapixels }) => 2 + 0.5 * megapixels },
  see: { decodes: 'reduced', seconds: (_, { networks }) => 0.1 + 0.2 * Object.keys(networks).length },
  embed_picture: { decodes: 'reduced', seconds: () => 0.3 },
  embed_text: { seconds: () => 0.1 },
  embed_texts: { seconds: (_, { texts }) => 0.1 * texts.length },
  look_for_terms: { decodes: 'reduced', seconds: () => 0.3 },
  difference: { decodes: 'reduced', seconds: () => 0.5 },
  fingerprint: { decodes: 'reduced', seconds: () => 0.15 },
  condition: { decodes: 'whole', seconds: () => 0.02 },
  count_passes: { decodes: 'whole', seconds: ({ megapixels }) => 0.02 * megapixels },
  look: { decodes: 'reduced', seconds: () => 0.08 },
  measure_upscaler: { seconds: (_, { model }) => 0.2 + networkSeconds(model, SAMPLE) },
  mark_ai: { decodes: 'whole', seconds: ({ megapixels }) => 2 + 0.5 * megapixels },
  hash_pixels: { decodes: 'whole', seconds: () => 0 },
  infuse: { seconds: () => 0.02 },
  read_metadata: { seconds: () => 0.02 },
  read_manifest: { seconds: () => 0.05 },
  take_manifest: { seconds: () => 0.05 },
  prepare_manifest: { seconds: () => 0.1 },
  read_soulmark: { decodes: 'whole', seconds: () => 0.02 },
  watermark_embed: { decodes: 'whole', seconds: ({ megapixels }) => 2 + 0.5 * megapixels },
  watermark_detect: {
    decodes: 'whole',
    seconds: ({ megapixels }, { parts }) => (parts ? 1 + 3.3 * megapixels : 0.7 + 0.05 * megapixels),
    variant: ({ parts }) => (parts ? 'parts' : 'whole'),
  },
  make_pyramid: { decodes: 'whole', seconds: ({ megapixels }) => 0.05 * megapixels },
  render_region: {
    seconds: (_, { region, size }) =>
      (0.03 * region.width * region.height + 0.1 * size.width * size.height) / 1e6,
  },
  upscale: {
    decodes: 'whole',
    seconds: (picture, { model, next }) => {
      const models = 'clean' in model ? [model.clean, model.spoiled] : [model];
      const first = Math.max(...models.map((one) => networkSeconds(one, picture)));
      const { scale } = models[0]!.architecture;
      const large = { width: picture.width * scale, height: picture.height * scale };
      return 0.2 + first + (next ? networkSeconds(next, large) : 0);
    },
    variant: ({ model }) => ('clean' in model ? model.clean.name : model.name),
  },
};

const CROP = { width: 96, height: 96 };
const SAMPLE = { width: 64, height: 64 };

function networkSeconds(
  { architecture }: Pick<ModelFile, 'architecture'>,
  size: { width: number; height: number },
): number {
  return (
    (pixelsSeen(size, rulesOf(architecture)) * multiplicationsPerPixel(architecture)) /
    MULTIPLICATIONS_PER_SECOND
  );
}

/** Engines that write a file where none may be: a run that was interrupted cannot be repeated. */
export const WRITES_A_FILE: ReadonlySet<EngineName> = new Set<EngineName>(['print', 'make_pyramid']);

/** @param heldPixels what the job holds at its peak, for inputs that are no image */
export function seedOf(
  engine: EngineName,
  input: unknown,
  heldPixels: number,
): { seconds: number; readonly variant: string } {
  const entry = ENGINE_SECONDS[engine] as Entry<unknown>;
  const picture = pictureOf(input, heldPixels);
  const seconds = BASE_SECONDS + decodingSeconds(entry, picture) + entry.seconds(picture, input);
  return { seconds, variant: entry.variant?.(input) ?? '' };
}

function decodingSeconds({ decodes }: Entry<unknown>, { format, megapixels }: Picture): number {
  if (!decodes || !format) return 0;
  return DECODING[format] * megapixels * (decodes === 'reduced' && format === 'jpeg' ? 0.4 : 1);
}

function pictureOf(input: unknown, heldPixels: number): Picture {
  try {
    const { bytes } = input as { bytes: Uint8Array };
    const { format, width, height } = readHeader(bytes);
    return { format, width, height, megapixels: (width * height) / 1e6 };
  } catch {
    const side = Math.sqrt(heldPixels / 2);
    return { megapixels: heldPixels / 2e6, width: side, height: side };
  }
}
