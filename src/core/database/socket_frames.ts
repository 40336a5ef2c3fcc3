import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** A statement with 100 records or 500 words of an index has less than 1 MB, and so has an answer with a page of either. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** Writes a value as the structured clone algorithm does, after its length; done when the system has taken it. @throws Error where the other side is gone */
export function writeFrame(socket: Socket, value: unknown): Promise<void> {
  const bytes = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(bytes.length);
  return new Promise((resolve, reject) => {
    socket.cork();
    socket.write(length);
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    socket.uncork();
  });
}

/** The values that arrive, one at a time: nothing is read ahead of whoever takes them. @throws Error where they are none */
export async function* readFrames(socket: Socket): AsyncGenerator<unknown> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let wanted: number | undefined;
  for await (const piece of socket as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    while (bytes >= (wanted ?? LENGTH_BYTES)) {
      const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      const end = wanted ?? LENGTH_BYTES;
      pieces = [all.subarray(end)];
      bytes -= end;
      if (wanted === undefined) {
        wanted = all.readUInt32LE();
        if (wanted > FRAME_BYTES_MAX) throw new Error(`A message has ${wanted} bytes.`);
      } else {
        wanted = undefined;
        yield deserialize(all.subarray(0, end));
      }
    }
  }
}
