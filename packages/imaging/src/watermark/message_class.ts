import { createHash } from 'node:crypto';

/** How long a message may be, and how its bits are spread: the shorter, the more of the picture carries each bit. */
export interface MessageClass {
  readonly index: number;
  /** Bits of the message, its checksum included. */
  readonly bits: number;
  /** Details in a coded bit. */
  readonly perValue: 1 | 2 | 4 | 8;
}

export const MESSAGE_CHECK_BITS = 48;
export const HEADER_CHECK_BITS = 32;
export const ID_BITS = 48;
export const CLASS_BITS = 5;
export const HEADER_BITS = ID_BITS + CLASS_BITS + HEADER_CHECK_BITS;
/** Part of every checksum, so that another format is never taken for this one. */
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

/** A message padded with zeros to the smallest class that holds it, followed by its checksum; undefined where none does. */
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

/**
 * The message alone, with the zeros it was padded by: what reads it takes whatever follows for part of it, and of a message that
 * fills its class the checksum would follow.
 */
export const openMessage = (bits: Uint8Array): Uint8Array => bits.subarray(0, -MESSAGE_CHECK_BITS);

/** What travels beside the message: the class it has, and the id it is registered by. */
export interface Header {
  /** 12 hex digits. */
  readonly id: string;
  readonly messageClass: MessageClass;
}

export function sealHeader({ id, messageClass }: Header): Uint8Array {
  const number = (BigInt(`0x${id}`) << BigInt(CLASS_BITS)) | BigInt(messageClass.index);
  const content = bitsOf(number, ID_BITS + CLASS_BITS);
  return Uint8Array.of(...content, ...checkOf('header', content, HEADER_CHECK_BITS));
}

export const isWholeHeader = (bits: Uint8Array): boolean => endsWithCheck('header', bits, HEADER_CHECK_BITS);

/** Undefined where the class is not one of ours. */
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

/** Most significant first. */
function bitsOf(number: bigint, length: number): Uint8Array {
  return Uint8Array.from(number.toString(2).padStart(length, '0'), Number);
}
