/**
 * Outlines, closed or open, of which a path may have several; circles and rectangles count as one.
 * @param svg whose paths start with an `M` or `m` for each outline
 */
export function countOutlines(svg: string): number {
  const paths = [...svg.matchAll(/ d="([^"]*)"/g)].map(([, path]) => path!.match(/m/gi)?.length ?? 0);
  const shapes = svg.match(/<(circle|ellipse|rect|line|polygon)\b/g)?.length ?? 0;
  return paths.reduce((sum, each) => sum + each, shapes);
}
