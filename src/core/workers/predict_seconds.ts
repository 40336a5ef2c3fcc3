import { availableParallelism } from 'node:os';
import { type PictureFormat, readHeader } from '@atelier/imaging/codecs/read_header.ts';
import { allLayers } from '@atelier/imaging/composer/layers.ts';
import { estimateCanvas } from '@atelier/imaging/editor/estimate_canvas.ts';
import { codingOf } from '@atelier/imaging/encoders/coding.ts';
import type { OutputFormat } from '@atelier/imaging/encoders/formats.ts';
import { VISITS_MAX } from '@atelier/imaging/inpaint/limits.ts';
import type { Size } from '@atelier/imaging/pixels/plane.ts';
import { MM_PER_INCH } from '@atelier/imaging/print/plan_sheet.ts';
import { resizedPixels } from '@atelier/imaging/resize/resized_pixels.ts';
import {
  checkedSize,
  inputPixels,
  multiplicationsPerPixel,
  tileRulesOf,
} from '@atelier/imaging/upscale/model_cost.ts';
import { tracedPixels, VECTORIZE_PIXELS_MAX } from '@atelier/imaging/vectorize/limits.ts';
import type { EngineName, Engines } from './engines.ts';
import type { LineFinders } from './find_lines_with.ts';
import {
  CORRECTION_MAX,
  CORRECTION_MIN,
  RATIO_SECONDS_MIN,
  RATIOS_KEPT,
  RATIOS_NEEDED,
  RATIOS_OF_AN_ADDRESS_MAX,
  SHORT_WORK_SECONDS,
} from './limits.ts';
import type { ModelFile } from './open_models.ts';
import type { PixelControl, WorkLength } from './types.ts';

type InputOf<Name extends EngineName> = Parameters<Engines[Name]>[0];

/** What the header of an image tells. Without an image: half of the pixels the job holds, and no format. */
interface Picture {
  readonly megapixels: number;
  readonly width: number;
  readonly height: number;
  readonly format?: PictureFormat;
}

/** CPU seconds by which a product exceeds a print on cloth, where its surface may be filled: the crop is chosen by salience. */
const CROPPING = 0.06;
const CROPPED: ReadonlySet<InputOf<'mockup'>['product']> = new Set([
  'phone_case',
  'cushion',
  'notebook',
  'book',
  'business_card',
  'laptop',
  'phone',
  'box',
  'bottle',
  'billboard',
]);
/** CPU seconds of cutting stickers around an artwork that may be transparent. */
const CUTTING = 0.15;

/** Bytes of a file for those of a JPEG of quality 90 that shows the same. */
const BYTES_OF_JPEG: Record<PictureFormat, number> = {
  jpeg: 1,
  png: 9,
  webp: 0.6,
  avif: 0.5,
  tiff: 12,
  gif: 3,
};
/** Bytes of a JPEG for a pixel: of most photographs, and the most that a vector trace follows. */
const DETAIL = { usual: 0.2, most: 0.4 };
/** With less detail artwork is flat, and is traced without a network. */
const FLAT = 0.04;

/** How much there is to trace in a pixel of an image, by the size of its file. */
function detailOf({ format, megapixels }: Picture, bytes: Uint8Array): number {
  if (!format) return DETAIL.usual;
  return Math.min(DETAIL.most, bytes.length / BYTES_OF_JPEG[format] / (1e6 * megapixels));
}

interface Entry<Input> {
  /** CPU seconds on all threads, without decoding. */
  seconds(picture: Picture, input: Input): number;
  /** Whether every pixel is decoded, or the decoder may reduce a JPEG while it reads. Absent: pixels are not read. */
  readonly decodes?: 'whole' | 'reduced';
  /** Parameters whose runs share a correction; one class where absent. */
  variant?(input: Input): string;
}

/** CPU seconds of one megapixel decoded by libvips; `reduced` where the file is read at a fraction of its size. */
const DECODING: Record<PictureFormat, { readonly whole: number; readonly reduced: number }> = {
  jpeg: { whole: 0.015, reduced: 0.006 },
  png: { whole: 0.035, reduced: 0.035 },
  webp: { whole: 0.04, reduced: 0.025 },
  avif: { whole: 0.065, reduced: 0.06 },
  tiff: { whole: 0.022, reduced: 0.018 },
  gif: { whole: 0.02, reduced: 0.015 },
};
interface WritingSeconds {
  readonly usual: number;
  readonly lossless?: number;
  /** Of any size: a palette takes as long to choose for a small picture. */
  readonly each?: number;
}
/** CPU seconds to write one megapixel and to measure what that lost; `lossless` where that differs. docs/decisions/0022-resampling-and-output.md */
const WRITING: Readonly<Record<OutputFormat, WritingSeconds>> = {
  png: { usual: 0.5, lossless: 0.11 },
  jpeg: { usual: 0.05 },
  webp: { usual: 0.15, lossless: 1.7 },
  avif: { usual: 0.6, lossless: 1.6 },
  gif: { usual: 0.5, each: 0.3 },
  tiff: { usual: 0.05, lossless: 0.11 },
  pdf: { usual: 0.06, lossless: 0.11 },
  ico: { usual: 0.05 },
  apng: { usual: 0.15 },
};
/** CPU seconds of averaging light of one megapixel instead of samples while it is decoded. */
const LINEAR_LIGHT = 0.005;
/** CPU seconds of a layer of a composition, and of one megapixel of the canvas below it; of reading one megabyte of images. */
const SECONDS_OF_A_LAYER = 0.01;
const LAYING = { image: 0.1, other: 0.005 } as const;
const SECONDS_OF_A_MEGABYTE = 0.2;
/** CPU seconds of resampling to one megapixel, for one of a set of sizes. */
const RESAMPLING = 0.06;
/** A conversion spends more on a smaller file. */
const CONVERTING = 1.5;
/** Attempts that a bound on the bytes takes, most of them at fewer pixels or less quality. */
const ATTEMPTS = 2;

/** CPU seconds to write a picture. */
function writingSeconds(
  { format, isLossless }: Pick<InputOf<'convert'>, 'format' | 'isLossless'>,
  megapixels: number,
): number {
  const { usual, lossless = usual, each = 0 } = WRITING[format];
  return each + megapixels * (codingOf(format, { isLossless }).isLossless ? lossless : usual);
}

const savedAs = ({
  format,
  isLossless,
  bytesMax,
}: Pick<InputOf<'convert'>, 'format' | 'isLossless' | 'bytesMax'>): string =>
  `${format}${isLossless ? ' lossless' : ''}${bytesMax === undefined ? '' : ' fitted'}`;

/** What a job takes whatever the image: messages between processes, opening, a small result. */
const BASE_SECONDS = 0.02;
/** Multiplications of an upscaling network in a CPU second: docs/decisions/0005-admission-by-cpu-seconds.md */
const MULTIPLICATIONS_PER_SECOND = 40e9;
/** CPU seconds to write one megapixel that a network has made, and to compare it with the picture. */
const WRITING_ENLARGED = 0.33;

/**
 * CPU seconds of every engine, fitted to `node scripts/measure_engine_seconds.ts`: docs/decisions/0005-admission-by-cpu-seconds.md has the figures and the
 * machine. An engine that is added has to be added here.
 */
const ENGINE_SECONDS: { readonly [Name in EngineName]: Entry<InputOf<Name>> } = {
  resize: {
    decodes: 'reduced',
    seconds(picture, request) {
      const { format, isLossless, bytesMax, frames, frameCount = 1, light } = request;
      const count = frames === 'all' ? frameCount : 1;
      const attempts = bytesMax === undefined ? 1 : ATTEMPTS;
      const megapixels = resizedPixels(picture, request) / 1e6;
      const averaging = light === 'gamma' ? 0 : LINEAR_LIGHT * picture.megapixels * count;
      return averaging + writingSeconds({ format, isLossless }, megapixels) * count * attempts;
    },
    variant: (request) => `${savedAs(request)} ${request.light ?? 'linear'}`,
  },
  convert: {
    decodes: 'whole',
    seconds({ megapixels }, { format, isLossless, bytesMax, frames, frameCount = 1, pages }) {
      const count = pages === undefined && frames === 'all' ? frameCount : 1;
      const attempts = bytesMax === undefined ? 1 : ATTEMPTS;
      return CONVERTING * writingSeconds({ format, isLossless }, megapixels) * count * attempts;
    },
    variant: savedAs,
  },
  compose: {
    seconds(_, { canvas, layers, sheets, isLossless, bytesMax, images, ...saving }) {
      const format = saving.format === 'svg' ? 'pdf' : saving.format;
      const pixels = (canvas.width * canvas.height) / 1e6;
      const attempts = bytesMax === undefined ? 1 : ATTEMPTS;
      const files = Object.values(images).reduce((sum, { length }) => sum + length, 0) / 1e6;
      const documents = new Map((sheets?.documents ?? []).map((one) => [one.path, one.layers]));
      const drawn = [...layers, ...[...documents.values()].flat()];
      const drawing = allLayers(drawn).reduce(
        (sum, { type, operations = [] }) =>
          sum +
          SECONDS_OF_A_LAYER +
          LAYING[type === 'image' ? type : 'other'] * pixels +
          estimateCanvas(canvas, operations).seconds,
        0,
      );
      return (
        drawing + SECONDS_OF_A_MEGABYTE * files + attempts * writingSeconds({ format, isLossless }, pixels)
      );
    },
    variant: ({ format, ...saving }) => savedAs({ ...saving, format: format === 'svg' ? 'pdf' : format }),
  },
  edit: {
    decodes: 'whole',
    seconds(picture, { operations, format, isLossless, bytesMax, frames, frameCount }) {
      const count = frames === 'all' ? frameCount : 1;
      const attempts = bytesMax === undefined ? 1 : ATTEMPTS;
      const { last, seconds } = estimateCanvas(picture, operations);
      return count * (seconds + attempts * writingSeconds({ format, isLossless }, last / 1e6));
    },
    variant: savedAs,
  },
  convert_to_srgb: { decodes: 'whole', seconds: ({ megapixels }) => 0.06 * megapixels },
  convert_to_press: {
    decodes: 'whole',
    seconds: ({ megapixels }, { isProof }) => 0.05 + (isProof ? 0.29 : 0.18) * megapixels,
    variant: ({ isProof }) => (isProof ? 'proof' : 'inks'),
  },
  // 28 November 2026, two cores shared with other work: 19 products at 512 to 3000 px, of a photo of 2000 × 1500 px and a logo of 1200 × 1200 px,
  // after the first image of a view, which adds 0.1 to 1.2 s. Measured ÷ predicted is 0.45 to 1.7.
  mockup: {
    seconds({ format, megapixels }, { product, bytes, side = 2000 }) {
      const mayBeMotif = format !== 'jpeg';
      const cropping = CROPPED.has(product) ? CROPPING / (mayBeMotif ? 3 : 1) : 0;
      const cutting = product === 'sticker' && mayBeMotif ? CUTTING : 0;
      const reading = 0.004 * megapixels + bytes.length / 50e6;
      return reading + cropping + cutting + (0.06 * side ** 2) / 1e6;
    },
    variant: ({ product }) => product,
  },
  // The photo is decoded whole, then looked at and written at no more than the side that is asked for.
  mockup_in_photo: {
    decodes: 'reduced',
    seconds: (_, { photo, side = 2000 }) => 0.3 + photo.length / 4e6 + (0.6 * side ** 2) / 1e6,
  },
  print: {
    decodes: 'whole',
    seconds: ({ megapixels }, { trimMm, bleedMm, dpi, format }) => {
      const pixels = (mm: number) => ((mm + 2 * bleedMm) / MM_PER_INCH) * dpi;
      const sheet = (pixels(trimMm.width) * pixels(trimMm.height)) / 1e6;
      return 0.1 + 0.04 * megapixels + (format === 'pdf' ? 0.19 : 0.17) * sheet;
    },
    variant: ({ format }) => format,
  },
  layout: {
    decodes: 'whole',
    // A page of a PDF takes about as long as 200 kB of it; a cut is looked for in 3 megapixels. Pieces are measured at 1 megapixel.
    seconds: ({ format, megapixels }, { bytes, images, cut }) => {
      const files = images.reduce((sum, { length }) => sum + length, bytes.length) / 1e6;
      const more = Math.min(12, images.length);
      const laid = format ? 1.4 + 0.2 * files + 0.5 * more : 0.9 + 0.3 * megapixels + 2 * files + 0.4 * more;
      return laid + (cut ? 2 : 0);
    },
    variant: ({ cut, layout }) => `${layout?.kind ?? ''}${cut ? ' cut' : ''}`,
  },
  inspect: { seconds: () => 0 },
  // Without knowing what the file draws: by its size.
  preflight: { seconds: (_, { bytes }) => 0.2 + (0.5 * bytes.length) / 1e6 },
  palette: {
    decodes: 'whole',
    seconds: ({ megapixels }, { isSheetWanted, more = [] }) =>
      0.04 +
      0.008 * megapixels +
      (isSheetWanted ? 0.1 : 0) +
      more.reduce(
        (sum, bytes) => sum + 0.1 + decodingSeconds({ decodes: 'whole' }, pictureOf({ bytes }, 0)),
        0,
      ),
  },
  analyse: { decodes: 'whole', seconds: ({ megapixels }) => 0.4 + 0.5 * Math.min(1.2, megapixels) },
  // 28 November 2026, two cores shared with other work, 740 × 500 px: logo 0.5 s, even photo 0.9, photos of the Kodak suite 2, fur and an
  // engraving 3.8; 1500 × 1000 px: 2.8 to 7.4.
  vectorize: {
    decodes: 'whole',
    seconds(picture, { bytes, mode, physical, colorPrecision }) {
      const traced = Math.min(picture.megapixels, VECTORIZE_PIXELS_MAX / 1e6);
      const fineness = colorPrecision > 8 ? 2 : 1;
      const detail = detailOf(picture, bytes);
      const seconds =
        mode === 'binary' ? 0.1 + (0.15 + 2 * detail) * traced : fineness * (0.4 + 22 * detail * traced);
      return seconds * (physical ? 1.5 : 1);
    },
    variant: ({ mode, physical }) => `${mode}${physical ? ' in mm' : ''}`,
  },
  // The same day: 370 × 250 px 4.6 s, 480 × 310 px 4.3 and 8.1, 600 × 450 px 8.4, 600 × 495 px 10.3; a logo 0.3.
  vectorize_by_network: {
    decodes: 'whole',
    seconds(picture, { bytes, networks }) {
      const detail = detailOf(picture, bytes);
      if (detail < FLAT) return 0.3 + picture.megapixels;
      const tracing = (13 * detail * tracedPixels(picture)) / 1e6;
      return 0.8 + networkSeconds(networks.clean, picture) + tracing;
    },
    variant: ({ networks }) => networks.clean.name,
  },
  show_drawing: { seconds: (_, { width, height }) => 0.1 + (0.2 * width * height) / 1e6 },
  compare_upscalers: {
    seconds: (_, { models }) => 1 + models.reduce((sum, model) => sum + networkSeconds(model, CROP), 0),
  },
  cut_out: {
    decodes: 'whole',
    seconds: ({ megapixels }, request) => 2.5 + 0.05 * megapixels + correctionSeconds(request),
  },
  cut_out_by_network: {
    decodes: 'whole',
    // Half of the pictures are shown to a large network once, which takes 3.5 s; the others twice.
    seconds: ({ megapixels }, { network, ...request }) =>
      (network.name === 'u2netp' ? 3.5 : 5) +
      (network.name === 'u2netp' ? 3 : 2) * Math.min(2, megapixels) +
      correctionSeconds(request),
    variant: ({ network }) => network.name,
  },
  erase: {
    decodes: 'whole',
    seconds: ({ megapixels }, request) =>
      eraseSeconds(megapixels, request) + 12 * holeMegapixels(megapixels, request),
    variant: savedAs,
  },
  erase_by_network: {
    decodes: 'whole',
    seconds: ({ megapixels }, request) =>
      eraseSeconds(megapixels, request) + 2 * (request.boxes?.length ?? 1),
    variant: savedAs,
  },
  see: {
    decodes: 'reduced',
    seconds({ megapixels }, { networks: { faces, objects, people, rating, tagger, embedder, ...finders } }) {
      const lines = lineSeconds(finders, megapixels);
      const others = (faces ? 0.05 : 0) + (objects ? 0.06 : 0) + (people ? 0.06 : 0) + (rating ? 0.02 : 0);
      return lines + others + (tagger ? 0.3 : 0) + (embedder ? 0.3 : 0);
    },
    variant: ({ networks }) => Object.keys(networks).join(' '),
  },
  find_places: {
    decodes: 'reduced',
    seconds({ megapixels }, { place, finders: { subject, ...finders } }) {
      const lines = place === 'text' ? lineSeconds(finders, megapixels) : 0;
      // Where nothing else is found, the subject is looked for.
      const parts = place === 'attention' ? 0 : subject && subject.name !== 'u2netp' ? 4.5 : 1.2;
      return 0.05 + lines + parts;
    },
    variant: ({ place, finders }) => `${place} ${finders.subject?.name ?? ''}`,
  },
  read_text: {
    decodes: 'whole',
    // Finding lines goes by the size they are looked for at; reading takes about 0.06 s a line, and a page has forty.
    seconds: ({ megapixels }) => 0.2 + readingSeconds(megapixels),
  },
  // Never measured with the published weights: one look and up to 480 steps of the decoder.
  caption: { decodes: 'reduced', seconds: () => 15 },
  embed_picture: { decodes: 'reduced', seconds: () => 0.3 },
  embed_text: { seconds: () => 0.1 },
  embed_texts: { seconds: (_, { texts }) => 0.1 * texts.length },
  look_for_terms: { decodes: 'reduced', seconds: () => 0.3 },
  difference: { decodes: 'reduced', seconds: ({ megapixels }) => 0.3 + 0.1 * Math.min(8, megapixels) },
  fingerprint: {
    decodes: 'reduced',
    seconds: ({ megapixels }, { purpose }) => (purpose === 'register' ? 0.3 : 0.12) + 0.015 * megapixels,
  },
  likeness: { decodes: 'reduced', seconds: ({ megapixels }) => 0.05 + 0.015 * megapixels },
  fingerprint_regions: { decodes: 'reduced', seconds: ({ megapixels }) => 0.35 + 0.015 * megapixels },
  condition: { decodes: 'reduced', seconds: () => 0.1 },
  count_passes: { decodes: 'whole', seconds: ({ megapixels }) => 0.005 * megapixels },
  look: { decodes: 'reduced', seconds: ({ megapixels }) => 0.07 + 0.006 * megapixels },
  measure_upscaler: { seconds: (_, { model }) => 0.2 + networkSeconds(model, SAMPLE) },
  mark_ai: { decodes: 'whole', seconds: ({ megapixels }) => 4.5 + 0.5 * megapixels },
  hash_pixels: { decodes: 'whole', seconds: () => 0 },
  carry_metadata: { seconds: () => 0.05 },
  infuse: { seconds: () => 0 },
  read_metadata: { seconds: () => 0 },
  read_manifest: { seconds: () => 0.02 },
  take_manifest: { seconds: () => 0.02 },
  prepare_manifest: { seconds: () => 0.1 },
  read_soulmark: { seconds: () => 0 },
  watermark_embed: { decodes: 'whole', seconds: ({ megapixels }) => 4.5 + 0.5 * megapixels },
  watermark_detect: {
    decodes: 'whole',
    // The search in fifteen windows takes 2.2 s where there is nothing, and 5.9 s where there are four marks.
    seconds: ({ megapixels }, { parts }) => (parts ? 3 + 0.05 * megapixels : 0.7 + 0.005 * megapixels),
    variant: ({ parts }) => (parts ? 'parts' : 'whole'),
  },
  make_variants: {
    decodes: 'whole',
    seconds(picture, { variants }) {
      const made = variants.reduce((sum, { width, height, format }) => {
        // Without a height it has the shape of the picture, and is never enlarged.
        const across = height === undefined ? Math.min(width, picture.width) : width;
        const pixels = across * (height ?? (across * picture.height) / picture.width);
        return (
          sum + writingSeconds({ format, isLossless: undefined }, pixels / 1e6) + (RESAMPLING * pixels) / 1e6
        );
      }, 0);
      return 0.1 + 0.06 * picture.megapixels + made;
    },
  },
  make_pyramid: { decodes: 'whole', seconds: ({ megapixels }) => 0.01 * megapixels },
  render_region: {
    seconds: (_, { region, size }) =>
      (0.03 * region.width * region.height + 0.1 * size.width * size.height) / 1e6,
  },
  upscale: {
    decodes: 'whole',
    seconds(picture, { model, next, scale }) {
      const models = 'clean' in model ? [model.clean, model.spoiled] : [model];
      const factor = models[0]!.architecture.scale;
      const chainSeconds = ({ width, height }: Size) =>
        Math.max(...models.map((one) => networkSeconds(one, { width, height }))) +
        (next ? networkSeconds(next, { width: width * factor, height: height * factor }) : 0);
      const times = scale ?? factor * (next?.architecture.scale ?? 1);
      const reduced = checkedSize(picture, times);
      const written = WRITING_ENLARGED * picture.megapixels * times ** 2;
      return 0.1 + written + chainSeconds(picture) + (reduced ? 0.1 + chainSeconds(reduced) : 0);
    },
    variant: ({ model }) => ('clean' in model ? model.clean.name : model.name),
  },
};

/** CPU seconds of finding lines of text, by reading them where a reader is installed. */
const lineSeconds = ({ reader, writing }: LineFinders, megapixels: number): number =>
  reader ? readingSeconds(megapixels) : writing ? 0.1 + 0.4 * Math.min(1, megapixels) : 0;

/** CPU seconds of finding lines of text in an image and reading them. */
const readingSeconds = (megapixels: number): number => 0.9 * Math.min(2, Math.max(0.5, megapixels));

/** Of the cut around strokes, and of edges worked out a second time. */
const correctionSeconds = ({ strokes = [] }: Pick<InputOf<'cut_out'>, 'strokes'>): number =>
  strokes.length > 0 ? 2 : 0;

/** Of reading and writing a picture of which a part was erased. */
const eraseSeconds = (megapixels: number, request: InputOf<'erase'>): number =>
  0.2 +
  0.05 * megapixels +
  (request.bytesMax === undefined ? 1 : ATTEMPTS) * writingSeconds(request, megapixels);

/** Part of a picture that a mask mostly covers: what it does shows only when it is read. */
const MASK_SHARE = 0.04;

/** What is filled; larger holes are filled at a smaller size. */
function holeMegapixels(megapixels: number, { boxes = [], mask }: InputOf<'erase'>): number {
  const inBoxes = boxes.reduce((sum, { width, height }) => sum + (width * height) / 1e6, 0);
  return Math.min(inBoxes + (mask ? MASK_SHARE * megapixels : 0), 0.12 * megapixels, VISITS_MAX / 1e6);
}

const CROP = { width: 96, height: 96 };
const SAMPLE = { width: 64, height: 64 };

function networkSeconds(
  { architecture }: Pick<ModelFile, 'architecture'>,
  size: { width: number; height: number },
): number {
  return (
    (inputPixels(size, tileRulesOf(architecture)) * multiplicationsPerPixel(architecture)) /
    MULTIPLICATIONS_PER_SECOND
  );
}

/** Engines whose time neither the header nor the size of the file shows: 150 kB of PDF may hold a process for seconds. */
const UNPREDICTABLE: ReadonlySet<EngineName> = new Set<EngineName>(['preflight', 'layout']);

/** Engines that write a file where none may be: a run that was interrupted cannot be repeated. */
const WRITES_A_FILE: ReadonlySet<EngineName> = new Set<EngineName>(['print', 'layout', 'make_pyramid']);

/** @param heldPixels what the job holds at its peak, for inputs that are no image */
function seedOf(
  engine: EngineName,
  input: unknown,
  heldPixels: number,
): { seconds: number; readonly variant: string } {
  const entry = ENGINE_SECONDS[engine] as Entry<unknown>;
  const picture = pictureOf(input, heldPixels);
  const seconds = BASE_SECONDS + decodingSeconds(entry, picture) + entry.seconds(picture, input);
  return { seconds, variant: entry.variant?.(input) ?? '' };
}

function decodingSeconds(
  { decodes }: Pick<Entry<unknown>, 'decodes'>,
  { format, megapixels }: Picture,
): number {
  if (!decodes || !format) return 0;
  return DECODING[format][decodes] * megapixels;
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

export interface Prediction {
  /** CPU seconds of all threads. */
  readonly seconds: number;
  /** The same before the correction by earlier runs. */
  readonly seedSeconds: number;
  /** Runs with the same key share a correction: engine and class of parameters. */
  readonly key: string;
}

/** CPU seconds that a run used. */
export interface Outcome {
  readonly cpuSeconds: number;
  /** It was stopped: it would have taken more. */
  readonly isStopped: boolean;
  readonly address: string;
}

export interface Predictor {
  predict(
    engine: EngineName,
    input: unknown,
    control: Pick<PixelControl, 'pixels' | 'estimatedSeconds'>,
  ): Prediction;
  /** Corrects later predictions with the same key. */
  learn(prediction: Prediction, outcome: Outcome): void;
}

interface Ratio {
  readonly address: string;
  readonly ratio: number;
}

/**
 * Predicts from the table, times the median of measured ÷ predicted of the last runs. The median, its bounds, and the few runs of one address
 * that count keep a client from moving the prediction for everybody else's work.
 */
export function createPredictor(cores = availableParallelism()): Predictor {
  const ratios = new Map<string, Ratio[]>();
  const correctionOf = (key: string): number => {
    const kept = ratios.get(key) ?? [];
    if (kept.length < RATIOS_NEEDED) return 1;
    const sorted = kept.map(({ ratio }) => ratio).sort((one, other) => one - other);
    return Math.min(CORRECTION_MAX, Math.max(CORRECTION_MIN, sorted[Math.floor(sorted.length / 2)]!));
  };
  return {
    predict(engine, input, { pixels, estimatedSeconds }) {
      if (estimatedSeconds !== undefined) {
        const seconds = estimatedSeconds * cores;
        return { seconds, seedSeconds: seconds, key: `${engine} estimated` };
      }
      const { seconds, variant } = seedOf(engine, input, pixels);
      const key = `${engine} ${variant}`;
      return { seconds: seconds * correctionOf(key), seedSeconds: seconds, key };
    },
    learn({ key, seedSeconds }, { cpuSeconds, isStopped, address }) {
      if (Math.max(cpuSeconds, seedSeconds) < RATIO_SECONDS_MIN) return;
      const ratio = cpuSeconds / seedSeconds;
      if (isStopped && ratio < correctionOf(key)) return;
      const kept = [...(ratios.get(key) ?? []), { address, ratio }];
      const own = kept.filter((one) => one.address === address);
      const [surplus] = own.length > RATIOS_OF_AN_ADDRESS_MAX ? own : kept.length > RATIOS_KEPT ? kept : [];
      ratios.set(
        key,
        kept.filter((one) => one !== surplus),
      );
    },
  };
}

/**
 * A run that writes a file cannot be interrupted and repeated, so it could not make room for others and is never short. Nor is one whose time
 * is unknown: several of them would fill every process until they have overrun.
 * @param seconds predicted CPU seconds
 */
export const lengthOf = (engine: EngineName, seconds: number): WorkLength =>
  seconds < SHORT_WORK_SECONDS && !WRITES_A_FILE.has(engine) && !UNPREDICTABLE.has(engine) ? 'short' : 'long';
