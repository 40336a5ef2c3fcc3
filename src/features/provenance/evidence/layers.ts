import type { AiOrigin } from '@atelier/imaging/metadata/rights/origin.ts';
import { quoteUntrusted } from '../wording.ts';
import type { Readings, WatermarkReading } from './types.ts';

const START = 'AI';
const SEPARATOR = '|';

/** Payload of a watermark that names the AI system: `AI|system|version|provider|time|id`. */
export function writeAiMark(origin: Required<Omit<AiOrigin, 'sourceType'>>) {
  const { system, version, provider, at, id } = origin;
  const start = [START, system, version, provider, at, ''].join(SEPARATOR);
  return { payload: start + id, start };
}

/** Parses such a payload; undefined for any other text. */
export function readAiMark(payload: string): AiOrigin | undefined {
  const [start, system, version, provider, at, id, ...more] = payload.split(SEPARATOR);
  if (start !== START || !system || !version || !provider || !at || !id || more.length > 0) return undefined;
  return Number.isNaN(Date.parse(at)) ? undefined : { system, version, provider, at, id };
}

/** Layers of a file that state that AI made the image. */
export interface FoundLayers {
  /** Metadata under a valid signature. */
  readonly signed?: Signed;
  /** Why a signature in the file is not valid. */
  readonly broken?: string;
  /** Metadata that is not signed, or not covered by the signature. */
  readonly plain?: AiOrigin;
  /** Source type in the metadata, if it is one without AI. */
  readonly contrary?: string;
  readonly mark?: { readonly origin: AiOrigin; readonly reading: WatermarkReading };
  /** True if this service signed that AI made the image; it then also embeds a watermark. */
  readonly shouldBeMarked: boolean;
  readonly hasManifest: boolean;
}

export interface Signed {
  readonly origin: AiOrigin;
  readonly by: string;
  /** Time in ISO 8601, and whose clock it is from. */
  readonly at?: string;
  readonly clock?: string;
}

/** Collects the layers; undefined if none names an AI system. */
export function findLayers({ claims, manifest, soulmark, watermark }: Readings): FoundLayers | undefined {
  const coded = codedOrigin(soulmark?.codex);
  const origin = watermark?.text === undefined ? undefined : readAiMark(watermark.text);
  if (!claims.origin && !coded && !manifest?.origin && !origin) return undefined;
  const bySoulmark = soulmarkLayer(soulmark, coded);
  const byManifest = manifestLayer(manifest);
  const signed =
    byManifest?.at !== undefined || !bySoulmark.signed
      ? (byManifest ?? bySoulmark.signed)
      : bySoulmark.signed;
  const broken = signed ? undefined : (brokenManifest(manifest) ?? bySoulmark.broken);
  return {
    ...(signed && { signed }),
    ...(broken !== undefined && { broken }),
    ...(claims.origin ? { plain: claims.origin } : contraryTo(claims)),
    ...(origin && watermark && { mark: { origin, reading: watermark } }),
    shouldBeMarked: bySoulmark.signed !== undefined && soulmark?.isOurs === true,
    hasManifest: manifest?.state === 'valid',
  };
}

const contraryTo = ({ fields: { digital_source_type: contrary } }: Readings['claims']) =>
  contrary === undefined ? {} : { contrary };

const NAMES = {
  digital_source_type: 'sourceType',
  system: 'system',
  version: 'version',
  provider: 'provider',
  generated_at: 'at',
  id: 'id',
} as const;

/** The `ai` member of a codex, as written by `infuse_metadata`. */
export function codedOrigin(codex: unknown): AiOrigin | undefined {
  const ai = typeof codex === 'object' && codex !== null && 'ai' in codex ? codex.ai : undefined;
  if (typeof ai !== 'object' || ai === null) return undefined;
  const entries = Object.entries(NAMES).flatMap(([name, ours]) => {
    const value = (ai as Record<string, unknown>)[name];
    return typeof value === 'string' && value ? [[ours, value]] : [];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function soulmarkLayer(
  soulmark: Readings['soulmark'],
  origin: AiOrigin | undefined,
): Pick<FoundLayers, 'signed' | 'broken'> {
  if (!soulmark?.signer || !origin) return {};
  const { signer, codexIs, pixelsAre, isOurs } = soulmark;
  if (pixelsAre === 'changed') return { broken: 'Its soulmark was signed for other pixels.' };
  if (codexIs === 'changed') return { broken: 'The codex with its soulmark is not the signed one.' };
  const who = isOurs ? 'this service' : `another signer, key ${quoteUntrusted(signer.kid)}`;
  const at = new Date(signer.signedAtUnixS * 1000).toISOString();
  return { signed: { origin, by: `A soulmark of ${who}`, at, clock: 'the clock of the signer' } };
}

function manifestLayer(manifest: Readings['manifest']): Signed | undefined {
  if (manifest?.state !== 'valid' || !manifest.origin) return undefined;
  // The common name of a certificate may be a person's, which a detector of AI must not repeat (decision 35).
  const { organisation } = manifest.signer ?? {};
  const { time, status } = manifest.timeStamp ?? {};
  return {
    origin: manifest.origin,
    by: `A C2PA manifest${organisation === undefined ? '' : ` of ${quoteUntrusted(organisation)}`}`,
    ...(typeof time === 'string' && {
      at: time,
      clock:
        status === 'trusted'
          ? 'its time stamp'
          : 'its time stamp, of an authority that is not on the trust list',
    }),
  };
}

const brokenManifest = (manifest: Readings['manifest']): string | undefined =>
  manifest?.state === 'invalid' ? 'Its C2PA manifest is not valid for these bytes.' : undefined;
