/** What a label states: a model generated the whole image, or modified an existing one. */
export type LabelKind = 'generated' | 'modified';

interface Words {
  /** The usual abbreviation of "artificial intelligence". */
  readonly acronym: string;
  readonly generated: string;
  readonly modified: string;
}

/** Label texts in the 24 official languages of the EU (Regulation 1/1958, as amended), by ISO 639-1 code. Our own translations. */
export const LABEL_WORDS = {
  bg: { acronym: 'ИИ', generated: 'Създадено с ИИ', modified: 'Променено с ИИ' },
  cs: { acronym: 'AI', generated: 'Vytvořeno pomocí AI', modified: 'Upraveno pomocí AI' },
  da: { acronym: 'AI', generated: 'AI-genereret', modified: 'AI-ændret' },
  de: { acronym: 'KI', generated: 'KI-generiert', modified: 'KI-verändert' },
  el: { acronym: 'ΤΝ', generated: 'Δημιουργήθηκε με ΤΝ', modified: 'Τροποποιήθηκε με ΤΝ' },
  en: { acronym: 'AI', generated: 'AI-generated', modified: 'AI-modified' },
  es: { acronym: 'IA', generated: 'Generado por IA', modified: 'Modificado por IA' },
  et: { acronym: 'TI', generated: 'Loodud TI abil', modified: 'Muudetud TI abil' },
  fi: { acronym: 'AI', generated: 'Tekoälyn luoma', modified: 'Tekoälyn muokkaama' },
  fr: { acronym: 'IA', generated: 'Généré par IA', modified: 'Modifié par IA' },
  ga: { acronym: 'IS', generated: 'Ginte ag IS', modified: 'Athraithe ag IS' },
  hr: { acronym: 'UI', generated: 'Generirala UI', modified: 'Izmijenila UI' },
  hu: { acronym: 'MI', generated: 'MI-vel létrehozva', modified: 'MI-vel módosítva' },
  it: { acronym: 'IA', generated: 'Generato con IA', modified: 'Modificato con IA' },
  lt: { acronym: 'DI', generated: 'Sukurta DI', modified: 'Pakeista DI' },
  lv: { acronym: 'MI', generated: 'Radīts ar MI', modified: 'Pārveidots ar MI' },
  mt: { acronym: 'IA', generated: 'Iġġenerat bl-IA', modified: 'Immodifikat bl-IA' },
  nl: { acronym: 'AI', generated: 'Gemaakt met AI', modified: 'Bewerkt met AI' },
  pl: { acronym: 'AI', generated: 'Wygenerowane przez AI', modified: 'Zmienione przez AI' },
  pt: { acronym: 'IA', generated: 'Gerado por IA', modified: 'Modificado por IA' },
  ro: { acronym: 'IA', generated: 'Generat de IA', modified: 'Modificat de IA' },
  sk: { acronym: 'AI', generated: 'Vytvorené pomocou AI', modified: 'Upravené pomocou AI' },
  sl: { acronym: 'UI', generated: 'Ustvarjeno z UI', modified: 'Spremenjeno z UI' },
  sv: { acronym: 'AI', generated: 'AI-genererad', modified: 'AI-ändrad' },
} as const satisfies Record<string, Words>;

export type LabelLanguage = keyof typeof LABEL_WORDS;
export const LABEL_LANGUAGES = Object.keys(LABEL_WORDS) as [LabelLanguage, ...LabelLanguage[]];

export const LABEL_STYLES = ['icon', 'text'] as const;
export type LabelStyle = (typeof LABEL_STYLES)[number];

export const LABEL_CORNERS = ['top_left', 'top_right', 'bottom_left', 'bottom_right'] as const;
export type LabelCorner = (typeof LABEL_CORNERS)[number];

/** Text of a label: for an icon the acronym, which is larger, then its word. */
export function labelParts({
  style,
  language,
  kind,
}: {
  style: LabelStyle;
  language: LabelLanguage;
  kind: LabelKind;
}): readonly [string, ...string[]] {
  const words = LABEL_WORDS[language];
  if (style === 'text') return [words[kind]];
  // The published icons are in English. In other languages only the basic icon, the acronym alone, may be translated.
  return language === 'en' ? [words.acronym, kind.toUpperCase()] : [words.acronym];
}
