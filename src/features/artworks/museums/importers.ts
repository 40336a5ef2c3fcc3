import { chicago } from './chicago.ts';
import { cleveland } from './cleveland.ts';
import type { Importer } from './importer.ts';
import { met } from './met.ts';
import type { MuseumName } from './museums.ts';
import { nga } from './nga.ts';
import { paris } from './paris.ts';
import { rijks } from './rijks.ts';
import { smithsonian } from './smithsonian.ts';

/** One importer a museum. */
export const IMPORTERS: Record<MuseumName, Importer> = {
  met,
  chicago,
  nga,
  rijks,
  smithsonian,
  cleveland,
  paris,
};
