import { WeightsError } from '../tensors.ts';
import { PARTS_MAX } from './limits.ts';

/**
 * A table of a FlatBuffers file; its fields are known by their place in the schema and may be left out.
 * Nothing is trusted: whatever points outside the file is a RangeError of the DataView.
 * https://flatbuffers.dev/internals/
 */
export class Table {
  readonly #view: DataView;
  readonly #at: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** The table a file begins with. @throws RangeError for a file too short to have one */
  static root(file: Uint8Array): Table {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    return new Table(view, view.getUint32(0, true));
  }

  byte(field: number, absent = 0): number {
    const at = this.#place(field);
    return at === undefined ? absent : this.#view.getUint8(at);
  }

  int(field: number, absent = 0): number {
    const at = this.#place(field);
    return at === undefined ? absent : this.#view.getInt32(at, true);
  }

  float(field: number, absent = 0): number {
    const at = this.#place(field);
    return at === undefined ? absent : this.#view.getFloat32(at, true);
  }

  table(field: number): Table | undefined {
    const at = this.#place(field);
    return at === undefined ? undefined : new Table(this.#view, this.#follow(at));
  }

  tables(field: number): Table[] {
    return this.#items(field, 4, PARTS_MAX, (at) => new Table(this.#view, this.#follow(at)));
  }

  /** @param max items of a longer list are not even counted out */
  ints(field: number, max: number): number[] {
    return this.#items(field, 4, max, (at) => this.#view.getInt32(at, true));
  }

  floats(field: number, max: number): number[] {
    return this.#items(field, 4, max, (at) => this.#view.getFloat32(at, true));
  }

  longs(field: number, max: number): number[] {
    return this.#items(field, 8, max, (at) => Number(this.#view.getBigInt64(at, true)));
  }

  /** A view of the file, not a copy. */
  bytes(field: number): Uint8Array {
    const [start, length] = this.#list(field);
    if (start + length > this.#view.byteLength) throw new RangeError('a list past the end');
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, length);
  }

  #items<Item>(field: number, size: number, max: number, read: (at: number) => Item): Item[] {
    const [start, length] = this.#list(field);
    if (length > max) throw new WeightsError(`The file lists ${length} parts where ${max} are the most.`);
    return Array.from({ length }, (_, item) => read(start + item * size));
  }

  /** Where a list begins and how many items it says it has; an absent one has none. */
  #list(field: number): [start: number, length: number] {
    const at = this.#place(field);
    if (at === undefined) return [0, 0];
    const list = this.#follow(at);
    return [list + 4, this.#view.getUint32(list, true)];
  }

  #follow = (at: number): number => at + this.#view.getUint32(at, true);

  /** Before its fields a table says where the list of their places is. */
  #place(field: number): number | undefined {
    const places = this.#at - this.#view.getInt32(this.#at, true);
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(places, true)) return undefined;
    const offset = this.#view.getUint16(places + entry, true);
    return offset === 0 ? undefined : this.#at + offset;
  }
}
