import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';

export interface PublishedFile {
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file its makers published. Sizes and sha256 agree across several independent public records. */
export interface OfficialFile extends PublishedFile {
  /** Files the network is in as well, fetched with it. */
  readonly beside?: readonly PublishedFile[];
  readonly licence: 'BSD-3-Clause' | 'Apache-2.0' | 'MIT';
  readonly copyright: string;
}

/** Published weights in another form than the official file, told by the sha256 of their numbers (`writeSafetensors`). */
export interface KnownNumbers {
  readonly sha256: string;
  /** `rounded`: each number was rounded to 16 bits on the way. */
  readonly origin: 'equivalent' | 'rounded';
}

export interface UpscalerEntry {
  readonly use: 'upscale';
  readonly architecture: Architecture;
  readonly official: OfficialFile;
  /** Of the official weights as safetensors, where the official file is of a form that is not kept. */
  readonly converted?: Conversion;
  readonly numbers?: KnownNumbers;
}

export interface CutOutEntry {
  readonly use: 'cut_out';
  /** The square picture the network takes, in pixels. */
  readonly sidePx: number;
  readonly official: OfficialFile;
}

/** A word that fetches several networks together: all that look at pictures. */
export type Group = 'vision';

/** A graph that finds faces. */
export interface FacesEntry {
  readonly use: 'find_faces';
  readonly group: Group;
  readonly official: OfficialFile;
}

/** What a graph takes and gives for one picture, outermost first; 0 for a side that is free. */
export interface GraphShape {
  readonly input: readonly number[];
  readonly output: readonly number[];
}

/** Published in a form that does not run here; what is kept is the graph we make of it, or the weights as safetensors. */
export interface Conversion {
  readonly form: 'TFLite' | 'TensorFlow.js' | 'ncnn';
  /** Of what is kept: the same files give the same bytes. */
  readonly sha256: string;
}

/** A graph that looks at a picture: says what things are in it, whether some may not want to see it, or where writing is. */
export interface SightEntry {
  readonly use: 'name_things' | 'rate_content' | 'find_writing';
  readonly group: Group;
  readonly shape: GraphShape;
  readonly converted?: Conversion;
  readonly official: OfficialFile;
}

/** A graph that finds people pixel by pixel. No file of it is published that could be fetched and checked: an operator adds one. */
export interface PeopleEntry {
  readonly use: 'find_people';
  readonly shape: GraphShape;
  readonly official: undefined;
}

/** A pair of encoders, of pictures and of texts, whose vectors can be compared (CLIP), in one graph. */
export interface EmbedEntry {
  readonly use: 'embed';
  readonly group: Group;
  /** The vocabulary of its texts; pulled with it. */
  readonly tokenizer: 'tinyclip_tokenizer';
  readonly official: OfficialFile;
}

export interface TokenizeEntry {
  readonly use: 'tokenize';
  readonly official: OfficialFile;
}

export type ModelEntry =
  | UpscalerEntry
  | CutOutEntry
  | FacesEntry
  | SightEntry
  | PeopleEntry
  | EmbedEntry
  | TokenizeEntry;

/** All files of a network, as a download has them. */
export const filesOf = ({ beside = [], ...first }: OfficialFile): PublishedFile[] => [first, ...beside];

/** All of them together. */
export const bytesOf = (official: OfficialFile): number =>
  filesOf(official).reduce((sum, { bytes }) => sum + bytes, 0);

/** The word it is fetched by together with others. */
export const groupOf = (entry: ModelEntry): Group | undefined => ('group' in entry ? entry.group : undefined);
