import { readFileSync } from 'node:fs';
import { CODE_BYTES, CodeSegment } from '@atelier/imaging/fingerprint/hamming/code_segment.ts';
import { bitsApart } from '@atelier/imaging/fingerprint/pdq/pdq.ts';
import { HASH_DISTANCE_MAX } from '../../../config/limits.ts';

/** A work that is known by its hash without anybody having registered it, such as one of a museum. */
export interface KnownWork {
  /** As in the dataset of artworks. */
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  /** Where its owner shows it. */
  readonly url: string;
  /** PDQ, 64 hex digits. */
  readonly pdq: string;
  /** The quality of the hash, 0 to 100. */
  readonly quality: number;
  /** Its main colours as packColors packs them, in hex. */
  readonly colors: string;
  /** Its composition as layoutOf packs it, in hex. */
  readonly layout: string;
  /** Hashes of its windows, 32 bytes each, in base64. */
  readonly windows: string;
}

export interface KnownWorks {
  /** The works within HASH_DISTANCE_MAX bits of any of the hashes, the nearest first. */
  near(hashes: readonly Uint8Array[]): { work: KnownWork; distance: number; turn: number }[];
  /** The works that share windows with a picture, those that share most first. @param windows 32 bytes each, one after the other */
  sharing(windows: Uint8Array): { work: KnownWork; shared: number; distance: number }[];
  /** How many windows are compared. */
  readonly windows: number;
}

/** Works of the Metropolitan Museum of Art (Open Access, CC0), written by scripts/make_known_works.ts. */
export const readKnownWorks = (): KnownWork[] =>
  readFileSync(new URL('known_works.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as KnownWork);

/** Compares one by one: the list is short. */
export function createKnownWorks(works: readonly KnownWork[]): KnownWorks {
  const known = works.map((work) => ({ work, code: Buffer.from(work.pdq, 'hex') }));
  let searched: WindowsOfWorks | undefined;
  const windowsOf = () => {
    searched ??= collectWindows(works);
    return searched;
  };
  return {
    near: (hashes) =>
      known
        .map(({ work, code }) => {
          const distances = hashes.map((hash) => bitsApart(hash, code));
          const distance = Math.min(...distances);
          return { work, distance, turn: distances.indexOf(distance) };
        })
        .filter(({ distance }) => distance <= HASH_DISTANCE_MAX)
        .sort((one, other) => one.distance - other.distance),
    sharing: (windows) => worksSharing(windowsOf(), windows),
    get windows() {
      return windowsOf().owners.length;
    },
  };
}

/** Codes that are scanned by WebAssembly, and whose each is by its place. */
interface WindowsOfWorks {
  readonly segment: CodeSegment;
  readonly owners: readonly KnownWork[];
}

function collectWindows(works: readonly KnownWork[]): WindowsOfWorks {
  const segment = new CodeSegment();
  const owners = works.flatMap((work) => {
    const codes = codesIn(Buffer.from(work.windows, 'base64'));
    for (const code of codes) segment.add(code);
    return codes.map(() => work);
  });
  return { segment, owners };
}

function worksSharing({ segment, owners }: WindowsOfWorks, windows: Uint8Array) {
  const hits = codesIn(windows).flatMap((code, needle) =>
    segment.search(code, HASH_DISTANCE_MAX).map(({ place, distance }) => ({ place, needle, distance })),
  );
  return [...Map.groupBy(hits, ({ place }) => owners[place]!).entries()]
    .map(([work, own]) => ({
      work,
      shared: new Set(own.map(({ needle }) => needle)).size,
      distance: Math.min(...own.map(({ distance }) => distance)),
    }))
    .sort((one, other) => other.shared - one.shared || one.distance - other.distance);
}

const codesIn = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.floor(bytes.length / CODE_BYTES) }, (_, at) =>
    bytes.subarray(at * CODE_BYTES, (at + 1) * CODE_BYTES),
  );
