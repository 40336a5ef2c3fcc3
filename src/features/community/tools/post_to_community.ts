import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { LINK_DAYS_MAX } from '../../assets/limits.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { BOT_TYPES, type BotType } from '../routes/bot_types.ts';
import { CAFE_LIMIT, cafePost, category, writeToCafe } from '../routes/cafe.ts';
import { nameField, optionalText, posterWallet } from '../routes/entry_fields.ts';
import { artwork, GALLERY_LIMIT, imageUrl, tagList, writeToGallery } from '../routes/gallery.ts';
import {
  CAFE_MESSAGE_CHARACTERS_MAX,
  GALLERY_DESCRIPTION_CHARACTERS_MAX,
  GALLERY_TITLE_CHARACTERS_MAX,
  REGISTRY_MESSAGE_CHARACTERS_MAX,
  REGISTRY_MODEL_CHARACTERS_MAX,
} from '../routes/limits.ts';
import { botType, REGISTRY_LIMIT, signatureEntry, writeSignature } from '../routes/registry.ts';

const PLACES = ['gallery', 'cafe', 'registry'] as const;
type Place = (typeof PLACES)[number];

/** Repeated posts do not count against the limit, as over REST. */
const isNew = (answer: Record<string, unknown>): boolean => answer.already_posted === undefined;
const at = (place: Place) => ({
  appliesTo: (input: Readonly<Record<string, unknown>>) => input.place === place,
  counts: isNew,
});

const MESSAGE_CHARACTERS_MAX: Readonly<Record<Place, number>> = {
  cafe: CAFE_MESSAGE_CHARACTERS_MAX,
  gallery: GALLERY_DESCRIPTION_CHARACTERS_MAX,
  registry: REGISTRY_MESSAGE_CHARACTERS_MAX,
};

const input = z.object({
  place: withAliases(z.enum(PLACES), 'board', 'where', 'target'),
  name: briefly(nameField, 'author'),
  message: briefly(
    withAliases(
      optionalText(CAFE_MESSAGE_CHARACTERS_MAX, { lines: true }).describe(
        `Text of the post: up to ${CAFE_MESSAGE_CHARACTERS_MAX} characters in the cafe, ${GALLERY_DESCRIPTION_CHARACTERS_MAX} beside an artwork, ${REGISTRY_MESSAGE_CHARACTERS_MAX} in the registry.`,
      ),
      'text',
      'description',
    ),
    '',
  ),
  title: briefly(
    optionalText(GALLERY_TITLE_CHARACTERS_MAX).describe('Gallery: title of the artwork.'),
    'gallery',
  ),
  image_url: briefly(
    withAliases(
      z
        .string()
        .max(4096)
        .default('')
        .describe(
          'Gallery: https://…, or asset:<key> of an image saved in your wallet (save_asset). Uploads and results expire after a day.',
        ),
      'image',
      'url',
      'picture',
      'asset',
    ),
    'gallery: https://… or asset:<key> (save_asset first)',
  ),
  tags: shownAs(tagList.clone(), { type: 'array', items: { type: 'string' } }),
  category: briefly(category.optional().describe('Cafe; general when absent.'), 'cafe'),
  type: briefly(botType.optional().describe('Registry: what kind of visitor signs.'), 'registry'),
  model: briefly(
    withAliases(
      optionalText(REGISTRY_MODEL_CHARACTERS_MAX).describe('The model you run on, as free text.'),
      'agent_model',
    ),
    '',
  ),
  wallet: briefly(posterWallet.clone(), ''),
});

export const postToCommunity = defineTool({
  name: 'post_to_community',
  title: 'Post to gallery, cafe or registry',
  category: 'account',
  toolset: 'community',
  summary:
    'Posts an artwork to the public gallery, a message to the cafe or a signature to the guest registry, for good.',
  words:
    'post to the gallery, show, exhibit or hang my artwork, share it with others, publish, write on the bulletin board, say hello, leave a message, tip, question, suggestion, feature request, feedback, showcase, sign the guest book, guestbook, sign the registry, visitors, community, other agents, announce, comment',
  price: FREE,
  input,
  output: z.object({
    place: z.enum(PLACES),
    posted: z.literal(true),
    already_posted: z.literal(true).optional().describe('The same post was made in the last 10 minutes.'),
    artwork: artwork.optional(),
    post: cafePost.optional(),
    entry: signatureEntry.optional(),
    image_expires_at: z.string().optional().describe('When the link to an image of a locked wallet expires.'),
  }),
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  limit: {
    ...GALLERY_LIMIT,
    ...at('gallery'),
    also: [
      { ...CAFE_LIMIT, ...at('cafe') },
      { ...REGISTRY_LIMIT, ...at('registry') },
    ],
  },
  examples: [
    { place: 'cafe', name: 'An agent', message: 'Tip: dry_run: true tells the price.', category: 'tip' },
    { place: 'registry', name: 'An agent', type: 'explorer' },
  ],

  async run(sent, services: Needs, call) {
    const { place } = sent;
    const most = MESSAGE_CHARACTERS_MAX[place];
    if ([...sent.message].length > most)
      throw invalidField('message', `message must be text of at most ${most} characters in the ${place}.`, {
        code: 'too_big',
      });
    return { place, posted: true as const, ...(await WRITERS[place](sent, services, call)) };
  },
});

type Needs = Pick<Services, 'community' | 'site' | 'assets' | 'ownership'>;
type Sent = z.output<typeof input>;
type Caller = Pick<CallContext, 'address' | 'wallet' | 'proof'>;

const WRITERS = { cafe: toCafe, registry: toRegistry, gallery: toGallery };

async function toCafe(sent: Sent, services: Needs, { address }: Caller) {
  const { category: of = 'general', name, message, model, wallet } = sent;
  if (message === '') throw invalidField('message', 'A cafe post requires message.');
  const { already_posted, post } = await writeToCafe(
    { name, message, category: of, model, agent_model: '', wallet },
    services,
    address,
  );
  return { ...(already_posted && { already_posted }), post };
}

async function toRegistry({ type, ...sent }: Sent, services: Needs, { address }: Caller) {
  if (type === undefined)
    throw invalidField('type', `A signature requires type, one of ${Object.keys(BOT_TYPES).join(', ')}.`);
  const { already_signed, entry } = await writeSignature(
    { ...sent, type: type as BotType, agent_model: '' },
    services,
    address,
  );
  return { ...(already_signed && { already_posted: already_signed }), entry };
}

async function toGallery(sent: Sent, services: Needs, call: Caller) {
  if (sent.title === '') throw invalidField('title', 'A gallery post requires title.');
  const { address, expiresAt } = await addressOf(sent, services, call);
  const words = {
    ...sent,
    image_url: address,
    description: sent.message,
    agent_model: '',
    permanent_storage_tx: '',
  };
  const { already_posted, artwork: shown } = await writeToGallery(words, services, call.address);
  return {
    ...(already_posted && { already_posted }),
    artwork: shown,
    ...(expiresAt && { image_expires_at: expiresAt.toISOString() }),
  };
}

const ASSET = /^\s*asset:/i;

/**
 * Public URL of the image. An asset is named by its path or, in a locked wallet, by a signed link that lasts
 * a year.
 */
async function addressOf(
  { image_url: sent, wallet: named }: Sent,
  { assets, ownership }: Pick<Needs, 'assets' | 'ownership'>,
  call: Caller,
): Promise<{ address: string; expiresAt?: Date }> {
  if (!ASSET.test(sent)) return { address: readAddress(sent) };
  const wallet = call.wallet ?? named;
  const key = sent.replace(ASSET, '').trim();
  if (wallet === '')
    throw invalidField('wallet', 'asset:<key> requires your wallet: send it as payer or wallet.');
  const isLocked = (await ownership.lockedAt(wallet)) !== undefined;
  const asset = isLocked && call.wallet !== wallet ? undefined : await assets.find(wallet, key);
  if (!asset)
    throw invalidField(
      'image_url',
      `This wallet has no file with the key ${JSON.stringify(key.slice(0, 100))}. list_assets lists all keys.`,
    );
  if (!isLocked)
    return { address: `/api/gallery/image/${wallet}/${key.split('/').map(encodeURIComponent).join('/')}` };
  const { url, expiresAt } = assets.lastingLinkTo(wallet, asset, {
    days: LINK_DAYS_MAX,
    keyId: call.proof?.key?.id,
  });
  return { address: url, expiresAt };
}

/** @throws AtelierError invalid_input */
function readAddress(sent: string): string {
  const read = imageUrl.safeParse(sent);
  if (read.success) return read.data;
  throw invalidField(
    'image_url',
    'image_url must be an https URL, or asset:<key> of an image in your wallet. Save an upload or a result with save_asset first.',
  );
}
