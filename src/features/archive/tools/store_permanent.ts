import { z } from 'zod';
import { CONTENT_TYPE_CHARACTERS_MAX, UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { briefly } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { MEDIA_TYPE } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { credits } from '../../definitions/price.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';

const source = z
  .string()
  .min(1, 'must not be empty')
  .meta({ contentMediaType: 'application/octet-stream' })
  .optional();

export const storePermanent = defineTool({
  name: 'store_permanent',
  title: 'Store for good',
  category: 'storage',
  summary:
    'Keeps any file of up to 25 MB for good, in the archive of this server by content hash (CID) or, where the operator chose so, on Arweave, with a public record. It can never be changed or taken back; what is kept already costs nothing.',
  instead: { save_asset: 'for files to replace or delete' },
  words:
    'permanent, forever, for good, years, immutable, archive, arweave, ipfs, cid, blockchain, decentralised, never lose, cannot be deleted, nobody can ever delete it, pin, upload to arweave, keep it for a hundred years, immutable record of my file, permanent link that never breaks, mint, nft, proof on chain, on-chain, permaweb, tamper-proof, preserve, time capsule, notarise, still there in fifty years, for my grandchildren, heritage, archival copy, cannot be changed or censored, forever online, blockchain proof, web3, content address, eternal, legacy',
  price: credits(15),
  input: z.object({
    image: briefly(
      source.describe('A picture: URL, upload:<id>, asset:<key>, result:<id> or base64. This or data.'),
      'This or data.',
    ),
    data: briefly(source.describe('Any other file, in the same forms. This or image.'), 'Any other file.'),
    content_type: briefly(
      z
        .string()
        .max(CONTENT_TYPE_CHARACTERS_MAX, { abort: true })
        .regex(MEDIA_TYPE, 'must be a media type such as text/plain')
        .default('application/octet-stream')
        .describe('Media type of data; detected for images.'),
      'Of data.',
    ),
    metadata: briefly(
      z
        .record(z.string(), z.unknown())
        .default({})
        .describe('Public metadata of the record. Different metadata creates a different record.'),
      'Public metadata of the record.',
    ),
  }),
  output: z.object({
    permanent_storage_tx: z
      .string()
      .describe('Id of the record, which covers content and metadata: its CID, or its id on Arweave.'),
    provenance_uri: z
      .string()
      .describe(
        'URL of the record; in the archive, ?format=car returns record and file together. Arweave items are also at /ar/<id> on this server.',
      ),
    url: z.string().describe('URL of the bytes.'),
    sha256: z.string(),
    size_bytes: z.int().min(1).max(UPLOAD_BYTES_MAX),
    store: z.enum(['archive', 'arweave']).describe('Store: the archive of this server, or Arweave.'),
  }),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64, metadata: { title: 'Sun over a meadow' } },
    { data: 'SGVsbG8sIHdvcmxkIQ==', content_type: 'text/plain' },
  ],
  next: ({ provenance_uri }, { image }) => [
    {
      action: 'Register its perceptual hash',
      tool: 'register_hash',
      why: 'Copies of an image then lead to this record',
      params: {
        image: handleIn(image),
        // Without TLS, the record URL is http, which a registration does not accept.
        ...(!provenance_uri.startsWith('http:') && { provenance_uri }),
      },
    },
  ],

  async run(
    { image, data, content_type, metadata },
    { images, permanentStore }: Pick<Services, 'images' | 'permanentStore'>,
    call,
  ) {
    if ((image === undefined) === (data === undefined)) {
      throw invalidField('image', 'Send either image or data: the file to store.');
    }
    const file =
      image === undefined
        ? {
            bytes: await images.read(data!, 'data', senderOf(call), UPLOAD_BYTES_MAX),
            contentType: content_type,
          }
        : await pictureIn(images, image, call);
    const { hold, signal } = call;
    const entry = await permanentStore.put({ ...file, metadata, hold, signal });
    if (entry.wasKept) call.waive('This file was already stored. You were not charged.');
    return {
      permanent_storage_tx: entry.tx,
      provenance_uri: entry.provenanceUri,
      url: entry.url,
      sha256: entry.sha256,
      size_bytes: entry.sizeBytes,
      store: permanentStore.name,
    };
  },
});

const senderOf = ({ wallet, signal }: CallContext) => ({ signal, ...(wallet !== undefined && { wallet }) });

async function pictureIn(images: Services['images'], image: string, call: CallContext) {
  const { bytes, format } = await images.open(image, 'image', senderOf(call));
  return { bytes, contentType: `image/${format}` };
}
