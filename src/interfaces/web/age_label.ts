const STEPS = [
  [86_400_000, 'days'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** Elapsed time since a moment: "3 h", "12 days", "5 s". @param moment ISO 8601 */
export function ageLabel(moment: string, now = Date.now()): string {
  const ms = now - Date.parse(moment);
  const [size, unit] = STEPS.find(([least, name]) => ms >= (name === 'days' ? 2 * least : least)) ?? [
    1_000,
    's',
  ];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}
