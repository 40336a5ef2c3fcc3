import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Faults of an authority. */
export interface AuthorityFaults {
  /** Lifetime of its certificate; below 0: expired when issued. */
  readonly days?: number;
  /** Extensions of its certificate in place of the correct ones. */
  readonly extensions?: readonly string[];
  readonly signerDigest?: string;
  readonly key?: 'ec' | 'rsa';
  /** Extensions of an intermediate certificate; absent: none. */
  readonly intermediate?: readonly string[];
}

/**
 * A time-stamping authority made with OpenSSL, whose responses are independent of the code under test. Needs
 * OpenSSL.
 */
export interface Authority {
  /** DER of the root certificate. */
  readonly root: Buffer;
  readonly rootPath: string;
  /** A response to a request, both DER. */
  reply(request: Uint8Array): Buffer;
  /** Only the token. */
  token(request: Uint8Array): Buffer;
  /** Throws unless OpenSSL accepts the token for the message. */
  verify(token: Uint8Array, message: Uint8Array): void;
  /** A request made by OpenSSL. */
  query(message: Uint8Array, ...options: string[]): Buffer;
  remove(): void;
}

export const POLICY = '1.2.3.4.1';
const PROPER = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,digitalSignature',
  'extendedKeyUsage=critical,timeStamping',
  'subjectKeyIdentifier=hash',
  'authorityKeyIdentifier=keyid',
];

const SUBJECTS: Readonly<Record<string, string>> = {
  middle: '/O=Test authority/CN=Test intermediate',
  tsa: '/O=Test authority/CN=Test TSA',
};

export function makeAuthority(faults: AuthorityFaults = {}): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-tsa-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const write = (name: string, bytes: Uint8Array) => writeFileSync(at(name), bytes);
  makeCertificates(folder, openssl, faults);
  const answer = (request: Uint8Array, ...more: string[]): Buffer => {
    write('request.tsq', request);
    openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'request.tsq', '-out', 'out', ...more);
    return readFileSync(at('out'));
  };
  return {
    root: openssl('x509', '-in', 'root.pem', '-outform', 'DER'),
    rootPath: at('root.pem'),
    reply: (request) => answer(request),
    token: (request) => answer(request, '-token_out'),
    verify(token, message) {
      write('message', message);
      write('token', token);
      openssl(...['ts', '-verify', '-data', 'message', '-in', 'token', '-token_in', '-CAfile', 'root.pem']);
    },
    query(message, ...options) {
      write('message', message);
      const kind = options.length > 0 ? options : ['-sha256', '-cert'];
      openssl('ts', '-query', '-data', 'message', '-out', 'query.tsq', ...kind);
      return readFileSync(at('query.tsq'));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function makeCertificates(
  folder: string,
  openssl: (...words: string[]) => Buffer,
  { days = 2, extensions = PROPER, signerDigest = 'sha256', key = 'ec', intermediate }: AuthorityFaults,
): void {
  const kind =
    key === 'ec'
      ? ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']
      : ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'];
  for (const name of ['root', 'middle', 'tsa']) openssl('genpkey', ...kind, '-out', `${name}.key`);
  openssl(
    ...['req', '-x509', '-new', '-key', 'root.key', '-days', '10', '-out', 'root.pem'],
    ...['-subj', '/O=Test authority/CN=Test root', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
  );
  const issue = (name: string, issuer: string, lines: readonly string[], lifetime: number) => {
    openssl(...['req', '-new', '-key', `${name}.key`, '-out', 'request.csr', '-subj', SUBJECTS[name]!]);
    writeFileSync(join(folder, 'extensions'), `${lines.join('\n')}\n`);
    openssl(
      ...['x509', '-req', '-in', 'request.csr', '-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`],
      ...['-CAcreateserial', '-days', String(lifetime), '-extfile', 'extensions', '-out', `${name}.pem`],
    );
  };
  if (intermediate) issue('middle', 'root', intermediate, 9);
  issue('tsa', intermediate ? 'middle' : 'root', extensions, days);
  writeFileSync(
    join(folder, 'chain.pem'),
    (intermediate ? ['middle', 'root'] : ['root'])
      .map((name) => readFileSync(join(folder, `${name}.pem`), 'utf8'))
      .join(''),
  );
  writeFileSync(join(folder, 'serial'), '01\n');
  writeFileSync(
    join(folder, 'tsa.cnf'),
    [
      '[tsa]',
      'default_tsa = own',
      '[own]',
      'serial = serial',
      'signer_cert = tsa.pem',
      'certs = chain.pem',
      'signer_key = tsa.key',
      `signer_digest = ${signerDigest}`,
      `default_policy = ${POLICY}`,
      'other_policies = 1.2.3.4.2',
      'digests = sha1, sha256, sha384, sha512',
      'accuracy = secs:1',
      'ordering = no',
      'tsa_name = yes',
      'ess_cert_id_chain = no',
      '',
    ].join('\n'),
  );
}

export type Handler = (request: Buffer, response: ServerResponse) => void;

export interface AuthorityServer {
  readonly url: string;
  /** Requests so far. */
  readonly count: () => number;
  close(): void;
}

/** A local server that responds to time-stamp requests with the handler. */
export async function serveAuthority(handle: Handler): Promise<AuthorityServer> {
  let count = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    handle(await bodyOf(request), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    count: () => count,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Responds as a correct authority does. */
export const answering =
  (authority: Pick<Authority, 'reply'>): Handler =>
  (request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/timestamp-reply' })
      .end(authority.reply(request));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
