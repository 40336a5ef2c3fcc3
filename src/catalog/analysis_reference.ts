import { ANALYSIS_FIELDS, type AnalysisField, SECTIONS } from '@atelier/imaging/analysis/analysis_fields.ts';

/** Every field of a full analysis by section, as Markdown. */
export function analysisReference(): string {
  const count = SECTIONS.reduce((sum, section) => sum + Object.keys(ANALYSIS_FIELDS[section]).length, 0);
  const sections = SECTIONS.map((section) => {
    const rows = Object.entries<AnalysisField>(ANALYSIS_FIELDS[section]).map(
      ([name, { kind, from, about }]) => `| \`${name}\` | ${KINDS[kind]} | ${from.join(', ')} | ${about} |`,
    );
    return `## ${section}\n\n| Field | Type | Known by | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [
    '# Fields of an analysis\n',
    `${count} fields in ${SECTIONS.length} sections, returned by \`enrich_metadata\` in tier premium and by \`get_artwork_oracle\`. Each is \`{value, basis, confidence}\`; unknown fields are absent. [Descriptions](../concepts/enrichment.md#basis-and-confidence-of-each-field) explains each basis.\n`,
    ...sections,
  ].join('\n');
}

const KINDS: Record<AnalysisField['kind'], string> = {
  text: 'text',
  texts: 'list of text',
  number: 'number',
  colors: 'list of {hex, name, share_pct}',
};
