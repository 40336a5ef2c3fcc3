import { execFileSync } from 'node:child_process';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AtOnceBlob, OFFLINE, openC2pa } from '@atelier/imaging/provenance/c2pa/open_c2pa.ts';

/**
 * Manifests with the structure published by other makers, signed with generated certificates that carry their
 * names. They test how the structure is read; no maker has signed anything. Needs OpenSSL.
 */

export interface Signing {
  /** Organisation and common name of the certificate. */
  readonly organisation: string;
  readonly name: string;
  /** DER, the signer's certificate first. */
  readonly certificates: readonly Buffer[];
  /** PEM of the issuer, which a trust list would hold. */
  readonly anchor: string;
  readonly key: KeyObject;
}

const EXTENSIONS = `basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=critical,emailProtection
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
`;

/** A certificate with an issuer generated for it, with the profile of C2PA 2.2, 14.5. */
export function certificateOf(organisation: string, name: string): Signing {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-maker-'));
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const newKey = (file: string) =>
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  try {
    newKey('issuer_key.pem');
    newKey('key.pem');
    openssl(
      ...['req', '-x509', '-new', '-key', 'issuer_key.pem', '-days', '2', '-out', 'issuer.pem'],
      ...['-subj', `/O=${organisation}/CN=${name} issuer`],
      ...['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
    );
    openssl(
      'req',
      '-new',
      '-key',
      'key.pem',
      '-out',
      'request.pem',
      '-subj',
      `/O=${organisation}/CN=${name}`,
    );
    writeFileSync(join(folder, 'extensions'), EXTENSIONS);
    openssl(
      ...['x509', '-req', '-in', 'request.pem', '-CA', 'issuer.pem', '-CAkey', 'issuer_key.pem'],
      ...['-CAcreateserial', '-days', '1', '-extfile', 'extensions', '-out', 'signer.pem'],
    );
    const der = (pem: string) => Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64');
    const anchor = read('issuer.pem');
    return {
      organisation,
      name,
      anchor,
      key: createPrivateKey(read('key.pem')),
      certificates: [der(read('signer.pem')), der(anchor)],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ENGINE = import.meta.resolve('@atelier/imaging/provenance/c2pa/open_c2pa.ts');
const wasm = readFileSync(createRequire(ENGINE).resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
const RESERVED = 16_384;

export interface ForeignManifest {
  readonly generator: string;
  readonly actions: readonly object[];
  /** The file it continues (parentOf), or that is placed in it (componentOf). */
  /** Watermarks and fingerprints it declares. */
  readonly softBindings?: readonly { readonly alg: string; readonly value: string }[];
  readonly ingredient?: { readonly bytes: Uint8Array; readonly relationship: 'parentOf' | 'componentOf' };
}

/** @param bytes a JPEG */
export async function signAs(
  signing: Signing,
  bytes: Uint8Array,
  { generator, actions, ingredient, softBindings = [] }: ForeignManifest,
): Promise<Buffer> {
  const { Builder } = await openC2pa(wasm);
  const definition = {
    claim_generator_info: [{ name: generator }],
    title: 'image.jpg',
    assertions: [
      { label: 'c2pa.actions.v2', data: { actions } },
      ...softBindings.map(({ alg, value }) => ({
        label: 'c2pa.soft-binding',
        data: { alg, blocks: [{ scope: {}, value }] },
      })),
    ],
  };
  const builder = Builder.fromJson(JSON.stringify(definition), JSON.stringify(OFFLINE));
  const type = 'image/jpeg';
  if (ingredient) {
    const { relationship } = ingredient;
    const described = JSON.stringify({ title: 'image.jpg', relationship, label: 'ingredient' });
    await builder.addIngredientFromBlob(described, type, new AtOnceBlob(ingredient.bytes, type));
  }
  const signer = {
    sign: async (claim: Uint8Array) => coseOf(signing, claim),
    reserveSize: RESERVED,
    alg: 'es256',
  };
  const made = Buffer.from(await builder.sign(signer, [], type, new AtOnceBlob(bytes, type)));
  builder.free();
  return made;
}

/** COSE_Sign1 (RFC 9052) of ES256, padded to the size reserved. */
function coseOf({ certificates, key }: Signing, claim: Uint8Array): Uint8Array<ArrayBuffer> {
  const headers = Buffer.concat([
    Buffer.from([0xa2, 0x01, 0x26, 0x18, 0x21]),
    cborHead(4, certificates.length),
    ...certificates.map(cborBytes),
  ]);
  const signed = Buffer.concat([
    cborHead(4, 4),
    cborHead(3, 10),
    Buffer.from('Signature1'),
    cborBytes(headers),
    cborBytes(Buffer.alloc(0)),
    cborBytes(claim),
  ]);
  const signature = sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' });
  const coseWith = (padding: number) =>
    Buffer.concat([
      Buffer.from([0xd2, 0x84]),
      cborBytes(headers),
      Buffer.from([0xa1, 0x63]),
      Buffer.from('pad'),
      cborBytes(Buffer.alloc(padding)),
      Buffer.from([0xf6]),
      cborBytes(signature),
    ]);
  let padding = RESERVED - coseWith(0).length;
  while (coseWith(padding).length > RESERVED) padding -= 1;
  return new Uint8Array(coseWith(padding));
}

const cborBytes = (value: Uint8Array): Buffer => Buffer.concat([cborHead(2, value.length), value]);

function cborHead(major: number, value: number): Buffer {
  const first = major << 5;
  if (value < 24) return Buffer.from([first | value]);
  if (value < 0x100) return Buffer.from([first | 24, value]);
  const head = Buffer.alloc(value < 0x10000 ? 3 : 5);
  head[0] = first | (value < 0x10000 ? 25 : 26);
  head.writeUIntBE(value, 1, head.length - 1);
  return head;
}

const SOURCE = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** Actions as each maker publishes them in manifests of 2024 to 2026. */
export const MAKERS = {
  /** ChatGPT states the source only in the manifest of the parent. */
  openai: {
    generator: 'ChatGPT',
    actions: [
      {
        action: 'c2pa.created',
        softwareAgent: { name: 'GPT-4o' },
        digitalSourceType: `${SOURCE}trainedAlgorithmicMedia`,
      },
      { action: 'c2pa.converted' },
    ],
  },
  google: {
    generator: 'Google C2PA Core Generator Library',
    actions: [
      {
        action: 'c2pa.created',
        description: 'Created by Google Generative AI.',
        digitalSourceType: `${SOURCE}trainedAlgorithmicMedia`,
      },
      {
        action: 'c2pa.edited',
        description: 'Applied imperceptible SynthID watermark.',
        digitalSourceType: `${SOURCE}trainedAlgorithmicMedia`,
      },
    ],
  },
  firefly: {
    generator: 'Adobe_Firefly',
    actions: [
      {
        action: 'c2pa.created',
        softwareAgent: 'Adobe Firefly',
        digitalSourceType: `${SOURCE}trainedAlgorithmicMedia`,
      },
    ],
  },
  leica: {
    generator: 'M11-P/2.0.2 (Serial: 1234567) lc_c2pa/v1.6.1',
    actions: [{ action: 'c2pa.created', digitalSourceType: `${SOURCE}digitalCapture` }],
  },
} as const satisfies Record<string, ForeignManifest>;

/** An earlier version that is opened. */
export const OPENED = { action: 'c2pa.opened', parameters: { ingredientIds: ['ingredient'] } } as const;
/** An image that is placed. */
export const PLACED = { action: 'c2pa.placed', parameters: { ingredientIds: ['ingredient'] } } as const;
/** Photoshop's generative fill. */
export const FILLED = {
  action: 'c2pa.edited',
  softwareAgent: 'Adobe Firefly',
  digitalSourceType: `${SOURCE}compositeWithTrainedAlgorithmicMedia`,
} as const;
