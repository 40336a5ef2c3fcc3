/** ICC profile header, the first 128 bytes. ICC.1:2022, 7.2 */
export interface IccHeader {
  /** `prtr`, `mntr`, `scnr`, `spac`, `link`, `nmcl`, `abst`. */
  readonly kind: string;
  /** `CMYK`, `RGB`, `GRAY`, `Lab` and the like. */
  readonly space: string;
  /** 2.1, 4.3 */
  readonly version: number;
  /** Device channels. Undefined for an unknown colour space. */
  readonly channels: number | undefined;
  /** Whether the stated length and the profile signature are valid. */
  readonly isWhole: boolean;
}

const CHANNELS: Record<string, number> = { GRAY: 1, RGB: 3, Lab: 3, XYZ: 3, CMYK: 4, CMY: 3 };

/** Undefined if the data are too short for a header. */
export function readIccHeader(bytes: Uint8Array): IccHeader | undefined {
  if (bytes.length < 128) return undefined;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (at: number): string => view.toString('latin1', at, at + 4).trim();
  const space = word(16);
  const [, colors] = /^([2-9A-F])CLR$/.exec(space) ?? [];
  return {
    kind: word(12),
    space,
    version: view[8]! + (view[9]! >> 4) / 10,
    channels: colors ? Number.parseInt(colors, 16) : CHANNELS[space],
    isWhole: word(36) === 'acsp' && view.readUInt32BE(0) <= bytes.length,
  };
}
