import { headerCarrier, messageCarrier } from './carrier.ts';
import { HEADER_BITS, type Header, type MessageClass, sealHeader } from './message_class.ts';
import { encodePolar, type PolarCode, polarCode } from './polar_code.ts';

/** The bit every value of a carrier is to say. */
export interface CodedMark {
  readonly messageClass: MessageClass;
  readonly message: Uint8Array;
  readonly header: Uint8Array;
}

/** The first values of the header, which always say 0: they tell the step. */
export const KNOWN_VALUES = 256;
const HEADER_LENGTH = 256;

/** Coded bits of the header, each said by three values: the one at KNOWN_VALUES + bit, and so on. */
export const headerCode = (): PolarCode => polarCode(HEADER_LENGTH, HEADER_BITS);
export const messageCode = ({ bits, perValue }: MessageClass): PolarCode =>
  polarCode(messageCarrier(perValue).values, bits);

/** @param message sealed: as many bits as its class has */
export function codeMark(header: Header, message: Uint8Array): CodedMark {
  return {
    messageClass: header.messageClass,
    message: encodePolar(messageCode(header.messageClass), message),
    header: codeHeader(header),
  };
}

export function codeHeader(header: Header): Uint8Array {
  const coded = encodePolar(headerCode(), sealHeader(header));
  const values = new Uint8Array(headerCarrier().values);
  for (let at = KNOWN_VALUES; at < values.length; at++)
    values[at] = coded[(at - KNOWN_VALUES) % HEADER_LENGTH]!;
  return values;
}
/** Step of a value of the header, of that of one detail of the message. */
export const HEADER_STEP = 1.2;
