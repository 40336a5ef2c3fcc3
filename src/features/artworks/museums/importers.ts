import { chicago } from './chicago.ts';
import { cleveland } from './cleveland.ts';
import { fng } from './fng.ts';
import type { Importer } from './importer.ts';
import { met } from './met.ts';
import { mia } from './mia.ts';
import { mkg } from './mkg.ts';
import type { MuseumName } from './museums.ts';
import { nga } from './nga.ts';
import { paris } from './paris.ts';
import { rijks } from './rijks.ts';
import { smithsonian } from './smithsonian.ts';
import { smk } from './smk.ts';
import { wellcome } from './wellcome.ts';

/** One importer per museum. */
export const IMPORTERS: Record<MuseumName, Importer> = {
  met,
  chicago,
  nga,
  rijks,
  smithsonian,
  cleveland,
  paris,
  smk,
  mia,
  mkg,
  fng,
  wellcome,
};
