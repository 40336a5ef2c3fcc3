import { readMetadata } from '../metadata/read_metadata.ts';
import { type AiOrigin, readOrigin } from '../metadata/rights/origin.ts';
import { DIGITAL_SOURCE_TYPE_URL } from '../metadata/vocabularies.ts';
import type { XmpValue } from '../metadata/xmp/parse_xmp.ts';
import { identify } from '../picture/identify.ts';
import type { TimeStampResult } from '../timestamp/result.ts';
import type { TokenCheck } from '../timestamp/verify_token.ts';
import { OFFLINE, openC2pa } from './open_c2pa.ts';
import { readTimeStamp } from './read_time_stamp.ts';

export interface ManifestReading {
  /**
   * valid: its signature and its hashes hold for these bytes; whether to trust who signed is another question. invalid:
   * they do not. unreadable: it is damaged. remote: it lies elsewhere and was not fetched.
   */
  readonly state: 'valid' | 'invalid' | 'unreadable' | 'remote';
  /** Status codes of the C2PA specification, or the library's words for what it could not read. */
  readonly problems: readonly string[];
  /** Label of the active manifest. */
  readonly id?: string;
  readonly title?: string;
  /** Software that made the claim. */
  readonly generator?: string;
  readonly signer?: { readonly organisation?: string; readonly name?: string; readonly time?: string };
  /** Time stamp of the signature; absent where no manifest could be read. */
  readonly timeStamp?: TimeStampResult;
  /** Names of actions, such as c2pa.created. */
  readonly actions: readonly string[];
  /** What machines may do, by the names of CAWG; absent where it says nothing of that. */
  readonly training?: Readonly<Record<string, string>>;
  /** The machine that made the picture or took part, as the manifest has it. */
  readonly origin?: AiOrigin;
}

/** Shown of what a stranger's manifest says. */
const CHARACTERS_MAX = 200;
const LIST_MAX = 20;

/**
 * Reads and checks the C2PA manifest inside a picture, without any connection. Nothing for a picture that neither has one
 * nor names one. Never throws for what a manifest holds.
 * @param wasm the library's module
 * @param stamps what its time stamp is checked against; absent: it is not looked at
 */
export async function readManifest({
  bytes,
  wasm,
  stamps,
}: {
  bytes: Uint8Array;
  wasm: Uint8Array;
  stamps?: Omit<TokenCheck, 'message'>;
}): Promise<ManifestReading | undefined> {
  const kind = identify(bytes);
  if (!('format' in kind)) return undefined;
  const { hasManifest, remoteManifest } = readMetadata(bytes);
  const mayHave = hasManifest || kind.format === 'avif' || kind.format === 'gif';
  const { Reader } = mayHave ? await openC2pa(wasm) : {};
  const inside = Reader && (await readInside(Reader, bytes, `image/${kind.format}`));
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
  type: string,
): Promise<ManifestReading | undefined> {
  try {
    const reader = await Reader.fromBytes(type, bytes, JSON.stringify(OFFLINE));
    try {
      return readingOf(JSON.parse(reader.json()));
    } finally {
      reader.free();
    }
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error);
    if (/JumbfNotFound|ProvenanceMissing|UnsupportedType/.test(reason)) return undefined;
    return { state: 'unreadable', problems: [cutText(reason)], actions: [] };
  }
}

/** The report of the library: the parts used here. */
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
      readonly actions?: readonly { readonly action?: string; readonly digitalSourceType?: unknown }[];
      readonly entries?: unknown;
    };
  }[];
}

function readingOf(report: Report): ManifestReading {
  const manifest = report.manifests?.[report.active_manifest ?? ''] ?? {};
  const { issuer, common_name: name, time } = manifest.signature_info ?? {};
  const generator = manifest.claim_generator_info?.[0]?.name ?? manifest.claim_generator;
  const acted = (manifest.assertions ?? [])
    .filter(({ label }) => label?.startsWith('c2pa.actions'))
    .flatMap(({ data }) => data?.actions ?? []);
  const actions = acted.flatMap(({ action }) => (typeof action === 'string' ? [cutText(action)] : []));
  const training = trainingIn(manifest);
  const origin = originIn(
    manifest,
    acted.flatMap(({ digitalSourceType: type }) => type ?? []),
  );
  return {
    state: /^(Valid|Trusted)$/.test(report.validation_state ?? '') ? 'valid' : 'invalid',
    problems: (report.validation_status ?? []).flatMap(({ code }) => code ?? []).slice(0, LIST_MAX),
    ...texts({ id: report.active_manifest, title: manifest.title, generator }),
    ...(manifest.signature_info && { signer: texts({ organisation: issuer, name, time }) }),
    actions: actions.slice(0, LIST_MAX),
    ...(training && { training }),
    ...(origin && { origin }),
  };
}

/** `c2pa.training-mining` is what older writers call it; both name the same uses. */
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

/** From the metadata assertion, else the kind of source alone from an action. */
function originIn({ assertions = [] }: Manifest, sourceTypes: readonly unknown[]): AiOrigin | undefined {
  const metadata = assertions.find(({ label }) => label === 'cawg.metadata')?.data;
  const told = metadata && readOrigin(metadata as Readonly<Record<string, XmpValue>>);
  if (told) return told;
  const origins = sourceTypes.map((type) =>
    typeof type === 'string' && type.startsWith(DIGITAL_SOURCE_TYPE_URL)
      ? readOrigin({ 'Iptc4xmpExt:DigitalSourceType': type })
      : undefined,
  );
  return origins.find((origin) => origin !== undefined);
}

const cutText = (text: string): string => text.slice(0, CHARACTERS_MAX);

/** Only what is there, as text. */
const texts = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, cutText(value)]] : [],
    ),
  );
