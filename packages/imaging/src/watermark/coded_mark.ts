import { createHash } from 'node:crypto';
import { headerCarrier, messageCarrier } from './carrier.ts';

/** Message length and its spreading: a shorter message spreads each bit over more of the image. */
export interface MessageClass {
  readonly index: number;
  /** Bits of the message, including its checksum. */
  readonly bits: number;
  /** Coefficients per coded bit. */
  readonly perValue: 1 | 2 | 4 | 8;
}

export const MESSAGE_CHECK_BITS = 48;
export const HEADER_CHECK_BITS = 32;
const ID_BITS = 48;
const CLASS_BITS = 5;
const HEADER_BITS = ID_BITS + CLASS_BITS + HEADER_CHECK_BITS;
/** Included in every checksum, so that other formats do not pass it. */
const FORMAT = 'atelier-mark-1';

const SPREAD: readonly [perValue: MessageClass['perValue'], bits: readonly number[]][] = [
  [8, [96, 128, 160, 192, 224, 256, 320]],
  [4, [384, 448, 512, 640]],
  [2, [768, 896, 1024, 1280, 1536]],
  [1, [1792, 2048, 2560, 3072, 4096, 5120, 6656]],
];

export const MESSAGE_CLASSES: readonly MessageClass[] = SPREAD.flatMap(([perValue, sizes]) =>
  sizes.map((bits) => ({ bits, perValue })),
).map((shape, index) => ({ index, ...shape }));

/** Pads a message with zeros to the smallest class that fits and appends its checksum; undefined if no class fits. */
export function sealMessage(
  message: Uint8Array,
): { messageClass: MessageClass; bits: Uint8Array } | undefined {
  const messageClass = MESSAGE_CLASSES.find(({ bits }) => bits - MESSAGE_CHECK_BITS >= message.length);
  if (!messageClass) return undefined;
  const bits = new Uint8Array(messageClass.bits);
  bits.set(message);
  bits.set(
    checkOf(`message ${messageClass.index}`, openMessage(bits), MESSAGE_CHECK_BITS),
    bits.length - MESSAGE_CHECK_BITS,
  );
  return { messageClass, bits };
}

export function isWholeMessage(messageClass: MessageClass, bits: Uint8Array): boolean {
  return endsWithCheck(`message ${messageClass.index}`, bits, MESSAGE_CHECK_BITS);
}

/** The message with its zero padding but without the checksum: `decodePayload` would read the checksum of a message that fills its class as text. */
export const openMessage = (bits: Uint8Array): Uint8Array => bits.subarray(0, -MESSAGE_CHECK_BITS);

/** Data beside the message: its class and its registry id. */
export interface Header {
  /** 12 hex digits. */
  readonly id: string;
  readonly messageClass: MessageClass;
}

function sealHeader({ id, messageClass }: Header): Uint8Array {
  const number = (BigInt(`0x${id}`) << BigInt(CLASS_BITS)) | BigInt(messageClass.index);
  const content = bitsOf(number, ID_BITS + CLASS_BITS);
  return Uint8Array.of(...content, ...checkOf('header', content, HEADER_CHECK_BITS));
}

export const isWholeHeader = (bits: Uint8Array): boolean => endsWithCheck('header', bits, HEADER_CHECK_BITS);

/** Undefined for an unknown class. */
export function openHeader(bits: Uint8Array): Header | undefined {
  const number = BigInt(`0b${bits.subarray(0, ID_BITS + CLASS_BITS).join('')}`);
  const messageClass = MESSAGE_CLASSES[Number(number & BigInt(2 ** CLASS_BITS - 1))];
  const id = (number >> BigInt(CLASS_BITS)).toString(16).padStart(ID_BITS / 4, '0');
  return messageClass && { id, messageClass };
}

function endsWithCheck(purpose: string, bits: Uint8Array, length: number): boolean {
  const check = checkOf(purpose, bits.subarray(0, -length), length);
  return check.every((bit, at) => bit === bits[bits.length - length + at]);
}

function checkOf(purpose: string, bits: Uint8Array, length: number): Uint8Array {
  const digest = createHash('sha256').update(`${FORMAT} ${purpose}\0`).update(bits).digest();
  return bitsOf(BigInt(`0x${digest.toString('hex')}`) >> BigInt(256 - length), length);
}

/** Most significant bit first. */
function bitsOf(number: bigint, length: number): Uint8Array {
  return Uint8Array.from(number.toString(2).padStart(length, '0'), Number);
}

/** A polar code: `length` coded bits (a power of two); the rows marked in `isInformation` carry the message. */
export interface PolarCode {
  readonly length: number;
  readonly information: number;
  readonly isInformation: Uint8Array;
}

const CODES = new Map<string, PolarCode>();

/**
 * A polar code of `length` bits for `information` message bits. Rows are ranked by their erasure probability on an erasure channel of that rate,
 * which needs only sums and products and is therefore identical on every machine. E. Arıkan, Channel Polarization, IEEE Trans. Inf. Theory 55 (2009).
 */
export function polarCode(length: number, information: number): PolarCode {
  const key = `${length}/${information}`;
  const known = CODES.get(key);
  if (known) return known;
  let erasures = Float64Array.of(1 - Math.min(0.95, (information / length) * 1.25 + 0.02));
  while (erasures.length < length) {
    const split = new Float64Array(erasures.length * 2);
    for (let row = 0; row < erasures.length; row++) {
      const z = erasures[row]!;
      split[2 * row] = 2 * z - z * z;
      split[2 * row + 1] = z * z;
    }
    erasures = split;
  }
  const ranked = Array.from(erasures.keys()).sort((a, b) => erasures[a]! - erasures[b]! || b - a);
  const isInformation = new Uint8Array(length);
  for (const row of ranked.slice(0, information)) isInformation[row] = 1;
  const code = { length, information, isInformation };
  CODES.set(key, code);
  return code;
}

/** Encodes `message`, one bit per byte, `code.information` bits. The codeword also has one bit per byte. */
export function encodePolar(code: PolarCode, message: Uint8Array): Uint8Array {
  const word = new Uint8Array(code.length);
  let at = 0;
  for (let row = 0; row < code.length; row++) if (code.isInformation[row]) word[row] = message[at++]!;
  return polarTransform(word);
}

/** Polar transform in place; its own inverse. */
export function polarTransform(word: Uint8Array): Uint8Array {
  for (let half = 1; half < word.length; half *= 2) {
    for (let start = 0; start < word.length; start += 2 * half) {
      for (let at = start; at < start + half; at++) word[at]! ^= word[at + half]!;
    }
  }
  return word;
}

/** The bit that each value of a carrier encodes. */
export interface CodedMark {
  readonly messageClass: MessageClass;
  readonly message: Uint8Array;
  readonly header: Uint8Array;
}

/** The first values of the header are always 0: they reveal the quantisation step. */
export const KNOWN_VALUES = 256;
const HEADER_LENGTH = 256;

/** The header code. Each coded bit is repeated in three values, starting with the one at KNOWN_VALUES + bit. */
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
/** Quantisation step of a header value, relative to that of one message coefficient. */
export const HEADER_STEP = 1.2;
