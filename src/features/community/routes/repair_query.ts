/** `amp;` in front of a parameter name, also repeated or percent-encoded. */
const DAMAGE = /^(amp(;|%3b|%253b))+/i;

/**
 * Repairs a query in which `&` was escaped as `&amp;` in transit, so that names arrive as `amp;message`. A
 * parameter whose own name is intact takes precedence.
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
