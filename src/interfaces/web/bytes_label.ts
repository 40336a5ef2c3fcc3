const STEPS = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

/** "892 kB", "1.2 MB", "40 bytes" */
export function bytesLabel(bytes: number): string {
  const [size, unit] = STEPS.find(([least]) => bytes >= least) ?? [1, 'bytes'];
  const count = bytes / size;
  return `${count < 10 && size > 1e3 ? count.toFixed(1) : Math.round(count)} ${unit}`;
}
