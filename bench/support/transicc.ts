import { spawnSync } from 'node:child_process';

/**
 * Colours as littlecms turns them, by its program `transicc`.
 * @param words its arguments, the profiles of both ends among them
 * @param channels numbers a colour has in the end
 * @throws Error where it ends badly or answers too few
 */
export function transicc(
  colors: readonly (readonly number[])[],
  words: readonly string[],
  channels: number,
): number[][] {
  const { status, stdout, stderr } = spawnSync('transicc', ['-n', '-c0', ...words], {
    input: `${colors.map((color) => color.join(' ')).join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`transicc ended with ${status}: ${stderr}`);
  const answers = stdout
    .split('\n')
    .map((line) => (line.match(/-?[\d.]+/g) ?? []).map(Number).slice(-channels))
    .filter(({ length }) => length === channels);
  if (answers.length < colors.length) throw new Error(`transicc answered ${answers.length} colours`);
  return answers.slice(-colors.length);
}
