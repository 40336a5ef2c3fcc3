import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import type { NpmPackage } from '../../src/features/models/manifest.ts';

/** A file of a package, or a link. */
export type PackFile = readonly [path: string, bytes: Uint8Array | string, link?: 'symlink' | 'link'];

/** The tarball of a package in npm's format. */
export async function packTarball(files: readonly PackFile[]): Promise<Buffer> {
  const pack = tar.pack();
  for (const [path, content, link] of files) {
    const name = `package/${path}`;
    if (link) pack.entry({ name, type: link, linkname: String(content) });
    else pack.entry({ name }, Buffer.from(content));
  }
  pack.finalize();
  return gzipSync(await buffer(pack));
}

/** The pinned entry for a package with this tarball. */
export const packageOf = (name: string, tarball: Uint8Array): NpmPackage => ({
  name,
  version: '1.0.0',
  integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
  bytes: tarball.length,
  licence: 'MIT',
});

/** A response in place of the tarball, or with it. */
export interface RegistryAnswer {
  readonly status?: number;
  readonly contentType?: string;
  readonly body?: Uint8Array;
  /** The connection breaks after this many bytes. */
  readonly cutAfter?: number;
}

/** A local registry with one tarball, which supports resumed downloads. */
export async function startRegistry(tarball: Uint8Array) {
  const requests: { path: string; range?: string | undefined; authorization?: string | undefined }[] = [];
  const answers: RegistryAnswer[] = [];
  const server = createServer(({ url: path = '', headers: { range, authorization } }, response) => {
    requests.push({ path, range, authorization });
    const {
      status,
      contentType = 'application/octet-stream',
      body = tarball,
      cutAfter,
    } = answers.shift() ?? {};
    const start = Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
    const rest = body.subarray(start);
    if (start > 0) response.setHeader('Content-Range', `bytes ${start}-${body.length - 1}/${body.length}`);
    response.writeHead(status ?? (start > 0 ? 206 : 200), {
      'Content-Type': contentType,
      'Content-Length': rest.length,
    });
    if (cutAfter === undefined) response.end(rest);
    else response.write(rest.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 50));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm`,
    requests,
    /** The next responses in order, followed by the tarball. */
    answers,
    close: () => new Promise((done) => server.close(done)),
  };
}
