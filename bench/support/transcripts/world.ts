import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { scene } from '../../../tests/support/scene.ts';
import { toppedUp } from '../../../tests/support/topped_up.ts';
import { writePdf } from '../../../tests/support/write_pdf.ts';
import { logo } from '../league/world.ts';

/** The payer of the jobs; another wallet has registered the photo that is copied. */
export const PLAYER = '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd';
const REGISTRAR = '0x00000000000000000000000000000000000000f1';
export const HIDDEN = '© Ada 2026';
const PHOTOS = 12;

/** The files of the jobs, by name: as handles, as returned by a client that uploads attachments. */
export async function openWorld(url: string): Promise<Record<string, unknown>> {
  const post = async (path: string, body: object, wallet = PLAYER) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${wallet}` };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { body: JSON.parse(await response.text()) };
  };
  const upload = async (bytes: Uint8Array, type = 'image/png', name?: string): Promise<string> => {
    const headers = { 'content-type': type };
    const body = new Blob([Buffer.from(bytes)]);
    const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
    const response = await fetch(`${url}/api/uploads${query}`, { method: 'POST', headers, body });
    return ((await response.json()) as { uri: string }).uri;
  };
  await toppedUp(post, PLAYER);
  await post('/api/wallet/register', { wallet: REGISTRAR }, REGISTRAR);
  const registered = await scene(7);
  const handle = await upload(registered);
  await post('/api/tools/register_hash', { image: handle, title: 'Harbour', artist: 'Ada' }, REGISTRAR);
  const photo = await upload(await scene());
  const marked = await post('/api/tools/watermark_embed', { image: photo, payload: HIDDEN, output: 'url' });
  const photos = await Promise.all(
    Array.from({ length: PHOTOS }, async (_, seed) =>
      upload(
        await sharp(await scene(20 + seed, 1400, 1050))
          .jpeg()
          .toBuffer(),
        'image/jpeg',
        `photo_${seed + 1}.jpg`,
      ),
    ),
  );
  return {
    wallet: PLAYER,
    photo,
    photos,
    logo: await upload(await logo()),
    avatar: await upload(await scene(2, 200, 200)),
    artwork: await upload(await scene(3, 1240, 1754)),
    copy: await upload(await cropped(registered)),
    marked: marked.body.result,
    pdf: await upload(writePdf('pdfx4'), 'application/pdf'),
  };
}

/** The central 60 % of an image of 640 × 480. */
const cropped = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes).extract({ left: 72, top: 54, width: 496, height: 372 }).jpeg().toBuffer();
