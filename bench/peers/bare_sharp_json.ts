import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/**
 * The same lower bound with the wire format of the service: base64 in JSON in both directions, in the
 * simplest way in Node.
 */
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
