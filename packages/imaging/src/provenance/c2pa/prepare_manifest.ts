import { createHash } from 'node:crypto';
import { readPackets } from '../../metadata/read_metadata.ts';
import { type AiLabel, labelTexts } from '../../metadata/rights/ai_label.ts';
import type { AiOrigin } from '../../metadata/rights/origin.ts';
import { DIGITAL_SOURCE_TYPE_URL } from '../../metadata/vocabularies.ts';
import { NAMESPACES } from '../../metadata/xmp/namespaces.ts';
import { pngChunks } from '../../pixels/png_chunks.ts';
import { protectedHeaders, signedStructure } from './cose.ts';
import { type Place, storeParts } from './manifest_store.ts';
import { AtOnceBlob, OFFLINE, openC2pa } from './open_c2pa.ts';

export interface ManifestRequest {
  /** The image to sign. */
  readonly bytes: Uint8Array;
  /** The image as sent; its manifest, if any, remains readable as that of an ingredient. Undefined: the image was composed of `components`. */
  readonly before?: Uint8Array | undefined;
  /** Other images placed in it; their manifests remain readable too. */
  readonly components?: readonly ManifestComponent[] | undefined;
  /** Content type of `before`, if it differs from that of the result. */
  readonly beforeType?: string;
  /** image/png, image/jpeg, image/webp, image/tiff */
  readonly type: string;
  /** Actions in order. Default: its metadata was edited. */
  readonly actions?: readonly ManifestAction[];
  readonly title: string;
  readonly generator: { readonly name: string; readonly version: string };
  /** Term of the PLUS vocabulary. */
  readonly dataMining?: string;
  /** Permitted machine uses, in CAWG terms; takes precedence over `dataMining`. */
  readonly training?: Readonly<Record<string, TrainingEntry>>;
  /** The AI system that made or altered the image. */
  readonly origin?: AiOrigin;
  /** The visible label drawn into the pixels. */
  readonly label?: AiLabel;
  /** Whether a watermark was embedded. */
  readonly isMarked?: boolean;
  /** DER, the signer's first. */
  readonly certificates: readonly Uint8Array[];
  readonly algorithm: 'es256' | 'ed25519';
  /** The WebAssembly module of the library. */
  readonly wasm: Uint8Array;
}

export interface ManifestComponent {
  readonly bytes: Uint8Array;
  /** image/png, image/jpeg, image/webp, image/tiff */
  readonly type: string;
  readonly title: string;
}

/** One action. C2PA 2.2, "Actions". */
export interface ManifestAction {
  readonly action: string;
  /** Additional text if the name is not specific enough. */
  readonly description?: string;
  /** IPTC digital source type of added content, if a model generated it. */
  readonly sourceType?: string;
}

/** CAWG training and data mining assertion 1.1. */
export interface TrainingEntry {
  readonly use: 'allowed' | 'notAllowed' | 'constrained';
  readonly constraint_info?: string;
}

export interface PreparedManifest {
  /** The image with its manifest, which lacks only the signature. */
  readonly bytes: Uint8Array;
  /** The bytes to sign. */
  readonly toSign: Uint8Array;
  /** The protected headers for the COSE signature. */
  readonly headers: Uint8Array;
  /** Byte ranges of `bytes` for the COSE signature, in order: a JPEG splits a manifest into segments. */
  readonly places: readonly Place[];
  /** A PNG checksum to update: over these bytes, stored after them. */
  readonly checksum?: { readonly from: number; readonly to: number };
}

/** Bytes reserved for the COSE signature with its certificates and a time stamp, each of which takes 1 to 9 kB. */
const RESERVED = 16_384;

/**
 * Embeds a C2PA manifest that lacks only the signature. The signature is made in the process that holds the key; processes that parse untrusted bytes
 * hold none. C2PA 2.2; COSE is RFC 9052.
 * @throws Error if the library rejects the image
 */
export async function prepareManifest(request: ManifestRequest): Promise<PreparedManifest> {
  const { Builder } = await openC2pa(request.wasm);
  const builder = Builder.fromJson(JSON.stringify(definitionOf(request)), JSON.stringify(OFFLINE));
  const ingredient = JSON.stringify({
    title: 'The picture as it was',
    relationship: 'parentOf',
    label: PARENT,
  });
  const { before, beforeType = request.type, components = [] } = request;
  if (before && !isCreation(request))
    await builder.addIngredientFromBlob(ingredient, beforeType, new AtOnceBlob(before, beforeType));
  for (const [at, { title, type, bytes }] of components.entries())
    await builder.addIngredientFromBlob(
      JSON.stringify({ title, relationship: 'componentOf', label: componentLabel(at) }),
      type,
      new AtOnceBlob(bytes, type),
    );
  const { algorithm: alg, certificates, type, bytes } = request;
  const headers = protectedHeaders(alg, certificates);
  let toSign: Buffer | undefined;
  const sign = async (claim: Uint8Array) => {
    toSign = signedStructure(headers, claim);
    return new Uint8Array(placeholderFor(toSign));
  };
  const signer = { sign, reserveSize: RESERVED, alg };
  const made = Buffer.from(await builder.sign(signer, [], type, new AtOnceBlob(bytes, type)));
  builder.free();
  if (!toSign) throw new Error('the library did not ask for a signature');
  const places = placesOf(placeholderFor(toSign), made, type);
  return { bytes: made, toSign, headers, places, ...checksumOf(made, type, places[0]!.from) };
}

const PARENT = 'parent';
const componentLabel = (at: number): string => `component_${at}`;

const WHOLLY = 'trainedAlgorithmicMedia';

/** True for composed images, and for AI-generated ones without an earlier manifest: the manifest is then the first and has no parent. */
const isCreation = ({ origin, before }: ManifestRequest): boolean =>
  before === undefined || (origin?.sourceType === WHOLLY && !readPackets(before).hasManifest);

function definitionOf(request: ManifestRequest): object {
  const { title, generator, dataMining, training, origin, label } = request;
  const use = dataMining && useOf(dataMining);
  const entries = training ?? (use ? entriesOf(use) : {});
  return {
    claim_generator_info: [generator],
    title,
    assertions: [
      { label: 'c2pa.actions.v2', data: { actions: actionsOf(request) } },
      ...(Object.keys(entries).length > 0 ? [{ label: 'cawg.training-mining', data: { entries } }] : []),
      ...(origin ? [{ label: 'cawg.metadata', data: metadataOf(origin, label) }] : []),
    ],
  };
}

/** The watermark is not a soft binding: it states what made the image, not where the manifest is. C2PA 2.4. */
function actionsOf(request: ManifestRequest): object[] {
  const {
    origin,
    label,
    isMarked,
    components = [],
    actions = [{ action: 'c2pa.edited.metadata' }],
  } = request;
  const source = origin?.sourceType && {
    digitalSourceType: DIGITAL_SOURCE_TYPE_URL + origin.sourceType,
  };
  const first = isCreation(request)
    ? {
        action: 'c2pa.created',
        ...source,
        ...(origin?.at && { when: origin.at }),
        ...(origin?.system && {
          softwareAgent: { name: origin.system, ...(origin.version && { version: origin.version }) },
        }),
      }
    : { action: 'c2pa.opened', ...source, parameters: { ingredientIds: [PARENT] } };
  return [
    first,
    ...components.map((_, at) => ({
      action: 'c2pa.placed',
      parameters: { ingredientIds: [componentLabel(at)] },
    })),
    ...(label ? [labelAction(label)] : []),
    ...actions.map(({ sourceType, ...action }) => ({
      ...action,
      ...(sourceType && { digitalSourceType: DIGITAL_SOURCE_TYPE_URL + sourceType }),
    })),
    ...(isMarked ? [{ action: 'c2pa.watermarked.unbound' }] : []),
  ];
}

/** C2PA 2.2 has no action for a label; the change is described by its text and region. */
const labelAction = ({ words, region: { x, y, width, height } }: AiLabel): object => ({
  action: 'c2pa.edited',
  description: `Visible AI label: ${words}`,
  changes: [
    {
      description: words,
      region: [
        { type: 'spatial', shape: { type: 'rectangle', unit: 'pixel', origin: { x, y }, width, height } },
      ],
    },
  ],
});

/** XMP as JSON-LD, in the form of the CAWG assertion. */
function metadataOf(
  { sourceType, system, version, provider, at, id }: AiOrigin,
  label: AiLabel | undefined,
): object {
  const { Iptc4xmpExt, xmp, atelier } = NAMESPACES;
  return {
    '@context': { Iptc4xmpExt, xmp, atelier },
    ...(sourceType && { 'Iptc4xmpExt:DigitalSourceType': DIGITAL_SOURCE_TYPE_URL + sourceType }),
    ...(system && { 'Iptc4xmpExt:AISystemUsed': system }),
    ...(version && { 'Iptc4xmpExt:AISystemVersionUsed': version }),
    ...(provider && { 'atelier:AIProvider': provider }),
    ...(at && { [sourceType === WHOLLY ? 'xmp:CreateDate' : 'xmp:ModifyDate']: at }),
    ...(id && { 'Iptc4xmpExt:DigImageGUID': id }),
    ...(label && labelTexts(label)),
  };
}

const useOf = (term: string): TrainingEntry['use'] | undefined => {
  if (term === 'ALLOWED') return 'allowed';
  return term.startsWith('PROHIBITED') ? 'notAllowed' : undefined;
};

const entriesOf = (use: TrainingEntry['use']): Record<string, TrainingEntry> =>
  Object.fromEntries(
    ['data_mining', 'ai_training', 'ai_generative_training'].map((name) => [`cawg.${name}`, { use }]),
  );

/** A unique placeholder with the maximum length of the signature. */
const placeholderFor = (toSign: Uint8Array): Buffer =>
  createHash('shake256', { outputLength: RESERVED }).update(toSign).digest();

/** @throws Error if the placeholder is not found as a whole */
function placesOf(placeholder: Buffer, file: Buffer, type: string): Place[] {
  const parts = type === 'image/jpeg' ? storeParts(file) : [{ from: 0, to: file.length }];
  const store = parts.length === 1 ? file.subarray(parts[0]!.from, parts[0]!.to) : joined(file, parts);
  const start = store.indexOf(placeholder);
  if (start < 0) throw new Error('the place of the signature was not found in the manifest');
  const end = start + placeholder.length;
  const places: Place[] = [];
  let before = 0;
  for (const { from, to } of parts) {
    const first = Math.max(start - before, 0);
    const last = Math.min(end - before, to - from);
    if (first < last) places.push({ from: from + first, to: from + last });
    before += to - from;
  }
  return places;
}

const joined = (file: Buffer, parts: readonly Place[]): Buffer =>
  Buffer.concat(parts.map(({ from, to }) => file.subarray(from, to)));

function checksumOf(bytes: Buffer, type: string, at: number) {
  if (type !== 'image/png') return {};
  let from = 8;
  for (const chunk of pngChunks(bytes).chunks) {
    const to = from + chunk.bytes.length;
    if (at < to) return { checksum: { from: from + 4, to: to - 4 } };
    from = to;
  }
  return {};
}
