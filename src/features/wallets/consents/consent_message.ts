import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { checksumAddress } from '../ownership/checksum_address.ts';
import { notSignedBy } from '../ownership/not_signed_by.ts';
import { writeSiwe } from '../ownership/siwe.ts';
import type { Parts } from './deps.ts';

interface Question {
  /** 32 hex digits; the nonce of the message. It is answered once, so a message counts once. */
  readonly id: string;
  readonly path: string;
  readonly wallet: string;
  readonly chainId: number;
  /** What is agreed to, in one line. */
  readonly statement: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The one message that says yes or no to a question: it can be written again from what is kept, and nothing else has to be. */
export const consentMessage = ({ publicUrl }: Pick<Parts, 'publicUrl'>, question: Question): string =>
  writeSiwe({
    domain: new URL(publicUrl).host,
    address: checksumAddress(question.wallet),
    statement: printable(question.statement),
    uri: `${publicUrl}${question.path}/${question.id}`,
    chainId: question.chainId,
    nonce: question.id,
    issuedAt: question.createdAt,
    expiresAt: question.expiresAt,
  });

/** @throws AtelierError invalid_signature, chain_unavailable */
export async function requireConsent(parts: Parts, question: Question, signature: string): Promise<void> {
  const { wallet, chainId } = question;
  const message = Buffer.from(consentMessage(parts, question), 'utf8');
  const why = await notSignedBy(parts, { wallet, chainId, message, signature });
  if (why === undefined) return;
  await parts.record(wallet, 'refused_signature');
  throw new AtelierError(
    'invalid_signature',
    `The consent is not accepted: ${why}. Sign the message as it is shown.`,
  );
}

/** EIP-4361 has ASCII in one line; other characters are shown as JSON writes them. */
const printable = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
