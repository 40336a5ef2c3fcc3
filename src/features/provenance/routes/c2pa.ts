import { z } from 'zod';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import { untrustedFile } from '../../definitions/untrusted_file.ts';
import type { Services } from '../../services.ts';
import type { FoundManifest } from '../soft_bindings/soft_bindings.ts';

/**
 * The C2PA Soft Binding Resolution API (OpenAPI of contentauth's service, version 1.0.0): same paths,
 * parameters and responses, below /api/c2pa. `sha256`, in matches and as a parameter, is an extension that
 * distinguishes stores with the same identifier.
 */

/** Longer than any stored identifier or valid binding value. */
const TEXT_CHARACTERS_MAX = 300;
const RESULTS_MAX = 100;
const SEARCHES = { name: 'soft-bindings', calls: 1200, perSeconds: 3600, failuresCount: true } as const;
/** Each search decodes the image twice and runs watermark detection. */
const CONTENT_SEARCHES = {
  name: 'soft-bindings-by-content',
  calls: 240,
  perSeconds: 3600,
  failuresCount: true,
} as const;
const READS = { name: 'kept-manifests', calls: 3600, perSeconds: 3600, failuresCount: true } as const;

const algorithm = z.string().min(1).max(TEXT_CHARACTERS_MAX);
const algField = algorithm.describe(
  'An algorithm from /api/c2pa/services/supportedAlgorithms, or any other that a stored manifest may declare.',
);
const value = z.string().min(1).max(TEXT_CHARACTERS_MAX);
const valueField = value.describe(
  'base64: the 6 bytes of a watermark id, or the 32 of a PDQ hash. For other algorithms, the value declared in a manifest.',
);
const maxResults = z.coerce.number().int().min(1).max(RESULTS_MAX).default(10);

const matches = z.object({
  matches: z.array(
    z.object({
      manifestId: z.string(),
      similarityScore: z
        .int()
        .min(0)
        .max(100)
        .describe('100 for a watermark; otherwise the visual similarity.'),
      sha256: z.string().describe('Of the manifest store.'),
    }),
  ),
});

const matchesByBinding = defineOperation({
  name: 'c2pa_matches_by_binding',
  methods: ['GET'],
  path: '/api/c2pa/matches/byBinding',
  tag: 'provenance',
  summary: 'C2PA manifests bound to a watermark id, a perceptual hash, or a soft binding that they declare.',
  input: z.object({ alg: algField, value: valueField, maxResults }),
  answer: matches,
  limit: SEARCHES,
  run: answerByBinding,
});

/** The API defines POST for values too long for a URL. */
const matchesByBindingPost = defineOperation({
  ...matchesByBinding,
  name: 'c2pa_matches_by_binding_post',
  methods: ['POST'],
  onlyReads: true,
});

const matchesByContent = defineOperation({
  name: 'c2pa_matches_by_content',
  methods: ['POST'],
  onlyReads: true,
  path: '/api/c2pa/matches/byContent',
  alsoFails: [415, 422],
  tag: 'provenance',
  summary:
    'C2PA manifests of the image sent as the body, by watermark and visual similarity, including copies without metadata, re-encoded or cropped.',
  input: z.object({
    alg: algorithm.optional().describe('The only algorithm to use. Default: all.'),
    maxResults,
    hintAlg: algorithm.optional().describe('Algorithm of hintValue.'),
    hintValue: value.optional().describe('A known soft binding of the image, as base64.'),
  }),
  body: 'raw',
  maxBodyBytes: UPLOAD_BYTES_MAX,
  answer: matches,
  limit: CONTENT_SEARCHES,
  async run(
    { alg, maxResults: max, hintAlg, hintValue },
    { images, softBindings }: Pick<Services, 'images' | 'softBindings'>,
    call,
  ) {
    if (!call.body?.bytes.length)
      throw invalidField('body', 'The body is empty. Send the bytes of one image as the body.');
    if ((hintAlg === undefined) !== (hintValue === undefined))
      throw invalidField('hintValue', 'Send both hintAlg and hintValue, or neither.');
    const picture = images.ofBytes(call.body.bytes, 'body');
    const hint =
      hintAlg === undefined ? undefined : { algorithm: hintAlg, value: hintValue!, field: 'hintValue' };
    const asked = { ...(alg !== undefined && { algorithm: alg }), ...(hint && { hint }) };
    return answerOf(await softBindings.byContent(picture, asked, call), max);
  },
});

const getManifest = defineOperation({
  name: 'c2pa_manifest',
  methods: ['GET'],
  path: '/api/c2pa/manifests/{manifestId}',
  tag: 'provenance',
  summary:
    'A stored C2PA manifest store, byte for byte as in its image. Its signer is responsible for its content.',
  input: z.object({
    manifestId: z.string().min(1).max(TEXT_CHARACTERS_MAX).describe('Label of the active manifest.'),
    returnActiveManifest: z
      .enum(['true', 'false'])
      .default('false')
      .describe('true: only the active manifest, without its ingredients.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits')
      .optional()
      .describe('sha256 of the store, if several have the identifier.'),
  }),
  answer: { file: 'application/c2pa', description: 'The manifest store (JUMBF).' },
  limit: READS,
  async run(
    { manifestId, returnActiveManifest, sha256 },
    { storedManifests, manifests }: Pick<Services, 'storedManifests' | 'manifests'>,
  ) {
    const kept = await storedManifests.find(manifestId, sha256);
    if (!kept) throw noManifest(manifestId, manifests.sign !== undefined);
    const bytes = await storedManifests.bytesOf(kept, { activeOnly: returnActiveManifest === 'true' });
    return untrustedFile(bytes, 'application/c2pa', 'public, max-age=300');
  },
});

const withdrawManifest = defineOperation({
  name: 'c2pa_withdraw_manifest',
  methods: ['DELETE'],
  path: '/api/c2pa/manifests/{manifestId}',
  tag: 'provenance',
  summary: 'Deletes the manifests that the wallet stored under an identifier. Their log entries remain.',
  input: z.object({ manifestId: z.string().min(1).max(TEXT_CHARACTERS_MAX) }),
  answer: z.object({ manifestId: z.string(), withdrawn: z.literal(true), ...costFields }),
  ownerOnly: true,
  async run(
    { manifestId },
    services: Pick<Services, 'storedManifests' | 'catalogue' | 'manifests'>,
    { wallet },
  ) {
    const { storedManifests, catalogue, manifests } = services;
    if ((await storedManifests.remove(wallet!, manifestId)) === 0)
      throw noManifest(manifestId, manifests.sign !== undefined);
    return { manifestId, withdrawn: true as const, ...freeAnswer(catalogue) };
  },
});

const supportedAlgorithms = defineOperation({
  name: 'c2pa_supported_algorithms',
  methods: ['GET'],
  path: '/api/c2pa/services/supportedAlgorithms',
  tag: 'provenance',
  summary:
    'Supported soft binding algorithms: two of this service, which are also read from pixels, and the image algorithms of the C2PA list, by the values declared in stored manifests.',
  input: z.object({}),
  answer: z.object({
    watermarks: z.array(z.object({ alg: z.string() })),
    fingerprints: z.array(z.object({ alg: z.string() })),
  }),
  cacheSeconds: 3600,
  run: async (_input, { softBindings: { algorithms } }: Pick<Services, 'softBindings'>) => ({
    watermarks: algorithms.watermarks.map((alg) => ({ alg })),
    fingerprints: algorithms.fingerprints.map((alg) => ({ alg })),
  }),
});

async function answerByBinding(
  input: { alg: string; value: string; maxResults: number },
  { softBindings }: Pick<Services, 'softBindings'>,
) {
  const binding = { algorithm: input.alg, value: input.value };
  return answerOf(await softBindings.byValue(binding), input.maxResults);
}

const answerOf = (found: readonly FoundManifest[], max: number) => ({
  matches: found
    .slice(0, max)
    .map(({ id, score, sha256 }) => ({ manifestId: id, similarityScore: score, sha256 })),
});

const noManifest = (id: string, signs: boolean): AtelierError =>
  new AtelierError(
    'record_not_found',
    `No manifest is stored under ${id.slice(0, TEXT_CHARACTERS_MAX)}.${signs ? '' : ' This server has no certificate, so it does not create manifests.'}`,
  );

export const c2paOperations: readonly AnyOperation[] = [
  matchesByBinding,
  matchesByBindingPost,
  matchesByContent,
  getManifest,
  withdrawManifest,
  supportedAlgorithms,
];
