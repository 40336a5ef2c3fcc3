import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { licenceTextOf } from './licence_texts.ts';

interface Program {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
  /** Form of old packages. */
  readonly licenses?: readonly { readonly type?: string }[];
  readonly author?: string | { readonly name?: string };
}

/**
 * Describes the contents of a package file: a bill of materials (CycloneDX 1.6), and the licence texts,
 * preceded by the notices about models and images.
 * @param root the clone it is made from
 */
export function billOfMaterials(
  program: Program,
  folder: string,
  root: string,
): { sbom: string; licences: string } {
  const packages = packagesIn(folder, root);
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
  const notice = readFileSync(join(root, 'NOTICE'), 'utf8');
  const head = `${program.name} ${program.version} (${program.license}); what lies inside it has these licences.\n\n${notice}`;
  const licences = [head, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
  return { sbom: `${JSON.stringify(sbom, null, 2)}\n`, licences };
}

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/**
 * Every package in the folder, at any depth, by name. @throws Error that names a package without a licence
 */
function packagesIn(folder: string, root: string) {
  const files = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: folder });
  const found = files.flatMap((file) => {
    const { name, version, license, licenses, author } = JSON.parse(
      readFileSync(join(folder, file), 'utf8'),
    ) as Manifest;
    if (name === undefined || version === undefined) return [];
    const licence = typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type);
    if (!licence) throw new Error(`${name} ${version} states no licence.`);
    const owner = (typeof author === 'string' ? author : author?.name) || `the authors of ${name}`;
    const text = licenceTextOf(root, join(folder, dirname(file)), { name, licence, owner });
    return [{ name, version, licence, text }];
  });
  const once = new Map(found.map((entry) => [`${entry.name}@${entry.version}`, entry]));
  return [...once.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
