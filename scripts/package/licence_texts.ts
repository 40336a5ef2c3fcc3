import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licence texts that name no owner, with a file of a clone that contains each. */
const COMMON: Readonly<Record<string, string>> = {
  'Apache-2.0': 'LICENSE',
  'LGPL-3.0-or-later': 'node_modules/libheif-js/LICENSE',
  'MPL-2.0': 'node_modules/axe-core/LICENSE',
};

const WITHOUT_WARRANTY =
  'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.';

/** Texts from SPDX, without the line that names the owner. */
const SHORT: Readonly<Record<string, string>> = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:\n\nThe above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.\n\n${WITHOUT_WARRANTY}`,
  ISC: 'Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.\n\nTHE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.',
};

const LICENCE_FILE = /^(licen[cs]e|copying|notice|third.?party)/i;
const PROGRAM_FILE = /\.(m?js|cjs|ts|json|wasm|map)$/;

/**
 * The licence texts in the folder of a package, including those of bundled libraries. Without any, the text
 * of the licence it names, with its owner, and the licence section of its README.
 * @param root a clone, with its development dependencies
 * @throws Error that names a package without a text, under an unknown licence
 */
export function licenceTextOf(
  root: string,
  place: string,
  { name, licence, owner }: { name: string; licence: string; owner: string },
): string {
  const files = globSync('*', { cwd: place, withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name) && !PROGRAM_FILE.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  if (files.length > 0)
    return files.map((file) => readFileSync(join(place, file), 'utf8').trim()).join('\n\n');
  const short = SHORT[licence];
  const common = COMMON[licence];
  if (short) return `Copyright ${owner}\n\n${short}`;
  if (common)
    return [readFileSync(join(root, common), 'utf8').trim(), licensingIn(place)].join('\n\n').trim();
  throw new Error(`${name} has no licence text, and ${licence} is none of those known here.`);
}

/** The licence section of a README, which may cover bundled native libraries. */
function licensingIn(place: string): string {
  const [file] = globSync('README*', { cwd: place });
  const text = file ? readFileSync(join(place, file), 'utf8') : '';
  return /^#+ *Licen[cs]\w*\n[\s\S]*?(?=^# |(?![\s\S]))/m.exec(text)?.[0].trim() ?? '';
}
