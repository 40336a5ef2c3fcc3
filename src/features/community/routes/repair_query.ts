/** `amp;` and its own damaged forms, once or several times, in front of a name. */
const DAMAGE = /^(amp(;|%3b|%253b))+/i;

/**
 * Mends a query in which a tool on the way wrote `&amp;` for `&`, so that names arrive as `amp;message`. A name that
 * also came undamaged keeps its own value.
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
