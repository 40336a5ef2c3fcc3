import type { PdfDictionary } from './values.ts';

/**
 * Undoes the differences that were taken before packing: predictor 2 is TIFF's, from 10 on each row says which of PNG's it has.
 * ISO 32000-1, 7.4.4.4. Nothing where rows would be of no sensible length.
 */
export function undoPredictor(
  data: Uint8Array,
  parameters: PdfDictionary | undefined,
): Uint8Array | undefined {
  const number = (name: string, otherwise: number): number => {
    const value = parameters?.get(name);
    return typeof value === 'number' ? value : otherwise;
  };
  const predictor = number('Predictor', 1);
  if (predictor < 2) return data;
  const [colors, bits, columns] = [number('Colors', 1), number('BitsPerComponent', 8), number('Columns', 1)];
  const isSensible = [colors, bits, columns].every((value) => Number.isInteger(value) && value > 0);
  const rowBytes = Math.ceil((colors * bits * columns) / 8);
  if (!isSensible || rowBytes > 64 * 1024 * 1024) return undefined;
  const pixelBytes = Math.max(1, (colors * bits) >> 3);
  return predictor === 2
    ? sumAlongRows(data, { rowBytes, pixelBytes, bits })
    : undoPng(data, rowBytes, pixelBytes);
}

/** Of one, two and four bits nothing is undone: no program is known that writes it. */
function sumAlongRows(
  data: Uint8Array,
  { rowBytes, pixelBytes, bits }: { rowBytes: number; pixelBytes: number; bits: number },
): Uint8Array {
  const result = Uint8Array.from(data);
  if (bits !== 8 && bits !== 16) return result;
  for (let row = 0; row < result.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, result.length);
    if (bits === 8)
      for (let at = row + pixelBytes; at < end; at += 1) result[at]! += result[at - pixelBytes]!;
    else
      for (let at = row + pixelBytes; at + 1 < end; at += 2) {
        const left = (result[at - pixelBytes]! << 8) + result[at - pixelBytes + 1]!;
        const sum = (result[at]! << 8) + result[at + 1]! + left;
        result[at] = sum >> 8;
        result[at + 1] = sum;
      }
  }
  return result;
}

/** PNG (ISO 15948) 9.2: none, the left, the upper, the mean of both, or what is nearest to their sum less the upper left. */
function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  const result = new Uint8Array(rows * rowBytes);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (rowBytes + 1);
    const line = data.subarray(from + 1, from + 1 + rowBytes);
    const to = row * rowBytes;
    const kind = data[from]!;
    for (let x = 0; x < line.length; x += 1) {
      const left = x >= pixelBytes ? result[to + x - pixelBytes]! : 0;
      const up = row > 0 ? result[to + x - rowBytes]! : 0;
      const corner = row > 0 && x >= pixelBytes ? result[to + x - rowBytes - pixelBytes]! : 0;
      result[to + x] = line[x]! + predicted(kind, left, up, corner);
    }
  }
  return result;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 0 || kind > 4) return 0;
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
