/** Additional attacks that are reported but not promised: failing only these does not make a watermark less robust. */
export const HARDER_ATTACKS: ReadonlySet<string> = new Set(['avif_50', 'screenshot_75', 'crop_to_quarter']);
