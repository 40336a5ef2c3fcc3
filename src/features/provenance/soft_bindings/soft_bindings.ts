import { createHash } from 'node:crypto';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { PixelControl, Pixels } from '../../../core/workers/types.ts';
import type { Hashes } from '../hashes/types.ts';
import type { Marks } from '../marks/types.ts';
import type { StoredManifest, StoredManifests } from '../stored_manifests/types.ts';
import type { Provenance } from '../types.ts';
import { PUBLIC_ALGORITHMS, publicAlgorithm } from './public_algorithms.ts';

/**
 * Names in the form C2PA requires: vendor and version. Neither is on C2PA's list yet; the entries are
 * prepared (docs/concepts/coming_back.md).
 */
const ALGORITHMS = {
  watermark: 'io.github.atelier.watermark.1',
  fingerprint: 'io.github.atelier.pdq.1',
} as const;
type SoftBindingKind = keyof typeof ALGORITHMS;

interface SoftBindingsDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly hashes: Pick<Hashes, 'near'>;
  readonly provenance: Pick<Provenance, 'priorArt'>;
  readonly marks: Pick<Marks, 'find'>;
  readonly storedManifests: Pick<StoredManifests, 'ofLookalikes' | 'ofMark' | 'ofBinding'>;
}

/** A registration or known work that may have manifests, and its similarity, 0 to 1. */
interface Likeness {
  readonly id: string;
  readonly similarity: number;
}

export function createSoftBindings(parts: SoftBindingsDeps): SoftBindings {
  const { pixels, hashes, provenance, storedManifests } = parts;
  /** Manifests in the order of the registrations. */
  const manifestsOf = async (alike: readonly Likeness[]): Promise<FoundManifest[]> => {
    const kept = await storedManifests.ofLookalikes(alike.map(({ id }) => id));
    return alike.flatMap(({ id, similarity }) =>
      kept
        .filter(({ boundTo }) => boundTo === id)
        .map((manifest) => foundOf(manifest, Math.round(similarity * 100))),
    );
  };
  /** Manifests bound to the watermark itself, or to the registration named in its payload. */
  const ofMark = async (id: string | undefined, payload?: string): Promise<FoundManifest[]> => {
    const bound = id === undefined ? [] : await storedManifests.ofMark(id);
    const text = payload ?? (id === undefined ? undefined : (await parts.marks.find(id))?.payload);
    const [named] = /\bhash_[0-9a-f]{24}\b/.exec(text ?? '') ?? [];
    const ofNamed = named === undefined ? [] : await manifestsOf([{ id: named, similarity: 1 }]);
    return [...bound.map((manifest) => foundOf(manifest, 100)), ...ofNamed];
  };
  const byValue = async (binding: SoftBinding): Promise<FoundManifest[]> => {
    const kind = ownKindOf(binding.algorithm);
    if (kind === undefined) return onceEach(await declaredBy(binding, storedManifests));
    const value = bytesOf(kind, binding);
    if (kind === 'watermark') return onceEach(await ofMark(Buffer.from(value).toString('hex')));
    const near = await hashes.near([value]);
    return onceEach(
      await manifestsOf(
        near.map(({ registration, distance }) => ({ id: registration.id, similarity: 1 - distance / 256 })),
      ),
    );
  };
  return {
    algorithms: { watermarks: namesOf('watermark'), fingerprints: namesOf('fingerprint') },
    byValue,
    async byContent({ bytes, width, height }, { algorithm, hint }, call) {
      const only = algorithm === undefined ? undefined : kindOf('alg', algorithm);
      const hinted = hint ? await byValue(hint) : [];
      const control = { ...call, pixels: width * height };
      const found: FoundManifest[] = [];
      if (only !== 'fingerprint') {
        const { id, payload } = await pixels.run('watermark_detect', { bytes }, control);
        found.push(...(await ofMark(id, payload)));
      }
      if (only !== 'watermark') {
        const { engine: _, ...fingerprint } = await pixels.run(
          'fingerprint',
          { bytes, purpose: 'verify' },
          control,
        );
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        found.push(
          ...(await manifestsOf(await provenance.priorArt({ bytes, sha256, fingerprint, control }))),
        );
      }
      return onceEach([...found, ...hinted]);
    },
  };
}

/** This server's algorithm first, then those of C2PA's list. */
const namesOf = (kind: SoftBindingKind): string[] => [
  ALGORITHMS[kind],
  ...PUBLIC_ALGORITHMS.filter(({ type }) => type === kind).map(({ alg }) => alg),
];

/**
 * Manifests that declare the binding themselves, under any algorithm. Does not check whether the image
 * contains the watermark.
 */
async function declaredBy(
  { algorithm, value }: SoftBinding,
  storedManifests: Pick<StoredManifests, 'ofBinding'>,
): Promise<FoundManifest[]> {
  if (!ALGORITHM_NAME.test(algorithm)) throw unknownAlgorithm('alg', algorithm);
  const kept = await storedManifests.ofBinding(algorithm, formsOf(value));
  return kept.map((manifest) => foundOf(manifest, 100));
}

const VALUE_BYTES: Record<SoftBindingKind, number> = { watermark: 6, fingerprint: 32 };

const ownKindOf = (algorithm: string): SoftBindingKind | undefined =>
  (Object.keys(ALGORITHMS) as SoftBindingKind[]).find((name) => ALGORITHMS[name] === algorithm);

/** Accepts only algorithms that this server computes from pixels. */
function kindOf(field: string, algorithm: string): SoftBindingKind {
  const kind = ownKindOf(algorithm);
  if (kind) return kind;
  throw unknownAlgorithm(field, algorithm);
}

/** Syntax of C2PA's list: a reversed domain name, then names. */
const ALGORITHM_NAME = /^[A-Za-z]{2,63}(\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

function unknownAlgorithm(field: string, algorithm: string) {
  const names = Object.values(ALGORITHMS).join(' or ');
  const known = publicAlgorithm(algorithm);
  return invalidField(
    field,
    known
      ? `The ${known.type} of ${known.maker} (${algorithm}) cannot be read from pixels by this server. Send ${names}, or search by its value: /api/c2pa/matches/byBinding.`
      : `${field} is not a supported algorithm. Send ${names}.`,
  );
}

/** A space is a plus that the client did not percent-encode. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Decodes a binding of this server's algorithms. */
function bytesOf(kind: SoftBindingKind, { algorithm, value, field = 'value' }: SoftBinding): Uint8Array {
  const base64 = value.replaceAll(' ', '+');
  if (!BASE64.test(base64))
    throw invalidField(field, `${field} is not base64. Send the bytes of the binding as base64.`);
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === VALUE_BYTES[kind]) return bytes;
  throw invalidField(
    field,
    `${field} has ${bytes.length} bytes; ${algorithm} needs ${VALUE_BYTES[kind]}. Send them as base64.`,
  );
}

/** The value as sent, as standard base64, and decoded: manifests contain any of these. */
function formsOf(value: string): string[] {
  const base64 = value.replaceAll(' ', '+');
  if (!BASE64.test(base64)) return [value];
  const bytes = Buffer.from(base64, 'base64');
  return [value, bytes.toString('base64'), bytes.toString('latin1')].filter((form) => /^[ -~]+$/.test(form));
}

const foundOf = ({ id, sha256 }: StoredManifest, score: number): FoundManifest => ({ id, sha256, score });

/**
 * Keeps the first occurrence of each: watermarks before visual similarity, then the earliest registration of
 * an image.
 */
const onceEach = (found: readonly FoundManifest[]): FoundManifest[] =>
  [...Map.groupBy(found, ({ sha256 }) => sha256).values()].map(([first]) => first!);

/**
 * Finds the C2PA manifests of an image whose metadata was stripped, by its watermark and visual descriptor.
 * Neither proves that a manifest vouches for this copy; only its hashes and signature do.
 */
export interface SoftBindings {
  /** Supported algorithms, this server's own first: the id of a watermark, and PDQ of the whole image. */
  readonly algorithms: { readonly watermarks: readonly string[]; readonly fingerprints: readonly string[] };
  /**
   * Manifests bound to a value, best match first: under an algorithm of this server, or any other that a
   * stored manifest declares.
   * @throws AtelierError invalid_input for an invalid algorithm name, or a value of the wrong length
   */
  byValue(binding: SoftBinding): Promise<FoundManifest[]>;
  /**
   * Manifests of images of which this one is a copy, best match first.
   * @param asked `algorithm`: the only one to use; `hint`: a known soft binding of the image
   * @throws AtelierError as byValue, and of the pixel engine
   */
  byContent(
    picture: { readonly bytes: Uint8Array; readonly width: number; readonly height: number },
    asked: { readonly algorithm?: string; readonly hint?: SoftBinding },
    control: Omit<PixelControl, 'pixels'>,
  ): Promise<FoundManifest[]>;
}

interface SoftBinding {
  readonly algorithm: string;
  /**
   * base64 for this server's algorithms: 32 bytes of a fingerprint, or the 6 bytes of a watermark id. Text or
   * base64 for others.
   */
  readonly value: string;
  /** Field name for error messages. Default: `value`. */
  readonly field?: string;
}

export interface FoundManifest {
  /** Label of the active manifest. */
  readonly id: string;
  /** sha256 of the manifest store. */
  readonly sha256: string;
  /** 0 to 100: share of equal bits of the compared hashes in percent; 100 for a watermark. */
  readonly score: number;
}
