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
  /** The picture as it is to be vouched for. */
  readonly bytes: Uint8Array;
  /**
   * The picture as it was sent; its own manifest, if it has one, stays readable as that of an ingredient. Absent: it was put together of
   * `components`.
   */
  readonly before?: Uint8Array | undefined;
  /** Other pictures that were placed in it; their manifests stay readable too. */
  readonly components?: readonly ManifestComponent[] | undefined;
  /** Its type, where it is another than that of the result. */
  readonly beforeType?: string;
  /** image/png, image/jpeg, image/webp, image/tiff */
  readonly type: string;
  /** What was done, in its order; absent: its metadata was edited. */
  readonly actions?: readonly ManifestAction[];
  readonly title: string;
  readonly generator: { readonly name: string; readonly version: string };
  /** Term of the PLUS vocabulary. */
  readonly dataMining?: string;
  /** What machines may do, by the names of CAWG; where it is given, `dataMining` is not asked. */
  readonly training?: Readonly<Record<string, TrainingEntry>>;
  /** The machine that made the picture or took part. */
  readonly origin?: AiOrigin;
  /** Drawn in the pixels, which people can see. */
  readonly label?: AiLabel;
  /** A watermark was put into the pixels. */
  readonly isMarked?: boolean;
  /** DER, the signer's first. */
  readonly certificates: readonly Uint8Array[];
  readonly algorithm: 'es256' | 'ed25519';
  /** The library's module. */
  readonly wasm: Uint8Array;
}

export interface ManifestComponent {
  readonly bytes: Uint8Array;
  /** image/png, image/jpeg, image/webp, image/tiff */
  readonly type: string;
  readonly title: string;
}

/** One thing that was done. C2PA 2.2, "Actions". */
export interface ManifestAction {
  readonly action: string;
  /** Where the name says too little. */
  readonly description?: string;
  /** IPTC digital source type of what the action put in, where a network made it up. */
  readonly sourceType?: string;
}

/** CAWG training and data mining assertion 1.1. */
export interface TrainingEntry {
  readonly use: 'allowed' | 'notAllowed' | 'constrained';
  readonly constraint_info?: string;
}

export interface PreparedManifest {
  /** The picture with its manifest, in which the signature is still missing. */
  readonly bytes: Uint8Array;
  /** What is to be signed. */
  readonly toSign: Uint8Array;
  /** The protected headers that go into the COSE signature with it. */
  readonly headers: Uint8Array;
  /** Where in `bytes` the COSE signature belongs, one part after the other: a JPEG splits a manifest into segments. */
  readonly places: readonly Place[];
  /** A PNG has a checksum to be made anew: over these bytes, written behind them. */
  readonly checksum?: { readonly from: number; readonly to: number };
}

/** Room for the COSE signature with its certificates and a time stamp, each of which takes 1 to 9 kB. */
const RESERVED = 16_384;

/**
 * Puts a C2PA manifest into a picture, complete but for its signature, which is made where the key is: a process that
 * reads strangers' bytes holds none. C2PA 2.2; COSE is RFC 9052.
 * @throws Error where the library refuses
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

/** True for an image that was put together, and an AI-generated one without an earlier manifest: the new manifest is its first and it has no parent. */
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

/** The watermark is not bound to this manifest: it says what made the picture, not where the manifest lies. C2PA 2.4. */
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

/** C2PA 2.2 has no action for a label; what changed is named by its words and region. */
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

/** XMP as JSON-LD, as the assertion of CAWG has it. */
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

/** As long as the signature may become, and found nowhere else. */
const placeholderFor = (toSign: Uint8Array): Buffer =>
  createHash('shake256', { outputLength: RESERVED }).update(toSign).digest();

/** @throws Error where the placeholder is not in the file as a whole */
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
