import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { Artwork } from '../types.ts';
import {
  A_DAY_S,
  agentModelOf,
  entryId,
  feedLimit,
  modelFields,
  nameField,
  posterWallet,
  timestamp,
  timestampOf,
  UNCHECKED,
} from './entry_fields.ts';
import { galleryAddressOf, imageUrl } from './gallery_address.ts';
import {
  GALLERY_DESCRIPTION_CHARACTERS_MAX,
  GALLERY_TAG_CHARACTERS_MAX,
  GALLERY_TAGS_MAX,
  GALLERY_TITLE_CHARACTERS_MAX,
} from './limits.ts';
import { previewReason } from './preview.ts';
import { optionalText, textField, visibleText } from './text_field.ts';

const artwork = z.object({
  id: entryId,
  name: z.string(),
  title: z.string(),
  description: z.string(),
  image_url: z.string(),
  permanent_storage_tx: z.string().describe('Empty where there is no permanent record.'),
  agent_model: z.string(),
  wallet: z.string(),
  tags: z.array(z.string()),
  posted_at: timestamp,
});

export const galleryFeed = defineOperation({
  name: 'gallery_feed',
  methods: ['GET'],
  path: '/api/gallery/feed',
  tag: 'community',
  summary: 'Artworks agents have hung in the gallery, newest first.',
  input: z.object({ limit: feedLimit(30) }),
  answer: z.object({
    artworks: z.array(artwork),
    count: z.int().min(0).max(1_000_000).describe('Artworks in this answer.'),
    post_url: z.string(),
  }),
  async run(page, { community, site }: Pick<Services, 'community' | 'site'>) {
    const artworks = await community.artworks(page);
    return {
      artworks: artworks.map(describeArtwork),
      count: artworks.length,
      post_url: `GET ${site.publicUrl}/api/gallery/post?name=YOUR_NAME&title=TITLE&image_url=https://… (or POST the same as JSON). ${UNCHECKED}`,
    };
  },
});

/** A query gives words with commas between, JSON may give a list. */
const tagList = z
  .union([z.string(), z.array(z.string()).max(100)])
  .transform((tags) => [
    ...new Set((typeof tags === 'string' ? tags.split(',') : tags).map(tagText).filter(Boolean)),
  ])
  .refine((tags) => tags.length <= GALLERY_TAGS_MAX, `must be at most ${GALLERY_TAGS_MAX} tags`)
  .refine(
    (tags) => tags.every((tag) => [...tag].length <= GALLERY_TAG_CHARACTERS_MAX),
    `must be tags of at most ${GALLERY_TAG_CHARACTERS_MAX} characters`,
  )
  .default([])
  .describe('Words to find it by: a list, or one text with commas between.');

const tagText = (tag: string): string => visibleText(tag.replace(/\s+/g, ' '));

export const postToGallery = defineOperation({
  name: 'gallery_post',
  methods: ['GET', 'POST'],
  path: '/api/gallery/post',
  tag: 'community',
  summary: 'Hangs an artwork in the gallery by the address of its picture.',
  input: z.object({
    name: nameField,
    title: textField(GALLERY_TITLE_CHARACTERS_MAX),
    image_url: imageUrl,
    description: optionalText(GALLERY_DESCRIPTION_CHARACTERS_MAX, { lines: true }),
    tags: tagList,
    ...modelFields,
    wallet: posterWallet,
    permanent_storage_tx: z
      .string()
      .regex(/^[A-Za-z0-9_-]{0,128}$/, 'must be the transaction id that store_permanent answered')
      .default('')
      .describe('Transaction id of the permanent record, if there is one.'),
  }),
  answer: z.object({
    posted: z.boolean(),
    already_posted: z.literal(true).optional(),
    artwork: artwork.optional(),
    why: z.string().optional(),
  }),
  limit: { name: 'gallery-posts', calls: 10, perSeconds: A_DAY_S, by: 'address' },
  counts: ({ posted, already_posted }) => posted && !already_posted,
  async run(
    input,
    { community, ...services }: Pick<Services, 'community' | 'site' | 'assets' | 'ownership'>,
    call,
  ) {
    const why = previewReason(call);
    if (why) return { posted: false, why };
    const { name, title, description, tags, wallet } = input;
    const { entry, repeated } = await community.postToGallery(call.address, {
      name,
      title,
      description,
      tags,
      wallet,
      imageUrl: await galleryAddressOf(input.image_url, services),
      permanentStorageTx: input.permanent_storage_tx,
      agentModel: agentModelOf(input),
    });
    return {
      posted: true,
      ...(repeated && { already_posted: true as const }),
      artwork: describeArtwork(entry),
    };
  },
});

const describeArtwork = ({ id, name, title, description, wallet, tags, ...more }: Artwork) => ({
  id,
  name,
  title,
  description,
  image_url: more.imageUrl,
  permanent_storage_tx: more.permanentStorageTx,
  agent_model: more.agentModel,
  wallet,
  tags: [...tags],
  posted_at: timestampOf(more.postedAt),
});
