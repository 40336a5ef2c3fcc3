/** One word of a POSIX shell, whatever it contains. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
