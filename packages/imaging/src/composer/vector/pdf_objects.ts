import { createHash } from 'node:crypto';
import { createPdfFile } from '../../print/pdf_file.ts';
import { memorySink } from '../../print/sheet_file.ts';

/** The objects of a file, numbered from 1. */
export class PdfObjects {
  readonly #bodies: (string | Uint8Array)[] = [];

  reserve(): number {
    return this.#bodies.push('null');
  }

  put(number: number, body: string | Uint8Array): void {
    this.#bodies[number - 1] = body;
  }

  add(body: string | Uint8Array): number {
    return this.#bodies.push(body);
  }

  write(shape: { catalog: number; info: number }): Buffer {
    const sink = memorySink();
    const file = createPdfFile(sink, { objects: this.#bodies.length + 1, ...shape });
    const hash = createHash('sha256');
    for (const [at, body] of this.#bodies.entries()) {
      file.object(at + 1, body);
      hash.update(body);
    }
    file.finish(hash.digest('hex').slice(0, 32));
    return Buffer.concat(sink.pieces);
  }
}
