import { roundTo } from '../../pixels/round_to.ts';
import type { ANALYSIS_FIELDS, Basis, Section } from '../analysis_fields.ts';
import type { NamedColor } from '../measure_color.ts';

export type FactValue = string | number | readonly string[] | readonly ColorShare[];
export interface ColorShare {
  readonly hex: string;
  readonly name: string;
  readonly share_pct: number;
}

/** A statement about an image, with its basis and confidence, 0 to 1. */
export interface Fact {
  readonly value: FactValue;
  readonly basis: Basis;
  readonly confidence: number;
  /** If the value combines several statements: the basis of each, in order. */
  readonly statements?: Basis[];
  /** The models that detected it, if other than the engine. */
  readonly by?: string;
  /** Ids of terms in the value, in public vocabularies. */
  readonly ids?: Readonly<Record<string, TermIds>>;
}

/** Getty's Art & Architecture Thesaurus ("300265960") and Wikidata ("Q147"). */
export interface TermIds {
  readonly aat?: string;
  readonly wikidata?: string;
}

/** Known facts; unknown fields are absent. */
export type Facts = { readonly [S in Section]: { readonly [F in keyof (typeof ANALYSIS_FIELDS)[S]]?: Fact } };

export const measuredFact = (value: FactValue, confidence = 0.9): Fact => ({
  value,
  basis: 'measured',
  confidence: roundTo(confidence, 2),
});

/** Drops undefined members. */
export const dropUndefined = <T extends Record<string, Fact | undefined>>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as {
    [K in keyof T]?: Fact;
  };

export const percent = (part: number): number => roundTo(100 * part, 1);

export const colorShares = (palette: readonly NamedColor[]): ColorShare[] =>
  palette.map(({ hex, name, share }) => ({ hex, name, share_pct: share }));

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The text of a fact; empty if unknown. */
export const oneText = (fact: Fact | undefined): string => (fact === undefined ? '' : String(fact.value));

/** The texts of a fact; empty if unknown. */
export const texts = (fact: Fact | undefined): string[] =>
  Array.isArray(fact?.value) ? fact.value.map(String) : [];
