/** What a profile says of itself in its first 128 bytes. ICC.1:2022, 7.2 */
export interface IccHeader {
  /** `prtr`, `mntr`, `scnr`, `spac`, `link`, `nmcl`, `abst`. */
  readonly kind: string;
  /** `CMYK`, `RGB`, `GRAY`, `Lab` and the like. */
  readonly space: string;
  /** 2.1, 4.3 */
  readonly version: number;
  /** Channels of its device; undefined for a space not known here. */
  readonly channels: number | undefined;
  /** As long as it says, and signed as a profile. */
  readonly isWhole: boolean;
}

const CHANNELS: Record<string, number> = { GRAY: 1, RGB: 3, Lab: 3, XYZ: 3, CMYK: 4, CMY: 3 };

/** Nothing for bytes too short to have a header. */
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
