import type { Readable, Writable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/**
 * Values over a pipe: four bytes of length, then the value as the structured clone algorithm writes it. Node's own
 * channel (`fork` with advanced serialization) cost about twice as much on the main thread for a 0.5 MB picture.
 */
export function writeFrame(pipe: Writable, value: unknown): void {
  const body = serialize(value);
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(body.length);
  pipe.cork();
  pipe.write(length);
  pipe.write(body);
  pipe.uncork();
}

/** Calls back with every value that arrives. */
export function onFrame(pipe: Readable, receive: (value: unknown) => void): void {
  let parts: Buffer[] = [];
  let held = 0;
  let wanted = LENGTH_BYTES;
  let isBody = false;

  const take = (): Buffer => {
    const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts, held);
    const taken = all.subarray(0, wanted);
    parts = [all.subarray(wanted)];
    held -= wanted;
    return taken;
  };
  pipe.on('data', (part: Buffer) => {
    parts.push(part);
    held += part.length;
    while (held >= wanted) {
      const taken = take();
      wanted = isBody ? LENGTH_BYTES : taken.readUInt32LE();
      if (isBody) receive(deserialize(taken));
      isBody = !isBody;
    }
  });
}

const LENGTH_BYTES = 4;
