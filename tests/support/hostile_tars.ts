import tar from 'tar-stream';

/**
 * Invalid archives: each is endless, or claims to be large. Written by a library, so that they are valid tar
 * files.
 */
export function hostileTars(): (readonly [what: string, stream: () => AsyncIterable<Uint8Array>])[] {
  const GIB = 1024 ** 3;
  return [
    ['a manifest of many gigabytes', () => oneFile({ name: 'manifest.json', size: 8 * GIB })],
    ['a name that leads out', () => oneFile({ name: '../../../etc/passwd', size: 3 })],
    ['an absolute name', () => oneFile({ name: '/etc/passwd', size: 3 })],
    ['a link', () => oneFile({ name: 'manifest.json', type: 'symlink', linkname: '/etc/passwd' })],
    ['a hard link', () => oneFile({ name: 'manifest.json', type: 'link', linkname: 'signature.jws' })],
    ['a folder', () => oneFile({ name: 'manifest.json', type: 'directory' })],
    ['a name in an extended header', () => oneFile({ name: 'x'.repeat(1000), size: 3 })],
    [
      'an extended header',
      () => oneFile({ name: 'manifest.json', size: 2, pax: { path: 'p'.repeat(100_000) } }),
    ],
    ['zeros for ever', () => endless(Buffer.alloc(65_536))],
    ['ones for ever', () => endless(Buffer.alloc(65_536, 1))],
    ['gzip', () => endless(Buffer.from('1f8b0800000000000003'.padEnd(2000, '00'), 'hex'))],
    ['zip', () => endless(Buffer.from('504b0304140000000800'.padEnd(2000, '00'), 'hex'))],
    ['nothing', async function* () {}],
  ];
}

/** The header of one file, followed by zeros without end. */
async function* oneFile(head: Partial<tar.Header> & { name: string }): AsyncGenerator<Uint8Array> {
  const archive = tar.pack();
  archive.entry(head);
  const first = await archive[Symbol.asyncIterator]().next();
  yield first.value as Uint8Array;
  yield* endless(Buffer.alloc(65_536));
}

async function* endless(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let count = 0; count < 1_000_000; count += 1) yield piece;
}
