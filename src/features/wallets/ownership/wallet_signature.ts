import { type InnerList, isInnerList, parseDictionary } from 'structured-headers';
import { SIGNATURE_HEADER_CHARACTERS_MAX, SIGNED_COMPONENTS_MAX } from './limits.ts';
import { SignatureProblem } from './signature_problem.ts';
import type { SignedRequest } from './types.ts';

export interface WalletSignature {
  /** Components and parameters, as they are signed. */
  readonly covered: InnerList;
  readonly chainId: number;
  /** Lower case. */
  readonly wallet: string;
  /** 0x and hex. */
  readonly signature: string;
}

/** CAIP-10 as ERC-8128 has it today, and the form its drafts had until August 2026, which clients still write. */
const KEY_ID = /^(?:eip155|erc8128):([1-9]\d{0,15}):(0x[0-9a-fA-F]{40})$/;
const TAG = 'erc8128';

/**
 * The one signature in a request that claims to be of a wallet. Signatures of others, such as proxies and bots, may stand
 * beside it. @throws SignatureProblem
 */
export function walletSignature({ header }: Pick<SignedRequest, 'header'>): WalletSignature {
  const inputs = dictionary('Signature-Input', header('signature-input'));
  const candidates = [...inputs].filter(([, value]) => {
    const { keyid, tag } = isInnerList(value) ? parametersOf(value) : {};
    return tag === TAG || KEY_ID.test(String(keyid));
  });
  const [[label, covered] = [], second] = candidates;
  if (label === undefined || !covered || !isInnerList(covered)) {
    throw new SignatureProblem(
      'no signature in it names a wallet: keyid must be "eip155:<chain>:<address>", such as "eip155:1:0x52908400098527886e0f7030069857d2e4169ee7"',
    );
  }
  if (second) throw new SignatureProblem('two signatures in it name a wallet; send one');
  const { keyid, tag, alg } = parametersOf(covered);
  const [, chain, address] = KEY_ID.exec(String(keyid)) ?? [];
  if (!address || !Number.isSafeInteger(Number(chain))) {
    throw new SignatureProblem('its keyid is not of the form "eip155:<chain>:<address>"');
  }
  if (tag !== undefined && tag !== TAG) throw new SignatureProblem(`its tag must be "${TAG}"`);
  if (alg !== undefined)
    throw new SignatureProblem('it names an algorithm; leave alg out, the keyid says it all');
  if (covered[0].length > SIGNED_COMPONENTS_MAX)
    throw new SignatureProblem(`it covers more than ${SIGNED_COMPONENTS_MAX} components`);
  return {
    covered,
    chainId: Number(chain),
    wallet: address.toLowerCase(),
    signature: signatureOf(label, header('signature')),
  };
}

function signatureOf(label: string, header: string | undefined): string {
  const value = dictionary('Signature', header).get(label)?.[0];
  if (!(value instanceof ArrayBuffer))
    throw new SignatureProblem(`the field Signature has no bytes under the label "${label}"`);
  return `0x${Buffer.from(value).toString('hex')}`;
}

const parametersOf = (covered: InnerList): Record<string, unknown> => Object.fromEntries(covered[1]);

function dictionary(name: string, text: string | undefined): ReturnType<typeof parseDictionary> {
  if (text === undefined) throw new SignatureProblem(`the field ${name} is missing`);
  if (text.length > SIGNATURE_HEADER_CHARACTERS_MAX)
    throw new SignatureProblem(
      `the field ${name} is longer than ${SIGNATURE_HEADER_CHARACTERS_MAX} characters`,
    );
  try {
    return parseDictionary(text);
  } catch {
    throw new SignatureProblem(`the field ${name} is no dictionary (RFC 9651)`);
  }
}
