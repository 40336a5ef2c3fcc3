/** A colour of a palette. */
export interface Swatch {
  /** "#1144aa" */
  readonly hex: string;
  readonly rgb: { readonly r: number; readonly g: number; readonly b: number };
  /** Part of the visible picture in percent. */
  readonly percentage: number;
  readonly name: string;
}
