import { crc32 } from 'node:zlib';
import type { Tensors } from '@atelier/imaging/onnx/tensors.ts';

/** A PyTorch checkpoint of 32-bit floats, in the layout of `torch.save({root: tensors})`. */
export function writePth(tensors: Tensors, root = 'params_ema'): Uint8Array {
  const names = [...tensors.keys()];
  const pickle = Buffer.concat([
    Buffer.from('\x80\x02}', 'latin1'),
    text(root),
    global('collections', 'OrderedDict'),
    Buffer.from(')R('),
    ...names.flatMap((name, key) => [text(name), tensor(tensors.get(name)!.shape, key)]),
    Buffer.from('us.'),
  ]);
  return zip({
    'archive/data.pkl': pickle,
    ...Object.fromEntries(
      names.map((name, key) => [`archive/data/${key}`, bytesOf(tensors.get(name)!.data)]),
    ),
    'archive/version': Buffer.from('3\n'),
  });
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Opcodes for a text, a number, a tuple of numbers, an import. */
export const text = (value: string) =>
  Buffer.concat([Buffer.from('X'), uint32(Buffer.byteLength(value)), Buffer.from(value)]);
const int = (value: number) => Buffer.concat([Buffer.from('J'), uint32(value)]);
const tuple = (values: readonly number[]) =>
  Buffer.concat([Buffer.from('('), ...values.map(int), Buffer.from('t')]);
export const global = (module: string, name: string) => Buffer.from(`c${module}\n${name}\n`);

function tensor(shape: readonly number[], key: number): Buffer {
  const elements = shape.reduce((product, side) => product * side, 1);
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, side) => product * side, 1));
  return Buffer.concat([
    global('torch._utils', '_rebuild_tensor_v2'),
    Buffer.from('(('),
    text('storage'),
    global('torch', 'FloatStorage'),
    text(String(key)),
    text('cpu'),
    int(elements),
    Buffer.from('tQ'),
    int(0),
    tuple(shape),
    tuple(strides),
    Buffer.from('\x89', 'latin1'),
    global('collections', 'OrderedDict'),
    Buffer.from(')RtR'),
  ]);
}

/** An archive with stored files; `method` declares another compression. */
export function zip(files: Record<string, Uint8Array>, method = 0): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const sizes = [uint32(crc32(content)), uint32(content.length), uint32(content.length)];
    const head = [uint16(0), uint16(method), uint32(0), ...sizes, uint16(Buffer.byteLength(name))];
    const local = [
      uint32(0x04034b50),
      uint16(20),
      ...head,
      uint16(0),
      Buffer.from(name),
      Buffer.from(content),
    ];
    const rest = [uint16(0), uint16(0), uint16(0), uint16(0), uint32(0), uint32(at), Buffer.from(name)];
    directory.push(Buffer.concat([uint32(0x02014b50), uint16(20), uint16(20), ...head, ...rest]));
    locals.push(Buffer.concat(local));
    at += locals.at(-1)!.length;
  }
  const count = uint16(directory.length);
  const bytes = Buffer.concat(directory).length;
  const end = [uint32(0x06054b50), uint16(0), uint16(0), count, count, uint32(bytes), uint32(at), uint16(0)];
  return Buffer.concat([...locals, ...directory, ...end]);
}

function uint16(value: number): Buffer {
  return Buffer.from(Uint16Array.of(value).buffer);
}
function uint32(value: number): Buffer {
  return Buffer.from(Uint32Array.of(value).buffer);
}
