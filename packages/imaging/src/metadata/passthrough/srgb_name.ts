/** Profiles of sRGB call themselves so, or `c2`; others only mention it. */
export const isSrgbName = (name: string): boolean => /^(sRGB|c2$)/.test(name);
