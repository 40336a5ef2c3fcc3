import { z } from 'zod';
import { withAliases, withDerivation } from '../../definitions/spellings.ts';
import type { PictureSize } from '../images/sizes.ts';
import { MUSEUM_NAMES } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Artworks } from '../types.ts';

const ARTWORK_ID_CHARACTERS_MAX = 120;
/** A work of the starter catalogue, so that it exists on every server. */
export const EXAMPLE_ARTIFACT_ID = 'rijks_SK-C-5';

const size = z.int().min(1).max(1_000_000).nullable();

/** Normalises an id: "MET 45434", "met-45434". */
function idMeant(sent: unknown): string | undefined {
  const [, museum, number] =
    (typeof sent === 'string' && ID_FORM.exec(sent.trim().replace(/^artwork:/, ''))) || [];
  return museum && number && `${museum.toLowerCase()}_${number}`;
}
const ID_FORM = new RegExp(`^(${MUSEUM_NAMES.join('|')})[ _:-]\\s?(\\S{1,100})$`, 'i');

/** Id of a work, as also accepted by image fields. */
export const workIdField = z
  .string()
  .trim()
  .min(1)
  .max(ARTWORK_ID_CHARACTERS_MAX)
  .transform((id) => id.replace(/^artwork:/, ''));

export const artifactIdField = withAliases(
  withDerivation(
    workIdField.describe('credit_id of a search result, such as rijks_SK-C-5.').meta({ title: 'Work' }),
    (sent) => {
      const artifactId = idMeant(sent);
      return artifactId === undefined || artifactId === sent ? undefined : { artifact_id: artifactId };
    },
  ),
  ...['credit_id', 'artwork_id', 'id', 'object_id', 'work_id', 'artwork', 'identifier'],
);

/** Where to get the image of a work. */
export const artworkImage = z
  .object({
    download_url: z.string().describe('The picture as the museum has it. Needs no wallet.'),
    sizes: z
      .object({ small: z.string(), medium: z.string(), large: z.string() })
      .describe('The same 400, 843 and 1686 pixels wide at most.'),
    expires_at: z.string().describe('ISO 8601; get_artwork answers fresh links.'),
    width: size,
    height: size,
    handle: z.string().describe('Send it as image to any tool.'),
    certain: z.boolean().describe('false: only the museum can say whether there is a picture.'),
  })
  .nullable()
  .describe('null where no picture of the work is known here.');

export function imageOf({ id, image }: ArtworkRecord, artworks: Pick<Artworks, 'link'>) {
  if (!image) return null;
  const link = (size: PictureSize) => artworks.link(id, size);
  const full = link('full');
  return {
    download_url: full.url,
    sizes: { small: link('small').url, medium: link('medium').url, large: link('large').url },
    expires_at: full.expiresAt.toISOString(),
    width: image.width,
    height: image.height,
    handle: `artwork:${id}`,
    certain: image.kind !== 'lookup',
  };
}
