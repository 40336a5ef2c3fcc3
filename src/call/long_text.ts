/**
 * Text of an image field that is still the ASCII bytes it came as: a picture in base64 is decoded from them, and never
 * becomes a string of a million characters, which costs more than decoding it. Wherever it is treated as text, it is one.
 */
export class LongText {
  #ascii: Buffer;
  readonly #onRelease: () => void;

  /** @param onRelease called when the bytes are not needed any more, at most once */
  constructor(ascii: Buffer, onRelease: () => void = () => {}) {
    this.#ascii = ascii;
    this.#onRelease = onRelease;
  }

  get ascii(): Buffer {
    return this.#ascii;
  }

  /** Gives up the bytes; the text is empty from then on. */
  release(): void {
    if (this.#ascii.length === 0) return;
    this.#ascii = Buffer.alloc(0);
    this.#onRelease();
  }

  /** Its first characters after white space. */
  beginning(length: number): string {
    const at = this.#ascii.findIndex((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
    return at < 0 ? '' : this.#ascii.toString('latin1', at, at + length);
  }

  toString(): string {
    return this.#ascii.toString('latin1');
  }

  toJSON(): string {
    return this.toString();
  }
}
