/** Bounds of one JSON text. Long strings count towards `values` and `escapes` alone. */
export interface JsonLimits {
  /** Objects, arrays, strings, numbers and literals together. */
  readonly values: number;
  /** Member names of all objects together. */
  readonly names: number;
  readonly namesPerObject: number;
  /** Arrays and objects around a value. */
  readonly depth: number;
  /** Bytes beside long strings. */
  readonly structureBytes: number;
  /** Escape sequences of all strings together. */
  readonly escapes: number;
}

/** A longer string is skipped with a byte search, and not counted as structure. */
export const LONG_STRING_BYTES = 64 * 1024;

/**
 * For text of any client. Distinct names cost most: V8 interns each one and turns an object of that many into a hash table, so that
 * 1,000 names in one object cost about as much as 10,000 numbers. Escapes: 25 MB of base64 in which every slash is escaped has 550,000.
 */
export const JSON_LIMITS: JsonLimits = {
  values: 20_000,
  names: 5_000,
  namesPerObject: 1_000,
  depth: 64,
  structureBytes: 1024 * 1024,
  escapes: 1_000_000,
};
