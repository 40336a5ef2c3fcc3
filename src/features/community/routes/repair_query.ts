/** `amp;` and its own damaged forms, once or repeated, before a name. */
const DAMAGE = /^(amp(;|%3b|%253b))+/i;

/**
 * Repairs a query in which `&` was escaped as `&amp;` in transit, so that names arrive as `amp;message`. An intact duplicate of a
 * name keeps its value.
 */
export function repairQuery(query: URLSearchParams): URLSearchParams {
  const repaired = new URLSearchParams();
  for (const [name, value] of query) {
    const mended = name.replace(DAMAGE, '');
    const isDamaged = mended !== name;
    if (isDamaged && (mended === '' || query.has(mended))) continue;
    repaired.append(mended, value);
  }
  return repaired;
}
