/**
 * Visible outlines, closed or open, of which a path may have several; circles and rectangles count as one, clip paths and the fading discs they
 * clip as none.
 * @param svg whose paths start with an `M` or `m` for each outline
 */
export function countOutlines(svg: string): number {
  const drawn = svg.replace(/<clipPath\b.*?<\/clipPath>/gs, '');
  const paths = [...drawn.matchAll(/ d="([^"]*)"/g)].map(([, path]) => path!.match(/m/gi)?.length ?? 0);
  const shapes = drawn.match(/<(?:circle|ellipse|rect|line|polygon)\b(?![^>]*\burl\()/g)?.length ?? 0;
  return paths.reduce((sum, each) => sum + each, shapes);
}
