import { expect, test } from 'vitest';
import { publicUrl } from './public_url.ts';

test.each([
  'https://example.org/a.png',
  'https://images.example.museum/iiif/2/abc/full/843,/0/default.jpg?x=1#y',
  'https://bücher.example.de/bild.webp',
  'https://8.8.8.8/a.png',
  'https://[2606:4700::1111]/a.png',
])('%s is a public URL', (url) => {
  expect(publicUrl(url)).toBe(new URL(url).href);
});

test.each([
  'http://example.org/a.png',
  'ftp://example.org/a.png',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  '//example.org/a.png',
  'example.org/a.png',
  '',
  'https://user@example.org/a.png',
  'https://user:secret@example.org/a.png',
  'https://localhost/a.png',
  'https://LOCALHOST./a.png',
  'https://shop.localhost/a.png',
  'https://printer.local/a.png',
  'https://metadata.google.internal/',
  'https://router/a.png',
  'https://127.0.0.1/a.png',
  'https://127.1/a.png',
  'https://2130706433/a.png',
  'https://0x7f000001/a.png',
  'https://0177.0.0.1/a.png',
  'https://127.0.0.1./a.png',
  'https://10.1.2.3/a.png',
  'https://172.16.0.1/a.png',
  'https://192.168.1.1/a.png',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/a.png',
  'https://0.0.0.0/a.png',
  'https://[::1]/a.png',
  'https://[::]/a.png',
  'https://[fd00::1]/a.png',
  'https://[fe80::1]/a.png',
  'https://[::ffff:10.0.0.1]/a.png',
  'https://[::ffff:a00:1]/a.png',
  'https://[64:ff9b::a00:1]/a.png',
  'https://[2002:a00:1::]/a.png',
  'https://[2001:0:4136:e378::1]/a.png',
  'https://[2606:4700::5efe:a00:1]/a.png',
  `https://example.org/${'a'.repeat(2048)}`,
])('%s is not a public URL', (url) => {
  expect(publicUrl(url)).toBeUndefined();
});
