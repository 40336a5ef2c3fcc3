import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/** The same limit with the same wire format as ours: base64 in JSON in, base64 in JSON out, the shortest way Node offers. */
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return void response.end('ok');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { image, width, height, quality } = JSON.parse(Buffer.concat(chunks).toString());
  const resized = await sharp(Buffer.from(image, 'base64'))
    .resize(width, height, { fit: 'inside' })
    .jpeg({ quality })
    .toBuffer();
  response
    .setHeader('Content-Type', 'application/json')
    .end(JSON.stringify({ image_b64: resized.toString('base64') }));
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
