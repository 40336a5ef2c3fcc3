/** The token of a Bearer header; any other scheme is passed on whole, so that it is refused by name. */
export function bearerOf(header: string | null): string | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  return /^bearer\s/i.test(text) ? text.slice(7).trim() : text;
}
