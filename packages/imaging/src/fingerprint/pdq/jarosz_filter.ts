/**
 * Blurs a picture as PDQ asks before it is thinned out to 64 × 64: two rounds of a running mean along the rows and one along
 * the columns, each about one 128th of that side wide, which together make a tent (Jarosz, "Fast Image Convolutions").
 * Sums are kept in 32-bit floats as in the reference, so that the same bits come out.
 * @param luma row by row; overwritten with the result
 */
export function jaroszFilter(luma: Float32Array, width: number, height: number): void {
  const between = new Float32Array(luma.length);
  for (let round = 0; round < 2; round++) {
    meanAlongRows(luma, between, width, height);
    meanAlongColumns(between, luma, width, height);
  }
}

/** How far a window reaches to both sides of its middle; near the ends of a line the mean is over what there is. */
function reachOf(side: number): { ahead: number; behind: number } {
  const window = Math.trunc((side + 127) / 128);
  const ahead = ((window + 2) >> 1) - 1;
  return { ahead, behind: window - ahead - 1 };
}

const countAt = (at: number, length: number, ahead: number, behind: number): number =>
  Math.min(length - 1, at + ahead) - Math.max(0, at - behind) + 1;

function meanAlongRows(from: Float32Array, to: Float32Array, width: number, height: number): void {
  const { ahead, behind } = reachOf(width);
  for (let row = 0; row < height * width; row += width) {
    let sum = 0;
    for (let at = -ahead; at < width; at++) {
      const [entering, leaving] = [at + ahead, at - behind - 1];
      if (entering < width) sum = Math.fround(sum + from[row + entering]!);
      if (leaving >= 0) sum = Math.fround(sum - from[row + leaving]!);
      if (at >= 0) to[row + at] = sum / countAt(at, width, ahead, behind);
    }
  }
}

/** All columns together, row after row, as they lie in memory. */
function meanAlongColumns(from: Float32Array, to: Float32Array, width: number, height: number): void {
  const { ahead, behind } = reachOf(height);
  const sums = new Float32Array(width);
  for (let at = -ahead; at < height; at++) {
    const [entering, leaving] = [(at + ahead) * width, (at - behind - 1) * width];
    if (at + ahead < height) for (let x = 0; x < width; x++) sums[x]! += from[entering + x]!;
    if (leaving >= 0) for (let x = 0; x < width; x++) sums[x]! -= from[leaving + x]!;
    if (at < 0) continue;
    const count = countAt(at, height, ahead, behind);
    for (let x = 0; x < width; x++) to[at * width + x] = sums[x]! / count;
  }
}
