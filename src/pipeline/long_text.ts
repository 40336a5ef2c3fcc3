/**
 * Text of an image field that is still the ASCII bytes it came as: a picture in base64 is decoded from them, and never
 * becomes a string of a million characters, which costs more than decoding it. Wherever it is treated as text, it is one.
 */
export class LongText {
  readonly ascii: Buffer;

  constructor(ascii: Buffer) {
    this.ascii = ascii;
  }

  /** Its first characters after white space. */
  beginning(length: number): string {
    const at = this.ascii.findIndex((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
    return at < 0 ? '' : this.ascii.toString('latin1', at, at + length);
  }

  toString(): string {
    return this.ascii.toString('latin1');
  }

  toJSON(): string {
    return this.toString();
  }
}
