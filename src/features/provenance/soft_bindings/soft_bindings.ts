import { createHash } from 'node:crypto';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { Hashes } from '../hashes/types.ts';
import type { Marks } from '../marks/types.ts';
import type { KeptManifest, KeptManifests } from '../stored_manifests/types.ts';
import type { Provenance } from '../types.ts';
import type { FoundManifest, SoftBinding, SoftBindings } from './types.ts';

/** Named as C2PA asks for: who made it and which version. They are ours; neither stands on C2PA's own list. */
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
  readonly keptManifests: Pick<KeptManifests, 'ofLookalikes' | 'ofMark'>;
}

/** A registration or known work that may have manifests, and how alike it is, from 0 to 1. */
interface Likeness {
  readonly id: string;
  readonly similarity: number;
}

export function createSoftBindings(parts: SoftBindingsDeps): SoftBindings {
  const { pixels, hashes, provenance, keptManifests } = parts;
  /** In the order of the registrations. */
  const manifestsOf = async (alike: readonly Likeness[]): Promise<FoundManifest[]> => {
    const kept = await keptManifests.ofLookalikes(alike.map(({ id }) => id));
    return alike.flatMap(({ id, similarity }) =>
      kept
        .filter(({ boundTo }) => boundTo === id)
        .map((manifest) => foundOf(manifest, Math.round(similarity * 100))),
    );
  };
  /** Bound to the mark itself, or to the registration its text names. */
  const ofMark = async (id: string | undefined, payload?: string): Promise<FoundManifest[]> => {
    const bound = id === undefined ? [] : await keptManifests.ofMark(id);
    const text = payload ?? (id === undefined ? undefined : (await parts.marks.find(id))?.payload);
    const [named] = /\bhash_[0-9a-f]{24}\b/.exec(text ?? '') ?? [];
    const ofNamed = named === undefined ? [] : await manifestsOf([{ id: named, similarity: 1 }]);
    return [...bound.map((manifest) => foundOf(manifest, 100)), ...ofNamed];
  };
  const byValue = async (binding: SoftBinding): Promise<FoundManifest[]> => {
    const { kind, value } = checkBinding(binding);
    if (kind === 'watermark') return onceEach(await ofMark(Buffer.from(value).toString('hex')));
    const near = await hashes.near([value]);
    return onceEach(
      await manifestsOf(
        near.map(({ registration, distance }) => ({ id: registration.id, similarity: 1 - distance / 256 })),
      ),
    );
  };
  return {
    algorithms: ALGORITHMS,
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

const VALUE_BYTES: Record<SoftBindingKind, number> = { watermark: 6, fingerprint: 32 };

function kindOf(field: string, algorithm: string): SoftBindingKind {
  const kinds = Object.keys(ALGORITHMS) as SoftBindingKind[];
  const kind = kinds.find((name) => ALGORITHMS[name] === algorithm);
  if (kind) return kind;
  const names = Object.values(ALGORITHMS).join(' or ');
  throw invalidField(field, `${field} names no algorithm this server binds by. Send ${names}.`);
}

function checkBinding({ algorithm, value }: SoftBinding): { kind: SoftBindingKind; value: Uint8Array } {
  const kind = kindOf('alg', algorithm);
  if (value.length === VALUE_BYTES[kind]) return { kind, value };
  throw invalidField(
    'value',
    `value has ${value.length} bytes; of ${algorithm} it has ${VALUE_BYTES[kind]}. Send them as base64.`,
  );
}

const foundOf = ({ id, sha256 }: KeptManifest, score: number): FoundManifest => ({ id, sha256, score });

/** By its first sighting: marks come before looks, and of looks the earliest registration of a picture. */
const onceEach = (found: readonly FoundManifest[]): FoundManifest[] =>
  [...Map.groupBy(found, ({ sha256 }) => sha256).values()].map(([first]) => first!);
