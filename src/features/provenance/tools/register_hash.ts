import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HASH_QUALITY_MIN } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { briefly } from '../../definitions/brief.ts';
import { engineAnswer, imageField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { credits } from '../../definitions/price.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import {
  PROVENANCE_URI_CHARACTERS_MAX,
  REGISTERED_TITLE_CHARACTERS_MAX,
} from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';
import type { Registration } from '../hashes/types.ts';
import type { Match } from '../types.ts';
import { keepManifest, manifestOf, markIn, storedManifestField } from './keep_manifest.ts';
import { isWholeWork, matchAnswers, matchField } from './match_answer.ts';

const words = z
  .string()
  .max(REGISTERED_TITLE_CHARACTERS_MAX)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .default('');

export const registerHash = defineTool({
  name: 'register_hash',
  title: 'Register an image by its hash',
  category: 'creative',
  toolset: 'rights',
  summary:
    'Registers what a picture looks like (PDQ and hashes of windows), with the time, so that copies are found later, cropped, turned or mirrored too. A known museum work, or your own registration, answers so and costs nothing.',
  instead: { watermark_embed: 'to hide a mark in the picture', save_asset: 'to keep the file' },
  words:
    'fingerprint my artwork, perceptual hash, pdq, register, claim authorship or ownership, prove that it is mine and that I made it first, evidence of the date, timestamp a design, priority, prior art, find copies later, lay claim to my illustration, document when I created it, be warned when somebody copies me, store a fingerprint in the index, add my work to the provenance index, protect my copyright by registration, registration of a picture, evidence that I had it first, i am the author, record of creation, add to the index of registered works, record it officially, put it on file so that copies get found, registry, notary, deposit, ownership record, intellectual property, patent, trademark, be the first, log my creation, document when I created a picture, index my image, catalogue raisonne',
  price: credits(1),
  input: z.object({
    image: imageField,
    title: withAliases(
      briefly(words.describe('Its title, shown to everyone who verifies a copy.'), 'shown to all'),
      'name',
    ),
    artist: withAliases(
      briefly(words.describe('Its creator, shown to everyone who verifies a copy.'), 'shown to all'),
      ...['artist_name', 'creator', 'author', 'photographer'],
    ),
    provenance_uri: briefly(
      z
        .string()
        .max(PROVENANCE_URI_CHARACTERS_MAX)
        .regex(/^$|^(https|ipfs|ar):\/\/[!-~]+$/, 'must begin with https://, ipfs:// or ar://')
        .default('')
        .describe('URL of a permanent record, if there is one.')
        .meta({ title: 'URL of a permanent record' }),
      'Of a permanent record.',
    ),
    keep_manifest: briefly(
      z
        .boolean()
        .default(false)
        .describe('Publishes its C2PA manifest, so that copies without one can be traced to it.')
        .meta({ title: 'Keep its C2PA manifest' }),
      'Publishes its C2PA manifest.',
    ),
  }),
  output: z.object({
    registered: z.boolean().describe('Whether this call created a registration.'),
    already_registered: z.boolean().describe('Whether the same wallet had registered the same file before.'),
    hash_id: z
      .string()
      .nullable()
      .describe('The registration; null for a known work, which is not registered again.'),
    registered_at: z.iso.datetime().nullable(),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('PDQ of the picture: 256 bits as 64 hex digits.'),
    quality: z.int().min(0).max(100).describe('Detail in the image; below 50 nothing is registered.'),
    windows: z
      .int()
      .min(0)
      .max(1000)
      .describe('Windows of the image that can be found in cropped and rotated copies.'),
    sha256: z.string(),
    prior_art: z
      .array(matchField)
      .describe(
        'Earlier images that look the same: those of the same image first, the earliest before the later, then by confidence.',
      ),
    kept_manifest: storedManifestField.describe('Only with keep_manifest; else null.'),
    ...engineAnswer,
  }),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  examples: [{ image: ORIGINAL_PNG_B64, title: 'Under the Wave off Kanagawa', artist: 'Katsushika Hokusai' }],
  next: ({ hash_id }, { image }) => [
    {
      action: 'Look for a copy',
      tool: 'verify_provenance',
      params: { image: handleIn(image) },
      why:
        hash_id === null
          ? 'Tells which work an image comes from'
          : 'Finds this registration by any copy of the image',
    },
  ],

  repeats: {
    key: async ({ image }) => sha256Of(image.bytes),
    async paidBefore({ image }, { hashes }: Pick<Services, 'hashes' | 'pixels' | 'provenance'>, wallet) {
      const registration = await hashes.paidBy(wallet, sha256Of(image.bytes));
      return registration && repeatNote(registration);
    },
  },
  async run(
    { image, title, artist, provenance_uri, keep_manifest },
    services: Pick<Services, 'pixels' | 'hashes' | 'provenance' | 'storedManifests' | 'site'>,
    call,
  ) {
    const { pixels, hashes, provenance } = services;
    const { bytes, width, height } = image;
    const control = { pixels: width * height, ...call };
    const purpose = 'register';
    const { engine, ...fingerprint } = await pixels.run('fingerprint', { bytes, purpose }, control);
    const { quality } = fingerprint;
    if (quality < HASH_QUALITY_MIN) throw tooFlat(quality);
    const sha256 = sha256Of(bytes);
    const manifest = keep_manifest ? await manifestOf(image, services, call) : undefined;
    const earlier = await provenance.priorArt({ bytes, sha256, fingerprint, control });
    const pdq = fingerprint.hashes[0]!;
    const answer = {
      hash: Buffer.from(pdq).toString('hex'),
      quality,
      windows: fingerprint.windows.length / pdq.length,
      sha256,
      engine,
      degraded: false,
    };
    const work = earlier.find(isWholeWork);
    if (work) {
      if (manifest) call.warn('A known work is not registered, so its manifest was not stored.');
      call.waive(`This is a known work (${work.id}), which needs no registration. You were not charged.`);
      return { ...answer, ...unregistered(earlier) };
    }
    const { registration, isNew } = await hashes.register({
      ...fingerprint,
      pdq,
      sha256,
      title,
      artist,
      provenanceUri: provenance_uri,
      wallet: call.wallet,
      hold: call.hold,
    });
    sayWhatItMeans(call, registration, isNew, earlier);
    return {
      ...answer,
      kept_manifest: manifest
        ? await keepManifest(
            {
              kept: manifest,
              boundTo: registration.id,
              isOurs: false,
              markId: await markIn(image, services, call),
            },
            services,
            call,
          )
        : null,
      ...registrationOf(registration, isNew),
      prior_art: earlierThan(registration, earlier),
    };
  },
});

const registrationOf = (registration: Registration | undefined, isNew: boolean) => ({
  registered: registration !== undefined && isNew,
  already_registered: registration !== undefined && !isNew,
  hash_id: registration?.id ?? null,
  registered_at: registration?.createdAt.toISOString() ?? null,
});

const unregistered = (earlier: readonly Match[]) => ({
  ...registrationOf(undefined, false),
  prior_art: earlierThan(undefined, earlier),
  kept_manifest: null,
});

function sayWhatItMeans(
  call: CallContext,
  registration: Registration,
  isNew: boolean,
  earlier: readonly Match[],
): void {
  if (!isNew) {
    call.waive(repeatNote(registration));
  } else if (earlier.length > 0) {
    call.warn(
      'An image that looks the same was registered earlier; prior_art names it. Yours is registered as a later one.',
    );
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const repeatNote = ({ createdAt }: Registration): string =>
  `You registered this file on ${createdAt.toISOString()}. You were not charged.`;

const earlierThan = (registration: Registration | undefined, earlier: readonly Match[]) =>
  matchAnswers(earlier.filter(({ id }) => id !== registration?.id));

const tooFlat = (quality: number): AtelierError =>
  new AtelierError(
    'unsuitable_image',
    `The image has too little detail for a perceptual hash: its quality is ${quality}, the minimum is ${HASH_QUALITY_MIN}. Send a more detailed image. You were not charged.`,
  );
