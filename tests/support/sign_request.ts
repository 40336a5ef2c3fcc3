import { createHash, randomBytes } from 'node:crypto';

/** Signs bytes as a wallet does (EIP-191) and returns 0x followed by hex. */
export type Sign = (message: Uint8Array) => Promise<string>;

export interface Signing {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly wallet: string;
  readonly sign: Sign;
  /** Overrides for invalid requests; defaults are correct. */
  readonly authority?: string;
  readonly keyid?: string;
  readonly created?: number;
  readonly expires?: number;
  readonly nonce?: string;
  readonly tag?: string;
  /** Default: the components that ERC-8128 requires. */
  readonly covered?: readonly string[];
  readonly digestOf?: string;
}

/**
 * Headers of a request signed by ERC-8128. Written by hand, without the parser and the text builder of the
 * service, so that both are independent.
 */
export async function signRequest(signing: Signing): Promise<Record<string, string>> {
  const { method = 'POST', path, body, wallet, sign, authority = 'atelier.test' } = signing;
  const [target, query] = path.split('?');
  const now = Math.floor(Date.now() / 1000);
  const { created = now, expires = created + 60, nonce = randomBytes(12).toString('base64url') } = signing;
  const { keyid = `eip155:1:${wallet}`, tag = 'erc8128' } = signing;
  const digest = createHash('sha256')
    .update(signing.digestOf ?? body ?? '')
    .digest('base64');
  const values: Record<string, string> = {
    '@method': method,
    '@authority': authority,
    '@path': target!,
    '@query': `?${query ?? ''}`,
    'content-digest': `sha-256=:${digest}:`,
  };
  const covered =
    signing.covered ??
    Object.keys(values).filter(
      (name) =>
        (name !== '@query' || query !== undefined) && (name !== 'content-digest' || body !== undefined),
    );
  const input = `(${covered.map((name) => `"${name}"`).join(' ')});created=${created};expires=${expires};nonce="${nonce}";keyid="${keyid}"${tag && `;tag="${tag}"`}`;
  const base = [...covered.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${input}`].join(
    '\n',
  );
  const signature = Buffer.from((await sign(Buffer.from(base))).slice(2), 'hex').toString('base64');
  return {
    'Content-Type': 'application/json',
    ...(body !== undefined && { 'Content-Digest': values['content-digest']! }),
    'Signature-Input': `wallet=${input}`,
    Signature: `wallet=:${signature}:`,
  };
}
