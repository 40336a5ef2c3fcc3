import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/**
 * The lower bound to measure against: sharp behind node:http and nothing else. POST a JPEG, and the response
 * is the image fitted into 500 × 500; GET returns ok.
 */
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return void response.end('ok');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const resized = sharp(Buffer.concat(chunks)).resize(500, 500, { fit: 'inside' }).jpeg({ quality: 80 });
  response.setHeader('Content-Type', 'image/jpeg').end(await resized.toBuffer());
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
