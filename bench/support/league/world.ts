import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { scene } from '../../../tests/support/scene.ts';
import { toppedUp } from '../../../tests/support/topped_up.ts';
import { ASSET_KEY, MARK, type World } from './job.ts';

const WALLET = '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd';

/** Creates the files and the wallet that the jobs refer to. */
export async function openWorld(url: string): Promise<World> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${WALLET}` };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { body: JSON.parse(await response.text()) };
  };
  const upload = async (bytes: Buffer): Promise<string> => {
    const headers = { 'content-type': 'image/png' };
    const response = await fetch(`${url}/api/uploads`, {
      method: 'POST',
      headers,
      body: new Blob([Buffer.from(bytes)]),
    });
    return ((await response.json()) as { uri: string }).uri;
  };
  await toppedUp(post, WALLET);
  const bytes = await scene();
  const photo = await upload(bytes);
  const kept = await post('/api/tools/resize_image', {
    image: photo,
    width: 640,
    height: 480,
    output: 'url',
  });
  const marked = await post('/api/tools/watermark_embed', { image: photo, payload: MARK, output: 'url' });
  const data = Buffer.from('Boats at nine.').toString('base64');
  await post('/api/tools/save_asset', { wallet: WALLET, key: ASSET_KEY, data, content_type: 'text/plain' });
  return {
    photo,
    photoBase64: bytes.toString('base64'),
    photoDataUri: `data:image/png;base64,${bytes.toString('base64')}`,
    photoResult: kept.body.result,
    photoUrl: kept.body.result_url,
    logo: await upload(await logo()),
    marked: marked.body.result,
    markedUrl: marked.body.result_url,
    wallet: WALLET,
  };
}

/** A yellow bar and a blue square in a red disc on white, with sides of 160 pixels. */
export function logo(): Promise<Buffer> {
  const side = 160;
  const data = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) data.set(colorAt(x - side / 2, y - side / 2), 3 * (y * side + x));
  return sharp(data, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

function colorAt(x: number, y: number): [number, number, number] {
  if (Math.hypot(x, y) > 64) return [255, 255, 255];
  if (Math.abs(x) < 34 && y > 22 && y < 36) return [242, 183, 5];
  return Math.abs(x) < 26 && y > -40 && y < 12 ? [20, 40, 91] : [217, 40, 30];
}
