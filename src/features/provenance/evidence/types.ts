import type { FileClaims } from '@atelier/imaging/metadata/read_metadata.ts';
import type { AiOrigin } from '@atelier/imaging/metadata/rights/origin.ts';
import type { PolicyStatement } from '@atelier/imaging/metadata/rights/policy.ts';
import type { ManifestReading } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import type { Survival } from '@atelier/imaging/watermark/embed_watermark.ts';
import type { PixelControl } from '../../../core/workers/types.ts';
import type { MarkJudgement } from '../marks/types.ts';
import type { SoulmarkReading } from '../soulmarks/types.ts';

/** What a file says about rights and about machines, and what that is worth before the law. */
export interface Evidence {
  /** Reads every layer of a picture. @throws AtelierError as pixels do */
  read(bytes: Uint8Array, control: PixelControl, layers: Layers): Promise<Readings>;
  /** Undefined for a file that says nothing about rights. */
  policyIn(readings: Readings): Policy | undefined;
  /** What the layers say about AI, and whether they agree. */
  markedAsAi(readings: Partial<Readings>): MarkedAsAi;
  /** Undefined for a file that says nowhere that a machine made it. */
  sheetFor(readings: Readings, known: Known): EvidenceRow[] | undefined;
  /** Marks in pixels that name the machine. */
  readonly marks: {
    /** The text of one, and its beginning, which is the same for the same facts whatever the id. */
    write(origin: Required<Omit<AiOrigin, 'sourceType'>>): { payload: string; start: string };
    /** Undefined for any other text. */
    read(payload: string): AiOrigin | undefined;
  };
}

export interface Layers {
  /** false: metadata and manifest only, which need no pixels. */
  readonly pixels: boolean;
}

/** Results of reading one file. Fields for readings that did not run are absent. */
export interface Readings {
  readonly claims: FileClaims;
  readonly manifest?: ManifestReading | undefined;
  readonly soulmark?: SoulmarkReading | undefined;
  readonly watermark?: WatermarkReading | undefined;
}

export interface WatermarkReading {
  /** The payload, from the pixels or looked up by the id they hold; absent where there is no mark. */
  readonly text?: string | undefined;
  readonly isLookedUp: boolean;
  readonly falsePositiveProbability: number;
  /** Whether it was made for this picture. */
  readonly judged?: MarkJudgement | undefined;
  /** What was read back after each attack when it was embedded; known only then. */
  readonly attacks?: Readonly<Record<string, Survival>> | undefined;
}

export interface Policy {
  readonly statements: readonly PolicyStatement[];
  /** Places that contradict each other, in a sentence each. */
  readonly conflicts: readonly string[];
}

/** A layer of a file that can say how the image was made. */
export type AiLayer = 'c2pa' | 'iptc' | 'soulmark' | 'watermark' | 'visible_label';

/** One statement about how an image was made. */
export interface AiStatement {
  readonly layer: AiLayer;
  /** true: AI made the image or a part of it. false: the layer names a kind of source without AI. */
  readonly isAi: boolean;
  /** Term of the Digital Source Type vocabulary, or the words of the layer. */
  readonly says: string;
  /** Organisation in the certificate, provider, or credit line. */
  readonly who?: string;
  readonly software?: string;
  /** Action, property or part of the file that says so. */
  readonly place: string;
  readonly signature: 'holds' | 'broken' | 'none';
  /** Whether the signer leads to the trust list of this server, or is this server. */
  readonly trust: 'trusted' | 'untrusted' | 'not_checked';
}

export interface MarkedAsAi {
  readonly verdict: 'yes' | 'no_trace' | 'contradictory';
  readonly statements: readonly AiStatement[];
}

/** What the file itself does not say. */
export interface Known {
  /** Copies of the picture are found here by their looks. */
  readonly isRegistered: boolean;
  /** The tool anybody may ask about marks. */
  readonly detector: { readonly name: string; readonly isFree: boolean };
}

/** One measure of a law, and whether the file meets it. */
export interface EvidenceRow {
  readonly law: 'eu_code_of_practice' | 'california_sb_942';
  /** Number of the measure or section. */
  readonly measure: string;
  readonly title: string;
  /** Who carries the measure out: this server, its operator, or neither. */
  readonly coverage: 'here' | 'operator' | 'not_covered';
  /** not_said: nothing in the file tells. */
  readonly status: 'met' | 'not_met' | 'not_said';
  /** By what it is met, or what is missing. */
  readonly by: string;
  /** How that was found; null where nothing was. */
  readonly tested: string | null;
}
