/**
 * Text of an image field that is still the ASCII bytes it came as: a picture in base64 is decoded from them, and never
 * becomes a string of a million characters, which costs more than decoding it. Wherever it is treated as text, it is one.
 */
export class LongText {
  readonly ascii: Buffer;

  constructor(ascii: Buffer) {
    this.ascii = ascii;
  }

  toString(): string {
    return this.ascii.toString('latin1');
  }

  toJSON(): string {
    return this.toString();
  }
}
