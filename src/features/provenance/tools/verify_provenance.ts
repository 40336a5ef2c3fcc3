import { createHash } from 'node:crypto';
import type { Difference } from '@atelier/imaging/difference/difference.ts';
import { z } from 'zod';
import type { PixelControl, SourceImage } from '../../../core/workers/types.ts';
import { engineAnswer, imageField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { FREE, highestPrice } from '../../definitions/price.ts';
import { evidenceAnswer, policyAnswer } from '../../definitions/rights_fields.ts';
import { ORIGINAL_CID, ORIGINAL_PNG_B64, QUADRUPLED_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import { codexAnswer, codexOf } from '../../enrichment/tools/codex_answer.ts';
import { answerOfPolicy } from '../../metadata/tools/rights_answer.ts';
import type { Services } from '../../services.ts';
import type { Evidence, MarkedAsAi, Readings } from '../evidence/types.ts';
import type { Match, Testimony, WitnessName } from '../types.ts';
import { aiMarksAnswer, aiMarksField, markedAsAiField, sentenceOfMarks } from './ai_marks_answer.ts';
import { storedManifestAnswer, storedManifestsField } from './keep_manifest.ts';
import { authorshipField, authorshipOf } from './mark_authorship.ts';
import { matchAnswers, matchField } from './match_answer.ts';
import { timeStampAnswer, timeStampField } from './time_stamp_answer.ts';

const share = z.number().min(0).max(1);

const differenceFields = z.object({
  crop_box: z
    .object({ x: share, y: share, width: share, height: share })
    .describe('The visible part of the registered image, as shares of its width and height.'),
  rotation_degrees: z.number().min(-180).max(180).describe('Clockwise.'),
  mirrored: z.boolean().describe('Mirrored left to right, before rotation.'),
  changed_regions: z
    .array(
      z.object({
        polygon: z.array(z.array(share).length(2)).describe('[x, y] as shares of the image sent.'),
        share: share.describe('Part of the picture sent.'),
      }),
    )
    .describe(
      'Regions that differ from the registered image, the largest first. Slight retouching is not detected.',
    ),
  changed_share: share,
  beyond_share: share.describe(
    'Share of the image sent that lies outside the registered image, such as a frame.',
  ),
  heat_map_b64: z
    .string()
    .describe('PNG of at most 256 pixels: changes from yellow to red, areas outside in blue.'),
});

const differenceAnswer = (difference: Difference): z.input<typeof differenceFields> => ({
  crop_box: difference.cropBox,
  rotation_degrees: difference.rotationDegrees,
  mirrored: difference.mirrored,
  changed_regions: difference.regions.map(({ polygon, share: part }) => ({
    polygon: polygon.map(([x, y]) => [x, y]),
    share: part,
  })),
  changed_share: difference.changedShare,
  beyond_share: difference.beyondShare,
  heat_map_b64: Buffer.from(difference.heatMap).toString('base64'),
});

/** Share of an edge that scaling or saving may lose. */
const EDGE = 0.02;

/** Short descriptions of the edits made to an image; empty for a plain copy. */
function describeDifferences({
  cropBox,
  rotationDegrees,
  mirrored,
  regions,
  beyondShare,
}: Difference): string[] {
  const percent = (part: number) => `${Math.max(1, Math.round(part * 100))} %`;
  const shown = cropBox.width * cropBox.height;
  const said: [boolean, string][] = [
    [mirrored, 'mirrored'],
    [
      Math.abs(rotationDegrees) >= 0.5,
      `rotated by ${Math.abs(rotationDegrees)}° ${rotationDegrees < 0 ? 'anticlockwise' : 'clockwise'}`,
    ],
    [shown < 1 - EDGE, `cropped to ${percent(shown)} of the registered image`],
    [beyondShare > EDGE, `${percent(beyondShare)} of it lies outside the registered image`],
    [regions.length > 0, `changed in ${regions.length === 1 ? 'one place' : `${regions.length} places`}`],
  ];
  return said.flatMap(([holds, words]) => (holds ? [words] : []));
}

const verification = {
  match_found: z.boolean(),
  total_matches: z.int().min(0).max(1_000_000),
  confidence: share.describe(
    'Confidence that the best match is not accidental: 1 − chance_match. It is no evidence of authorship.',
  ),
  computed_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Perceptual hash of the image sent: 256 bits as 64 hex digits.'),
  best_match: z
    .object({
      artist: z.string(),
      credit_id: z.string(),
      provenance_uri: z.string().describe('URL of the permanent record of the work.'),
      similarity: share.describe('Share of equal bits of the two hashes.'),
      title: z.string(),
    })
    .nullable()
    .describe(
      'The earliest registration of the same image, regardless of later registrations of copies. null if nothing in the index is close enough, which is no evidence against the image.',
    ),
};

const VERDICTS = ['identical', 'same_picture', 'altered', 'conflicting', 'marked_as_ai', 'unknown'] as const;
type Verdict = (typeof VERDICTS)[number];
const WITNESS_NAMES = [
  'hash',
  'watermark',
  'metadata',
  'c2pa',
  'file',
] as const satisfies readonly WitnessName[];

const testimony = z.object({
  witness: z
    .enum(WITNESS_NAMES)
    .describe('hash: visual similarity; metadata: fields and soulmark in the file; file: identical bytes.'),
  finding: z.enum(['agree', 'absent', 'conflict']).describe('absent: no evidence for or against the image.'),
  sentence: z.string(),
});

export const verifyProvenance = defineTool({
  name: 'verify_provenance',
  title: 'Verify provenance',
  category: 'creative',
  toolset: 'rights',
  summary:
    'Says whether a picture is marked as made with AI, by whom and in which layer (C2PA, IPTC, watermark, label), and which registered work it copies, by perceptual hash, even cropped. Unregistered is not fake.',
  instead: { watermark_detect: 'to read a hidden mark' },
  words:
    'is this image stolen, fake, real, original, authentic, altered, edited, manipulated or a copy, made or generated by ai, by a machine, deepfake, trust, original author, who made it, did someone copy, repost, register or sell it, who owns this picture, where does it come from, source, history, reverse image search, plagiarism, copyright check, c2pa, content credentials, photoshopped, retouched, whether it is a copy, owner of the rights to a picture from the internet, has somebody copied my picture, is this ai generated, was this picture made by ai, detect ai, detect a deepfake, check content credentials, is it a known museum painting, find duplicates or near copies of an image, look up an image, who made it originally, authenticity, check the origin, first appeared, has it been registered, was it used before, somebody sells a shirt or print with my drawing, is it mine, news photo, meme, hoax, catfish, profile picture of a stranger, fact check, forgery, has it been altered, where did this first appear, seen elsewhere, tineye, lookalike, infringement, credit the right person, unknown picture, found online',
  price: FREE,
  input: z.object({ image: imageField }),
  output: z.object({
    ...verification,
    verdict: z
      .enum(VERDICTS)
      .describe(
        'identical: this exact file is registered. same_picture: another file of a registered image. altered: made from one, but cropped, rotated or changed. conflicting: witnesses or AI marks contradict each other. marked_as_ai: not registered, and marked as made with AI. unknown: not registered, which is no evidence against it.',
      ),
    summary: z.string().describe('The verdict as text for a person; AI marks first.'),
    marked_as_ai: markedAsAiField,
    ai_marks: aiMarksField,
    matches: z
      .array(matchField)
      .describe(
        'The best match and the others: registrations of the same image first, the earliest before the later, then by confidence; at most 100.',
      ),
    witnesses: z.array(testimony),
    kept_manifests: storedManifestsField.describe(
      'C2PA manifests stored on this server for matching images, the best match first. Each vouches for its original file, not for this copy.',
    ),
    difference: differenceFields
      .nullable()
      .describe(
        'Compared with the registered image; null without one, or if the images could not be aligned.',
      ),
    chance_match: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'Probability that the best match is accidental: an unrelated image matches as well, or a watermark is read where none is. null without a match, and for the identical file.',
      ),
    quality: z
      .int()
      .min(0)
      .max(100)
      .describe('Detail in the image; below 50 visual similarity is not compared.'),
    watermark_authorship: authorshipField
      .nullable()
      .describe('Whether the watermark was made for this image, and who signed it; null without one.'),
    time_stamp: timeStampField
      .nullable()
      .describe(
        'RFC 3161 time stamp of the C2PA manifest; null if no manifest could be read. trusted: valid, from an authority on the trust list. untrusted: valid, but not on the list, or there is no list. invalid: damaged, wrongly signed, or for another signature. none: no stamp.',
      ),
    codex: codexAnswer.nullable().describe('Message in the file for its readers; null without one.'),
    rights_policy: policyAnswer.nullable().describe('Rights statements in the file, by location.'),
    ai_evidence: evidenceAnswer
      .nullable()
      .describe('AI marks compared with two laws; null if nothing names an AI system.'),
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  detectsAi: true,
  examples: [{ image: ORIGINAL_PNG_B64 }],
  next: ({ match_found }, { image }) =>
    match_found
      ? []
      : [
          {
            action: 'Register this image',
            tool: 'register_hash',
            why: 'It is not registered yet; later copies can then be found',
            params: { image: handleIn(image) },
          },
        ],
  sandbox: {
    query: z.object({}),
    answer: z.object(verification),
    of: 'an enlarged copy of the only registered drawing',
    input: () => ({ image: QUADRUPLED_PNG_B64 }),
    among: amongSample,
    next: [
      {
        action: 'Verify your own image',
        tool: 'verify_provenance',
        why: 'The same call with the real index',
        params: { image: ORIGINAL_PNG_B64 },
      },
      {
        action: 'Register an image',
        tool: 'register_hash',
        why: 'Later copies can then be found',
        params: { image: ORIGINAL_PNG_B64 },
      },
      {
        action: 'Look for a watermark',
        tool: 'watermark_detect',
        why: 'A watermark survives cropping, which a hash does not',
        params: { image: ORIGINAL_PNG_B64 },
      },
    ],
  },

  async run(
    { image },
    services: Pick<
      Services,
      'pixels' | 'provenance' | 'hashes' | 'evidence' | 'storedManifests' | 'site' | 'results'
    >,
    call,
  ) {
    const { pixels, provenance, hashes, evidence } = services;
    if (hashes.isLoading) {
      call.warn('The index of registered images was still loading after a restart; this call waited for it.');
    }
    const { engine, matches, testimonies, readings, difference, fingerprint } = await pixels.reserve(
      image,
      { ...call, pixels: pixelsToReserve(image) },
      (within) => examinePicture(image, { pixels, provenance }, { ...call, within }),
    );
    const [best] = matches;
    const differs = difference ? describeDifferences(difference) : [];
    const ai = aiMarksAnswer(evidence.markedAsAi(readings));
    const verdict = verdictOf(matches, testimonies, { differs, markedAsAi: ai.marked_as_ai });
    const { judged } = readings.watermark ?? {};
    return {
      match_found: best !== undefined,
      total_matches: matches.length,
      confidence: best?.confidence ?? 0,
      computed_hash: Buffer.from(fingerprint.hashes[0]!).toString('hex'),
      best_match: best ? bestMatch(best) : null,
      verdict,
      summary: [
        sentenceOfMarks(ai.marked_as_ai, ai.ai_marks),
        SUMMARIES[verdict],
        differs.length > 0 && `It is ${differs.join(', ')}.`,
      ]
        .filter(Boolean)
        .join(' '),
      ...ai,
      matches: matchAnswers(matches),
      witnesses: [...testimonies],
      kept_manifests: await manifestsOf(matches, services),
      difference: difference ? differenceAnswer(difference) : null,
      chance_match: best?.chance ?? null,
      quality: fingerprint.quality,
      watermark_authorship: judged ? await authorshipOf(judged, services.results, call) : null,
      time_stamp: readings.manifest?.timeStamp ? timeStampAnswer(readings.manifest.timeStamp) : null,
      codex: codexOf(readings) ?? null,
      ...whatTheFileSays(readings, matches, evidence),
      engine,
      degraded: false,
    };
  },
});

function whatTheFileSays(
  { claims, ...others }: Partial<Readings>,
  matches: readonly Match[],
  { policyIn, sheetFor }: Pick<Evidence, 'policyIn' | 'sheetFor'>,
) {
  if (!claims) return { rights_policy: null, ai_evidence: null };
  const readings = { claims, ...others };
  const policy = policyIn(readings);
  const { name, price } = verifyProvenance;
  const sheet = sheetFor(readings, {
    isRegistered: matches.some(({ kind }) => kind === 'registration'),
    detector: { name, isFree: highestPrice(price) === 0 },
  });
  return { rights_policy: policy ? answerOfPolicy(policy) : null, ai_evidence: sheet ?? null };
}

async function manifestsOf(
  matches: readonly Match[],
  { storedManifests, site }: Pick<Services, 'storedManifests' | 'site'>,
) {
  const ids = matches.map(({ id }) => id);
  const kept = await storedManifests.ofLookalikes(ids);
  const placed = kept.toSorted((one, other) => ids.indexOf(one.boundTo!) - ids.indexOf(other.boundTo!));
  return placed.map((manifest) => storedManifestAnswer(manifest, site));
}

/**
 * Pixels to reserve. Several witnesses decode the image: all at once if it is small, one after the other if
 * it is large.
 */
const pixelsToReserve = ({ width, height }: SourceImage): number =>
  Math.max(width * height, Math.min(WITNESSES_MAX * width * height, PIXELS_SIDE_BY_SIDE));
const WITNESSES_MAX = 4;
const PIXELS_SIDE_BY_SIDE = 32_000_000;

/** Examines the image in steps that fit within the memory reserved for the call. */
async function examinePicture(
  { bytes, width, height }: SourceImage,
  { pixels, provenance }: Pick<Services, 'pixels' | 'provenance'>,
  call: Omit<PixelControl, 'pixels'>,
) {
  const control = { ...call, pixels: width * height };
  const { engine, ...fingerprint } = await pixels.run('fingerprint', { bytes, purpose: 'verify' }, control);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const seen = await provenance.examine({ bytes, sha256, fingerprint, control });
  const [best] = seen.matches;
  const difference =
    best?.preview && best.by !== 'file'
      ? await pixels.run('difference', { bytes, original: best.preview, turn: best.turn }, control)
      : undefined;
  return { engine, fingerprint, difference, ...seen };
}

const bestMatch = ({ artist, id, provenanceUri, similarity, title }: Match) => ({
  artist,
  credit_id: id,
  provenance_uri: provenanceUri,
  similarity,
  title,
});

function verdictOf(
  matches: readonly Match[],
  testimonies: readonly Testimony[],
  { differs, markedAsAi }: { differs: readonly string[]; markedAsAi: MarkedAsAi['verdict'] },
): Verdict {
  const isConflicting = testimonies.some(({ finding }) => finding === 'conflict');
  if (isConflicting || markedAsAi === 'contradictory') return 'conflicting';
  const [best] = matches;
  if (!best) return markedAsAi === 'yes' ? 'marked_as_ai' : 'unknown';
  // The identical file may be registered later than the image.
  if (matches.some(({ by }) => by === 'file')) return 'identical';
  return best.by === 'picture' && !best.turn && differs.length === 0 ? 'same_picture' : 'altered';
}

const SUMMARIES: Record<Verdict, string> = {
  identical: 'This exact file is registered on this server.',
  same_picture: 'This is another file of an image registered on this server.',
  altered: 'This was made from an image registered on this server, and differs from it.',
  conflicting: 'The evidence about this image is contradictory. `witnesses` lists the contradictions.',
  marked_as_ai:
    'No registered image looks like it. Anyone can write unsigned marks; ai_marks shows which are signed.',
  unknown:
    'This image is not registered on this server. This is not a warning: most images are not registered.',
};

/** Searches a sample index with a single drawing. Registrations of clients are not shown in the sandbox. */
async function amongSample(services: Services, call: CallContext): Promise<Services> {
  const bytes = Buffer.from(ORIGINAL_PNG_B64, 'base64');
  const { width, height } = services.images.ofBytes(bytes, 'image');
  const control = { ...call, pixels: width * height };
  const { hashes, quality, windows, preview } = await services.pixels.run(
    'fingerprint',
    { bytes, purpose: 'register' },
    control,
  );
  const provenance = services.provenanceAmong({
    id: 'AETR-1',
    wallet: null,
    workId: null,
    pdq: hashes[0]!,
    quality,
    windows,
    preview,
    width,
    height,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    title: 'Evening, Two Mountains',
    artist: 'Atelier',
    provenanceUri: `ipfs://${ORIGINAL_CID}`,
    createdAt: new Date(0),
  });
  return { ...services, provenance };
}
