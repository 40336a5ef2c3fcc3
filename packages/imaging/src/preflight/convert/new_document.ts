import { createPdfFile } from '../../print/pdf_file.ts';
import { memorySink, type Sink } from '../../print/sheet_file.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { isDictionary, type PdfDictionary, PdfStream, type PdfValue, Reference } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { writeStream, writeValue } from './write_value.ts';

/** Maximum objects copied. A catalogue of 500 pages has about 20,000. */
export const OBJECTS_COPIED_MAX = 100_000;

/** Thrown if a file has more than OBJECTS_COPIED_MAX objects. */
export class TooManyObjects extends Error {}

interface NewFile {
  readonly root: Reference;
  readonly info: Reference;
  readonly version: string;
  /** 32 hex digits. */
  readonly documentId: string;
}

/** A new PDF of created objects and of objects copied from another file with everything they refer to. */
export class NewDocument {
  readonly #objects: (PdfValue | undefined)[];
  readonly #source: PdfDocument | undefined;
  readonly #imports: NewDocument[] = [];
  /** New reference of each copied object, by source number. */
  readonly #copied = new Map<number, Reference>();
  readonly #waiting: number[] = [];

  constructor(source?: PdfDocument, objects: (PdfValue | undefined)[] = [undefined]) {
    this.#source = source;
    this.#objects = objects;
  }

  /** Returns a view of this file into which another source is copied. */
  importing(source: PdfDocument): NewDocument {
    const importing = new NewDocument(source, this.#objects);
    this.#imports.push(importing);
    return importing;
  }

  /** @throws TooManyObjects */
  reserve(): Reference {
    if (this.#objects.length > OBJECTS_COPIED_MAX) throw new TooManyObjects();
    this.#objects.push(null);
    return new Reference(this.#objects.length - 1);
  }

  add(value: PdfValue): Reference {
    const reference = this.reserve();
    this.set(reference, value);
    return reference;
  }

  set({ number }: Reference, value: PdfValue): void {
    this.#objects[number] = value;
  }

  /** Maps a source object to an object of this file, so that it is not copied. */
  replace(sourceNumber: number, reference: Reference): void {
    this.#copied.set(sourceNumber, reference);
  }

  /** Copies a value of the source; its references lead to copies. @throws TooManyObjects, WorkBudgetExceeded */
  copy(value: PdfValue | undefined): PdfValue {
    if (value instanceof Reference) return this.#copyOf(value.number);
    if (value instanceof PdfStream) return this.add(this.#inside(value));
    return this.#inside(value ?? null);
  }

  write(file: NewFile): Uint8Array {
    const sink = memorySink();
    this.writeTo(sink, file);
    return Buffer.concat(sink.pieces);
  }

  /** Streams the file, object by object. */
  writeTo(sink: Sink, { root, info, version, documentId }: NewFile): void {
    for (const importing of this.#imports) importing.#finishCopies();
    this.#finishCopies();
    const shape = { objects: this.#objects.length, catalog: root.number, info: info.number, version };
    const file = createPdfFile(sink, shape);
    for (const [number, value] of this.#objects.entries()) {
      if (number === 0) continue;
      file.object(
        number,
        value instanceof PdfStream ? writeStream(value.dictionary, value.raw) : writeValue(value ?? null),
      );
    }
    file.finish(documentId);
  }

  #copyOf(number: number): Reference {
    const known = this.#copied.get(number);
    if (known) return known;
    const reference = this.reserve();
    this.#copied.set(number, reference);
    this.#waiting.push(number);
    return reference;
  }

  #finishCopies(): void {
    for (let number = this.#waiting.pop(); number !== undefined; number = this.#waiting.pop()) {
      const value = this.#source!.resolve(new Reference(number));
      this.set(this.#copied.get(number)!, this.#inside(value));
    }
  }

  #inside(value: PdfValue): PdfValue {
    if (value instanceof PdfStream)
      return new PdfStream(this.#inside(value.dictionary) as PdfDictionary, value.raw);
    if (value instanceof Reference) return this.#copyOf(value.number);
    if (Array.isArray(value)) {
      this.#source?.work.spend(COST.member * value.length);
      return value.map((one) => (typeof one === 'object' ? this.copy(one) : one));
    }
    if (!isDictionary(value)) return value;
    this.#source?.work.spend(COST.entry * value.size);
    return new Map([...value].map(([key, one]) => [key, this.copy(one)]));
  }
}
