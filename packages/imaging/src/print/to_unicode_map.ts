/** Maximum characters per list. ISO 32000-1, 9.10.3, and Adobe Technical Note 5411 */
const LIST_MAX = 100;

/**
 * Writes a ToUnicode CMap. ISO 32000-1, 9.10.3
 * @param bytes of a code: 1 in simple fonts, 2 in composite fonts
 */
export function toUnicodeMap(characters: ReadonlyMap<number, string>, bytes: 1 | 2): string {
  const hex = (value: number): string => value.toString(16).padStart(2 * bytes, '0');
  const rows = [...characters].map(
    ([code, text]) => `<${hex(code)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`,
  );
  const lists: string[] = [];
  for (let at = 0; at < rows.length; at += LIST_MAX) {
    const part = rows.slice(at, at + LIST_MAX);
    lists.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar\n`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<${hex(0)}> <${'ff'.repeat(bytes)}>
endcodespacerange
${lists.join('')}endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}
