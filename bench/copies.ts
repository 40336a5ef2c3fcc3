import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fingerprint, fingerprintOf, regionCodesOf } from '@atelier/imaging/fingerprint/fingerprint.ts';
import { likenessOf } from '@atelier/imaging/fingerprint/likeness.ts';
import { bitsApart } from '@atelier/imaging/fingerprint/pdq/bits_apart.ts';
import { HASH_DISTANCE_MAX } from '../src/config/limits.ts';
import { openDatabase } from '../src/core/database/open_database.ts';
import { createHashes } from '../src/features/provenance/hashes/hashes.ts';
import { createKnownWorks } from '../src/features/provenance/hashes/known_works.ts';
import type { Hashes } from '../src/features/provenance/hashes/types.ts';
import { createHashWitness } from '../src/features/provenance/witnesses/hash.ts';
import { numbers } from '../tests/support/random_codes.ts';
import { COPYDAYS, DISC21, type Edit, type Rgb, readRgb } from './support/copy_edits.ts';
import { median } from './support/load.ts';

/** Folders of image files; default: those beside the repository. */
const FOLDER = process.env.BENCH_IMAGES ?? join(import.meta.dirname, '../../shared/images');
/** Copies of each kind, and queries of each kind without a registered original. */
const COPIES = Number(process.env.BENCH_COPIES ?? 16);
const STRANGERS = Math.ceil(COPIES / 2);
const SIDE_PX = 1024;
const PATTERNS = ['artworks/*.jpg', 'photo/*.png', 'art/*.jpg', 'anime/*', 'train/*.jpg'];
/** Of three images two are registered; the third is used for collages and for queries without a match. */
const THIRD = 3;

/** A query, and the claims of both methods. */
interface Asked {
  readonly kind: string;
  readonly isCopy: boolean;
  readonly plain: readonly Claim[];
  readonly ours: readonly Claim[];
  readonly windows: number;
}

/**
 * Copies as in DISC21 and Copydays, searched among registered images: by the hash evidence of
 * verify_provenance, and by PDQ of the whole image only. Scored as in the Image Similarity Challenge: all
 * claims of all queries, ordered by score; µAP is the sum of the precisions at each correct claim, divided by
 * the number of copies.
 */
export async function run(): Promise<string> {
  const files = existsSync(FOLDER)
    ? PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: FOLDER }).sort())
    : [];
  if (files.length < 2 * COPIES)
    return 'copies: skipped, fewer pictures than needed (BENCH_IMAGES, or ../shared/images)';
  const registered = files.filter((_, at) => at % THIRD !== 0);
  const strangers = files.filter((_, at) => at % THIRD === 0);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-copies-'));
  const database = await openDatabase({ dataDir: folder });
  const hashes = createHashes(database);
  try {
    const kept = await registerAll(hashes, registered);
    const ask = asker(hashes, kept);
    const sections: string[] = [];
    for (const [set, edits] of Object.entries({ DISC21, Copydays: COPYDAYS })) {
      const asked: Asked[] = [];
      for (const [at, [kind, edit]] of Object.entries(edits).entries()) {
        const pick = (from: readonly string[], count: number) =>
          Array.from({ length: count }, (_, one) => from[(at * 7 + one * 5) % from.length]!);
        for (const [one, file] of [...pick(registered, COPIES), ...pick(strangers, STRANGERS)].entries()) {
          const copy = await copyOf(file, edit, at * 1000 + one, strangers);
          asked.push(await ask(kind, one < COPIES ? file : undefined, copy));
        }
        console.error(
          rowOf(
            kind,
            asked.filter((query) => query.kind === kind),
          ),
        );
      }
      sections.push(tableOf(set, asked));
    }
    return [
      '## Copies as DISC21 and Copydays make them',
      '',
      `Generated copies of ${registered.length} registered images of at most ${SIDE_PX} px, ${COPIES} of each kind, and ${STRANGERS} of each kind of ${strangers.length} images`,
      'that are not registered. Each row is ranked together with the unregistered queries of its set. Plain PDQ is ranked without a distance limit.',
      'The service accepts a whole image within 31 bits, and within 55 bits if its stored thumbnail confirms it. The original sets were not available:',
      'these figures compare the two methods and are not comparable with published ones, which have a million reference images and manual edits.',
      '',
      ...sections,
    ].join('\n');
  } finally {
    await hashes.close();
    await database.close();
    await rm(folder, { recursive: true });
  }
}

const pictureOf = (file: string): Promise<Rgb> => readRgb(readFileSync(join(FOLDER, file)), SIDE_PX);

/** The images used in collages are read once. */
const read = new Map<string, Promise<Rgb>>();
function keptPictureOf(file: string): Promise<Rgb> {
  const picture = read.get(file) ?? pictureOf(file);
  read.set(file, picture);
  return picture;
}

async function registerAll(hashes: Hashes, files: readonly string[]): Promise<Map<string, Fingerprint>> {
  const kept = new Map<string, Fingerprint>();
  for (const [at, file] of files.entries()) {
    const fingerprint = await fingerprintOf({
      bytes: readFileSync(join(FOLDER, file)),
      purpose: 'register',
    });
    kept.set(file, fingerprint);
    await hashes.register({
      ...fingerprint,
      wallet: undefined,
      sha256: at.toString(16).padStart(64, '0'),
      pdq: fingerprint.hashes[0]!,
      title: file,
      artist: '',
      provenanceUri: '',
    });
  }
  return kept;
}

async function copyOf(
  file: string,
  edit: Edit,
  seed: number,
  strangers: readonly string[],
): Promise<Uint8Array> {
  const next = numbers(seed);
  const number = () => next() / 2 ** 32;
  const others = strangers.filter((other) => other !== file);
  const other = () => keptPictureOf(others[Math.floor(number() * others.length)]!);
  return edit(await pictureOf(file), { number, other });
}

function asker(hashes: Hashes, kept: ReadonlyMap<string, Fingerprint>) {
  const witness = createHashWitness({
    hashes,
    works: createKnownWorks([]),
    regionsOf: async ({ bytes }) => (await regionCodesOf({ bytes })).windows,
    likenessOf: ({ bytes }, original, turn) => likenessOf({ bytes, original, turn }),
  });
  const control = {} as Parameters<typeof witness.look>[0]['control'];
  return async (kind: string, truth: string | undefined, bytes: Uint8Array): Promise<Asked> => {
    const fingerprint = await fingerprintOf({ bytes, purpose: 'verify' });
    const { matches } = await witness.look({ bytes, sha256: '', fingerprint, control });
    return {
      kind,
      isCopy: truth !== undefined,
      plain: [...kept].map(
        ([
          file,
          {
            hashes: [own],
          },
        ]) => ({
          isRight: file === truth,
          score: -bitsApart(fingerprint.hashes[0]!, own!),
        }),
      ),
      ours: matches.map(({ title, chance = 0 }) => ({ isRight: title === truth, score: -chance })),
      windows: fingerprint.windows.length / 32,
    };
  };
}

function tableOf(set: string, asked: readonly Asked[]): string {
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  const strangers = asked.filter(({ isCopy }) => !isCopy);
  const rows = kinds.map((kind) =>
    rowOf(kind, [...asked.filter((query) => query.kind === kind && query.isCopy), ...strangers]),
  );
  const needles = asked.map(({ windows }) => windows);
  return [
    `| ${set} | copies | plain PDQ, µAP | recall at precision 90 % | recall within 31 bits | registered, µAP | recall at precision 90 % | wrong claims |`,
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    rowOf('**all**', asked),
    '',
    `A query asks with ${Math.min(...needles)} to ${Math.max(...needles)} windows, half of them with ${median(needles)} or more.`,
    '',
  ].join('\n');
}

function rowOf(name: string, asked: readonly Asked[]): string {
  const copies = asked.filter(({ isCopy }) => isCopy).length;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const [plain, ours] = [asked.flatMap((one) => one.plain), asked.flatMap((one) => one.ours)];
  const wrong = ours.filter(({ isRight }) => !isRight).length;
  const within = plain.filter(({ isRight, score }) => isRight && score >= -HASH_DISTANCE_MAX).length;
  const cells = [
    microPrecision(plain, copies),
    recallAt(0.9, plain, copies),
    within / copies,
    microPrecision(ours, copies),
    recallAt(0.9, ours, copies),
  ];
  return `| ${[name, copies, ...cells.map(percent), wrong].join(' | ')} |`;
}

/** The claim that a query is a copy of an image. */
interface Claim {
  /** Higher is more certain. */
  readonly score: number;
  readonly isRight: boolean;
}

/**
 * Micro average precision (µAP) of all claims of all queries: the sum of the precisions at each correct
 * claim, divided by the number of copies (Perronnin, Liu, Renders, "A Family of Contextual Measures of
 * Similarity", 2009). Among equal scores wrong claims come first, so that giving every claim the same score
 * gains nothing.
 */
function microPrecision(claims: readonly Claim[], copies: number): number {
  let sum = 0;
  for (const { isRight, precision } of ranked(claims)) if (isRight) sum += precision;
  return sum / copies;
}

/**
 * Recall at a precision: the share of copies claimed down to the lowest score at which this share of the
 * claims is correct.
 */
function recallAt(precision: number, claims: readonly Claim[], copies: number): number {
  const last = ranked(claims).findLast((claim) => claim.precision >= precision);
  return (last?.right ?? 0) / copies;
}

function ranked(claims: readonly Claim[]) {
  let right = 0;
  return claims
    .toSorted((one, other) => other.score - one.score || Number(one.isRight) - Number(other.isRight))
    .map(({ isRight }, at) => {
      right += Number(isRight);
      return { isRight, right, precision: right / (at + 1) };
    });
}
