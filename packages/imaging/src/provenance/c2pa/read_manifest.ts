import { identify } from '../../codecs/identify.ts';
import { readMetadata } from '../../metadata/read_metadata.ts';
import { type AiOrigin, readOrigin } from '../../metadata/rights/origin.ts';
import { DIGITAL_SOURCE_TYPE_URL } from '../../metadata/vocabularies.ts';
import type { XmpValue } from '../../metadata/xmp/parse_xmp.ts';
import { noTimeStamp, type TimeStampResult } from '../timestamp/result.ts';
import { tokenInResponse } from '../timestamp/token_in_response.ts';
import { type TokenCheck, verifyTimeStamp } from '../timestamp/verify_token.ts';
import { readCose, stampedStructure } from './cose.ts';
import { contentIn, manifestsIn } from './jumbf.ts';
import { manifestStoreIn } from './manifest_store.ts';
import { OFFLINE, openC2pa } from './open_c2pa.ts';

const SIGNATURE = ['c2pa.signature'];
const CLAIMS = ['c2pa.claim', 'c2pa.claim.v2'];

/**
 * Checks the time stamp of the active manifest's signature (C2PA 2.2, 10.3.2.5). Never throws: without a time stamp, or if none can be located, the
 * status is `none` with the reason.
 */
function readTimeStamp(
  picture: Uint8Array,
  { id, state }: { readonly id?: string; readonly state: string },
  check: Omit<TokenCheck, 'message'>,
): TimeStampResult {
  const store = manifestStoreIn(picture);
  const active = store && manifestsIn(store)?.at(-1);
  const signature = active && active.id === id ? contentIn(active, SIGNATURE) : undefined;
  const cose = signature && readCose(signature);
  if (!active || !cose)
    return noTimeStamp(
      'The time stamp was not checked: the manifest cannot be extracted from this file reliably.',
    );
  if (cose.hasMalformedTimeStamp) return invalid('The time stamp of the manifest is damaged.');
  if (!cose.timeStamp) return noTimeStamp('The manifest has no time stamp.');
  if (state !== 'valid')
    return invalid('The manifest is not valid for this file, so its time stamp does not apply to the file.');
  const { version, value } = cose.timeStamp;
  const payload = version === 2 ? cose.signature : contentIn(active, CLAIMS);
  if (!payload) return invalid('The claim that the time stamp covers was not found.');
  const token = version === 2 ? value : responseToken(value);
  if (!token) return invalid('The time stamp of the manifest is damaged.');
  return verifyTimeStamp(token, { ...check, message: stampedStructure(cose.headers, payload, version) });
}

/** Version 1 stores the authority's whole response. */
function responseToken(response: Uint8Array): Uint8Array | undefined {
  try {
    return tokenInResponse(response);
  } catch {
    return undefined;
  }
}

const invalid = (reason: string): TimeStampResult => ({
  time: null,
  authority: null,
  status: 'invalid',
  reason,
});

export interface ManifestReading {
  /**
   * valid: signature and hashes match these bytes, whether or not the signer is trusted. invalid: they do not match. unreadable: damaged. remote:
   * stored elsewhere and not fetched.
   */
  readonly state: 'valid' | 'invalid' | 'unreadable' | 'remote';
  /** Status codes of the C2PA specification, or error messages of the library. */
  readonly problems: readonly string[];
  /** Label of the active manifest. */
  readonly id?: string;
  readonly title?: string;
  /** Software that made the claim. */
  readonly generator?: string;
  readonly signer?: { readonly organisation?: string; readonly name?: string; readonly time?: string };
  /** Time stamp of the signature; undefined if no manifest could be read. */
  readonly timeStamp?: TimeStampResult;
  /** Whether the signer's certificate chains to a trust anchor; undefined without trust anchors. */
  readonly isTrusted?: boolean;
  /** Names of actions, such as c2pa.created. */
  readonly actions: readonly string[];
  /** Permitted machine uses, in CAWG terms; undefined without such an assertion. */
  readonly training?: Readonly<Record<string, string>>;
  /** The AI system that made or altered the image, according to this manifest or its parent. */
  readonly origin?: AiOrigin;
  /** Digital source types in the manifest and its ingredients; undefined without any. */
  readonly sources?: readonly ManifestSource[];
  /** Declared soft bindings; undefined without any. */
  readonly softBindings?: readonly DeclaredBinding[];
}

/** A watermark or fingerprint that a manifest declares (assertion c2pa.soft-binding). */
export interface DeclaredBinding {
  /** Name of the algorithm, in printable ASCII. */
  readonly alg: string;
  /** As in the assertion: text in printable ASCII, or bytes in base64. */
  readonly value: string;
}

/** One digital source type, and the manifest that states it. */
export interface ManifestSource {
  /** Term of the IPTC or C2PA vocabulary, or a URL outside both. */
  readonly term: string;
  /** active: the manifest of this file. parent: of an earlier version. component: of an image placed in it. */
  readonly manifest: 'active' | 'parent' | 'component';
  /** Name of the action, or the label of the metadata assertion. */
  readonly place: string;
  /** Software that carried out the action. */
  readonly agent?: string;
  /** Software that made the claim. */
  readonly generator?: string;
  /** Organisation in the signer's certificate. */
  readonly organisation?: string;
}

/** Maximum characters shown of untrusted text. */
const CHARACTERS_MAX = 200;
const LIST_MAX = 20;
/** Longer values are dropped: identifiers and hashes have a tenth of that. */
const BINDING_CHARACTERS_MAX = 300;
/** Maximum manifests followed in one store; observed chains of edits have fewer than ten. */
const CHAIN_MAX = 50;
/** Status if the signer does not chain to a trust anchor; independent of the validity of the manifest. */
const UNTRUSTED = 'signingCredential.untrusted';

/**
 * Reads and validates the C2PA manifest of an image offline. Undefined without an embedded or referenced manifest. Never throws because of the
 * manifest's content.
 * @param wasm the WebAssembly module of the library
 * @param stamps trust list for the time stamp; undefined: not checked
 * @param trustAnchors PEM certificates that signers must chain to; undefined: trust is not evaluated
 */
export async function readManifest({
  bytes,
  wasm,
  stamps,
  trustAnchors,
}: {
  bytes: Uint8Array;
  wasm: Uint8Array;
  stamps?: Omit<TokenCheck, 'message'>;
  trustAnchors?: string | undefined;
}): Promise<ManifestReading | undefined> {
  const kind = identify(bytes);
  if (!('format' in kind)) return undefined;
  const { hasManifest, remoteManifest } = readMetadata(bytes);
  const mayHave = hasManifest || kind.format === 'avif' || kind.format === 'gif';
  const { Reader } = mayHave ? await openC2pa(wasm) : {};
  const inside = Reader && (await readInside(Reader, bytes, { type: `image/${kind.format}`, trustAnchors }));
  if (inside) {
    const isRead = stamps && (inside.state === 'valid' || inside.state === 'invalid');
    return isRead ? { ...inside, timeStamp: readTimeStamp(bytes, inside, stamps) } : inside;
  }
  return remoteManifest === undefined ? undefined : { state: 'remote', problems: [], actions: [] };
}

type Library = Awaited<ReturnType<typeof openC2pa>>;

async function readInside(
  Reader: Library['Reader'],
  bytes: Uint8Array,
  { type, trustAnchors }: { type: string; trustAnchors: string | undefined },
): Promise<ManifestReading | undefined> {
  try {
    const reader = await Reader.fromBytes(type, bytes, JSON.stringify(settingsFor(trustAnchors)));
    try {
      return readingOf(JSON.parse(reader.json()), trustAnchors !== undefined);
    } finally {
      reader.free();
    }
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error);
    if (/JumbfNotFound|ProvenanceMissing|UnsupportedType/.test(reason)) return undefined;
    return { state: 'unreadable', problems: [cutText(reason)], actions: [] };
  }
}

const settingsFor = (trustAnchors: string | undefined) =>
  trustAnchors === undefined
    ? OFFLINE
    : {
        ...OFFLINE,
        verify: { ...OFFLINE.verify, verify_trust: true },
        trust: { trust_anchors: trustAnchors },
      };

/** The parts of the library's report that are used. */
interface Report {
  readonly active_manifest?: string;
  readonly validation_state?: string;
  readonly validation_status?: readonly { readonly code?: string }[];
  readonly manifests?: Readonly<Record<string, Manifest>>;
}

interface Manifest {
  readonly title?: string;
  readonly claim_generator?: string;
  readonly claim_generator_info?: readonly { readonly name?: string }[];
  readonly signature_info?: {
    readonly issuer?: string;
    readonly common_name?: string;
    readonly time?: string;
  };
  readonly assertions?: readonly {
    readonly label?: string;
    readonly data?: {
      readonly actions?: readonly Action[];
      readonly entries?: unknown;
    };
  }[];
  readonly ingredients?: readonly { readonly relationship?: string; readonly active_manifest?: string }[];
}

interface Action {
  readonly action?: unknown;
  readonly digitalSourceType?: unknown;
  /** A name, or `{name, version}`. */
  readonly softwareAgent?: unknown;
}

function readingOf(report: Report, judgesTrust: boolean): ManifestReading {
  const chain = chainOf(report);
  const manifest = chain[0]?.manifest ?? {};
  const { issuer, common_name: name, time } = manifest.signature_info ?? {};
  const actions = actionsIn(manifest).flatMap(({ action }) =>
    typeof action === 'string' ? [cutText(action)] : [],
  );
  const training = trainingIn(manifest);
  const lineage = chain.filter(({ relation }) => relation !== 'component');
  const origin = lineage.map((link) => originIn(link.manifest)).find((found) => found !== undefined);
  const sources = chain.flatMap(sourcesIn).slice(0, LIST_MAX);
  const softBindings = bindingsIn(manifest).slice(0, LIST_MAX);
  const problems = (report.validation_status ?? []).flatMap(({ code }) => code ?? []);
  return {
    state: /^(Valid|Trusted)$/.test(report.validation_state ?? '') ? 'valid' : 'invalid',
    problems: problems.filter((code) => code !== UNTRUSTED).slice(0, LIST_MAX),
    ...texts({ id: report.active_manifest, title: manifest.title, generator: generatorOf(manifest) }),
    ...(manifest.signature_info && { signer: texts({ organisation: issuer, name, time }) }),
    ...(judgesTrust && { isTrusted: report.validation_state === 'Trusted' }),
    actions: actions.slice(0, LIST_MAX),
    ...(training && { training }),
    ...(origin && { origin }),
    ...(sources.length > 0 && { sources }),
    ...(softBindings.length > 0 && { softBindings }),
  };
}

interface Link {
  readonly manifest: Manifest;
  readonly relation: ManifestSource['manifest'];
}

/** The active manifest, then those of its ingredients, without duplicates. ChatGPT, for example, states the source only in a parent's manifest. */
function chainOf({ active_manifest: active = '', manifests = {} }: Report): Link[] {
  const known = new Map(Object.entries(manifests));
  const waiting: { id: string; relation: Link['relation'] }[] = [{ id: active, relation: 'active' }];
  const chain: Link[] = [];
  for (const { id, relation } of waiting) {
    const manifest = known.get(id);
    if (!manifest || chain.length === CHAIN_MAX) continue;
    known.delete(id);
    chain.push({ manifest, relation });
    for (const { relationship, active_manifest: next } of manifest.ingredients ?? []) {
      const isParent = relationship === 'parentOf' && relation !== 'component';
      if (next !== undefined) waiting.push({ id: next, relation: isParent ? 'parent' : 'component' });
    }
  }
  return chain;
}

const actionsIn = ({ assertions = [] }: Manifest): readonly Action[] =>
  assertions
    .filter(({ label }) => label?.startsWith('c2pa.actions'))
    .flatMap(({ data }) => data?.actions ?? [])
    .filter((action) => typeof action === 'object' && action !== null);

/** Without the comments of a user agent (RFC 9110, 10.1.5), in which cameras include their serial number. */
function generatorOf({ claim_generator_info: info, claim_generator: text }: Manifest): string | undefined {
  const name = info?.[0]?.name ?? text;
  return typeof name === 'string'
    ? cutText(name)
        .replace(/\s*\([^()]*\)/g, '')
        .trim()
    : undefined;
}

/** Assertions that hold XMP as JSON-LD. */
const METADATA_LABEL = /^(cawg\.metadata|c2pa\.metadata|stds\.iptc)/;
const SOURCE_TYPE = 'Iptc4xmpExt:DigitalSourceType';

function sourcesIn({ manifest, relation }: Link): ManifestSource[] {
  const { assertions = [], signature_info: signature } = manifest;
  const acted = actionsIn(manifest).map(({ action, digitalSourceType: type, softwareAgent: agent }) => ({
    type,
    place: action,
    agent,
  }));
  const written = assertions
    .filter(({ label }) => METADATA_LABEL.test(label ?? ''))
    .map(({ label, data }) => ({
      type: (data as Record<string, unknown> | undefined)?.[SOURCE_TYPE],
      place: label,
      agent: undefined,
    }));
  return [...acted, ...written].flatMap(({ type, place, agent }) => {
    if (typeof type !== 'string' || type === '' || typeof place !== 'string') return [];
    const found = { agent: nameOf(agent), generator: generatorOf(manifest), organisation: signature?.issuer };
    return [{ term: termOf(type), manifest: relation, place: cutText(place), ...texts(found) }];
  });
}

const nameOf = (agent: unknown): unknown =>
  typeof agent === 'object' && agent !== null && 'name' in agent ? agent.name : agent;

/** The vocabularies of IPTC and of C2PA itself (2.2, 18.15). */
const VOCABULARY = /^https?:\/\/(?:cv\.iptc\.org\/newscodes|c2pa\.org)\/digitalsourcetype\//;
const termOf = (type: string): string => cutText(type.replace(VOCABULARY, ''));

/** Older writers use the label `c2pa.training-mining`; both define the same uses. */
function trainingIn({ assertions = [] }: Manifest): Record<string, string> | undefined {
  const found = assertions.find(({ label }) => /^(cawg|c2pa)\.training-mining$/.test(label ?? ''));
  const entries = found?.data?.entries;
  if (typeof entries !== 'object' || entries === null) return undefined;
  const uses = Object.entries(entries).flatMap(([name, entry]: [string, unknown]) => {
    const use = typeof entry === 'object' && entry !== null && 'use' in entry ? entry.use : undefined;
    return typeof use === 'string' ? [[cutText(name), cutText(use)] as const] : [];
  });
  return uses.length > 0 ? Object.fromEntries(uses.slice(0, LIST_MAX)) : undefined;
}

/** C2PA 2.2, 18.10: an algorithm, and a value for each block of content. */
function bindingsIn({ assertions = [] }: Manifest): DeclaredBinding[] {
  const declared = assertions
    .filter(({ label }) => label?.startsWith('c2pa.soft-binding'))
    .flatMap(({ data }) => {
      const { alg, blocks } = (data ?? {}) as { alg?: unknown; blocks?: unknown };
      return Array.isArray(blocks) ? blocks.map((block) => ({ alg, value: bindingValue(block) })) : [];
    });
  return declared.filter(
    (binding): binding is DeclaredBinding =>
      typeof binding.alg === 'string' &&
      /^[!-~]{1,200}$/.test(binding.alg) &&
      binding.value !== undefined &&
      binding.value.length <= BINDING_CHARACTERS_MAX &&
      /^[ -~]+$/.test(binding.value),
  );
}

/** The library serialises bytes as a list of numbers. */
function bindingValue(block: unknown): string | undefined {
  const value =
    typeof block === 'object' && block !== null && 'value' in block ? (block.value as unknown) : undefined;
  if (typeof value === 'string') return value;
  const isBytes =
    Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return isBytes ? Buffer.from(value).toString('base64') : undefined;
}

/** From the metadata assertion, else only the source type from an action. */
function originIn(manifest: Manifest): AiOrigin | undefined {
  const metadata = manifest.assertions?.find(({ label }) => METADATA_LABEL.test(label ?? ''))?.data;
  const told = metadata && readOrigin(metadata as Readonly<Record<string, XmpValue>>);
  if (told) return told;
  const origins = actionsIn(manifest).map(({ digitalSourceType: type }) =>
    typeof type === 'string' && type.startsWith(DIGITAL_SOURCE_TYPE_URL)
      ? readOrigin({ [SOURCE_TYPE]: type })
      : undefined,
  );
  return origins.find((origin) => origin !== undefined);
}

const cutText = (text: string): string => text.slice(0, CHARACTERS_MAX);

/** Defined values, as text. */
const texts = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, cutText(value)]] : [],
    ),
  );
