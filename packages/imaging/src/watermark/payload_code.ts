/**
 * Predicts the next bit of a text from the bytes before it: six context models, for the last zero to four bytes and for the current word, mixed by
 * adaptive weights. Integers only, so that every machine predicts the same. M. Mahoney, Adaptive Weighing of Context Models for Lossless Data
 * Compression (2005).
 */
class TextModel {
  private readonly models = Array.from({ length: MODELS }, () => ({
    chances: new Uint16Array(SLOTS).fill(32768),
    seen: new Uint8Array(SLOTS),
    context: 0,
    slot: 0,
    logit: 0,
  }));
  private readonly weights = new Int32Array(MODELS).fill(24000);
  private readonly last = new Uint8Array(4);
  private word = 0;
  /** The bits of the current byte after a leading 1. */
  private node = 1;
  private predicted = 2048;

  constructor() {
    this.enter();
    for (const byte of Buffer.from(USUAL_TEXT))
      for (let bit = 7; bit >= 0; bit--) this.learn((byte >> bit) & 1);
  }

  /** Probability that the next bit is 1, in 4096ths, from 1 to 4095. */
  get chance(): number {
    return this.predicted;
  }

  learn(bit: number): void {
    const error = ((bit << 12) - this.predicted) * 7;
    this.models.forEach((model, index) => {
      this.weights[index]! += (model.logit * error + 0x2000) >> 14;
      const count = model.seen[model.slot]!;
      const chance = model.chances[model.slot]!;
      model.chances[model.slot] = chance + Math.trunc(((bit ? 65535 : 0) - chance) / (count + 1.5));
      if (count < SEEN_MAX) model.seen[model.slot] = count + 1;
    });
    this.node = (this.node << 1) | bit;
    if (this.node > 255) this.endByte(this.node & 255);
    this.enter();
  }

  private endByte(byte: number): void {
    this.last.copyWithin(1, 0, 3);
    this.last[0] = byte;
    const isLetter = (byte | 32) >= 97 && (byte | 32) <= 122;
    this.word = isLetter ? Math.imul(this.word + (byte | 32), 0x2f0b4c47) : 0;
    this.node = 1;
    let context = 0;
    this.models.forEach((model, order) => {
      if (order > 0 && order < MODELS - 1)
        context = Math.imul(context + this.last[order - 1]! + 1, 0x3d4d51cb) ^ order;
      model.context = order === MODELS - 1 ? this.word ^ 0x5bd1 : context;
    });
  }

  /** Looks up and mixes the predictions of the models for the next bit. */
  private enter(): void {
    let sum = 0;
    this.models.forEach((model, index) => {
      const hash = Math.imul(model.context ^ Math.imul(this.node, 0x9e3779b1), 0x85ebca6b);
      model.slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
      model.logit = LOGITS[model.chances[model.slot]! >> 4]!;
      sum += model.logit * this.weights[index]!;
    });
    this.predicted = Math.max(1, Math.min(4095, chanceOf(Math.trunc(sum / 65536))));
  }
}

const MODELS = 6;
const SLOTS = 2 ** 16;
/** A context seen more often changes less per bit. */
const SEEN_MAX = 40;
/** 4096 / (1 + e^-x) for x from -8 to 8 in halves. */
const SIGMOID = Int32Array.from({ length: 33 }, (_, index) =>
  Math.round(4096 / (1 + Math.exp(8 - index / 2))),
);

/** @param logit in 256ths */
function chanceOf(logit: number): number {
  if (logit >= 2047) return 4095;
  if (logit <= -2047) return 1;
  const at = (logit + 2048) >> 7;
  const part = (logit + 2048) & 127;
  return (SIGMOID[at]! * (128 - part) + SIGMOID[at + 1]! * part) >> 7;
}

/** The inverse of `chanceOf`. */
const LOGITS = (() => {
  const logits = new Int16Array(4096);
  let filled = 0;
  for (let logit = -2047; logit <= 2047; logit++)
    for (const chance = chanceOf(logit); filled <= chance; filled++) logits[filled] = logit;
  return logits.fill(2047, filled);
})();

/** Text that primes the model before the first byte of a payload, typical of watermarks. Every watermark depends on every letter of it. */
const USUAL_TEXT = `0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ
https://www.example.com/gallery/artworks/2025/untitled-1.html https://example.org/p?id=1234567890 http://example.net/
(c) 2024 by the artist. Copyright © 2026 All rights reserved. contact@example.com, licence: CC BY-NC 4.0, CC0 public domain
{"title":"The garden at night","artist":"Maria","year":"2023","id":"a1b2c3d4","url":"https://"}
{"creator": "", "owner": "0x52908400098527886e0f7030069857d2e4169ee7", "license": "all rights reserved", "date": "2026-01-15T10:30:00Z"}
urn:uuid:6ba7b810-9dad-41d1-80b4-00c04fd430c8 ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi doi:10.1000/182
This image was made by an artist and may not be used for training of AI models without the permission of the author.
The work is one of a series of prints and paintings that show the light on the water in the morning, and the people there.
Made with AI, generated image. Not for resale. Order number 10024, customer, invoice, sample, draft, proof, confidential, do not share.
It is not for sale; please ask the photographer before you use this picture in a book, on a page or in an advertisement.
Photo: Anna Schmidt, Berlin, Germany. Bild von der Künstlerin, alle Rechte vorbehalten. Œuvre de l'artiste, tous droits réservés.
Edition 3 of 25, signed and numbered. Prompt: a portrait of a woman with a blue hat, oil on canvas, in the style of the 19th century, highly detailed.
Registered on 12 March 2025 with number 7f3e9a0c. Owned by John, sent to the client for review only. Version 2.0, project: website, user: admin, key: value
`;

/** Ends a payload: a byte that never occurs in UTF-8. */
const END = 0xff;
/** Maximum bytes of a payload of 256 characters. */
const BYTES_MAX = 1024;

/**
 * Compresses a text by arithmetic coding with the text model: about 2 to 4 bits per letter of plain English, 6.5 for random letters and digits. The
 * bits may be followed by any number of zeros.
 */
export function encodePayload(text: string): Uint8Array {
  const model = new TextModel();
  const bits: number[] = [];
  let [low, high] = [0, 0xffffffff];
  for (const byte of [...Buffer.from(text, 'utf8'), END]) {
    for (let place = 7; place >= 0; place--) {
      const bit = (byte >> place) & 1;
      const split = splitOf(low, high, model.chance);
      if (bit) high = split;
      else low = split + 1;
      model.learn(bit);
      while (((low ^ high) & 0x80000000) === 0) {
        bits.push(high >>> 31);
        [low, high] = [(low << 1) >>> 0, ((high << 1) | 1) >>> 0];
      }
    }
  }
  return Uint8Array.from([...bits, ...shortestBetween(low, high)]);
}

/** The text encoded by the bits; undefined if they are invalid. */
export function decodePayload(bits: Uint8Array): string | undefined {
  const model = new TextModel();
  const bytes: number[] = [];
  let [low, high, value, at] = [0, 0xffffffff, 0, 0];
  const next = () => bits[at++] ?? 0;
  for (let count = 0; count < 32; count++) value = ((value << 1) | next()) >>> 0;
  while (bytes.length <= BYTES_MAX) {
    let byte = 0;
    for (let place = 0; place < 8; place++) {
      const split = splitOf(low, high, model.chance);
      const bit = value <= split ? 1 : 0;
      if (bit) high = split;
      else low = split + 1;
      model.learn(bit);
      byte = (byte << 1) | bit;
      while (((low ^ high) & 0x80000000) === 0) {
        [low, high] = [(low << 1) >>> 0, ((high << 1) | 1) >>> 0];
        value = ((value << 1) | next()) >>> 0;
      }
    }
    if (byte === END) return textOf(bytes);
    bytes.push(byte);
  }
  return undefined;
}

/** Last number of the subinterval for a 1. */
function splitOf(low: number, high: number, chance: number): number {
  const range = high - low;
  return low + Math.floor(range / 4096) * chance + Math.floor(((range % 4096) * chance) / 4096);
}

/** The shortest bit string that, followed by zeros, lies in the interval. */
function shortestBetween(low: number, high: number): number[] {
  for (let length = 0; length <= 32; length++) {
    const unit = 2 ** (32 - length);
    const number = Math.ceil(low / unit) * unit;
    if (number <= high)
      return Array.from({ length }, (_, place) => Math.floor(number / 2 ** (31 - place)) % 2);
  }
  return [];
}

function textOf(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
