import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Program {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
  /** Of old packages. */
  readonly licenses?: readonly { readonly type?: string }[];
}

/** What a package file contains: a bill of materials (CycloneDX 1.6) and the licences, one text after the other. */
export function billOfMaterials(program: Program, folder: string): { sbom: string; licences: string } {
  const packages = packagesIn(folder);
  const components = packages.map(({ name, version, licence }) => ({
    type: 'library',
    name,
    version,
    licenses: [{ expression: licence }],
    purl: purlOf(name, version),
    'bom-ref': purlOf(name, version),
  }));
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        name: program.name,
        version: program.version,
        licenses: [{ license: { id: program.license } }],
      },
    },
    components,
  };
  const texts = packages.map(
    ({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text.trim()}\n`,
  );
  return { sbom: `${JSON.stringify(sbom, null, 2)}\n`, licences: texts.join(`\n${'-'.repeat(80)}\n\n`) };
}

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Every package in the folder, at whatever depth, by name. @throws Error naming one that states no licence */
function packagesIn(folder: string) {
  const files = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: folder });
  const found = files.flatMap((file) => {
    const { name, version, license, licenses } = JSON.parse(
      readFileSync(join(folder, file), 'utf8'),
    ) as Manifest;
    if (name === undefined || version === undefined) return [];
    const licence = typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type);
    if (!licence) throw new Error(`${name} ${version} states no licence.`);
    return [{ name, version, licence, text: licenceTextIn(join(folder, dirname(file))) }];
  });
  const once = new Map(found.map((entry) => [`${entry.name}@${entry.version}`, entry]));
  return [...once.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** A package without a text of its own is under the one its licence names. */
function licenceTextIn(place: string): string {
  const names = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*', { cwd: place });
  const texts = names
    .filter((name) => /^[^.]*(\.(md|txt|markdown))?$/i.test(name))
    .sort()
    .map((name) => readFileSync(join(place, name), 'utf8'));
  return texts.length > 0 ? texts.join('\n') : 'The package has no text of it.';
}
