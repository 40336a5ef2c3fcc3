/** The profiles in `shipped/`, and the registered printing condition each describes. */
export const SHIPPED_PROFILES = {
  coated_fogra39: 'FOGRA39',
  uncoated_fogra29: 'FOGRA29',
  coated_gracol2006: 'CGATS TR 006',
} as const;
