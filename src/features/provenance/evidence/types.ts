import type { FileClaims } from '@atelier/imaging/metadata/read_metadata.ts';
import type { AiOrigin } from '@atelier/imaging/metadata/rights/origin.ts';
import type { PolicyStatement } from '@atelier/imaging/metadata/rights/policy.ts';
import type { ManifestReading } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import type { Survival } from '@atelier/imaging/watermark/attacks.ts';
import type { PixelControl } from '../../../core/workers/types.ts';
import type { MarkJudgement } from '../marks/types.ts';
import type { SoulmarkReading } from '../soulmarks/soulmarks.ts';

/** What a file states about rights and AI, and which legal measures that meets. */
export interface Evidence {
  /**
   * Reads every layer of an image.
   * @throws AtelierError of the pixel engine
   */
  read(bytes: Uint8Array, control: PixelControl, layers: Layers): Promise<Readings>;
  /** Undefined for a file without statements about rights. */
  policyIn(readings: Readings): Policy | undefined;
  /** What the layers say about AI, and whether they agree. */
  markedAsAi(readings: Partial<Readings>): MarkedAsAi;
  /** Undefined for a file without a statement that AI made it. */
  sheetFor(readings: Readings, known: Known): EvidenceRow[] | undefined;
  /** Watermarks that name the AI system. */
  readonly marks: {
    /** The payload, and its prefix, which is the same for the same facts regardless of the id. */
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
  /** The payload, read from the pixels or looked up by id; absent without a watermark. */
  readonly text?: string | undefined;
  readonly isLookedUp: boolean;
  readonly falsePositiveProbability: number;
  /** Whether the watermark was made for this image. */
  readonly judged?: MarkJudgement | undefined;
  /** Readability after each attack, measured when the watermark was embedded; absent otherwise. */
  readonly attacks?: Readonly<Record<string, Survival>> | undefined;
}

export interface Policy {
  readonly statements: readonly PolicyStatement[];
  /** Contradictions between layers, one sentence each. */
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
  /** Whether the certificate chains to this server's trust list, or belongs to this server. */
  readonly trust: 'trusted' | 'untrusted' | 'not_checked';
}

export interface MarkedAsAi {
  readonly verdict: 'yes' | 'no_trace' | 'contradictory';
  readonly statements: readonly AiStatement[];
}

/** Facts from outside the file. */
export interface Known {
  /** Copies of the image can be found here by visual similarity. */
  readonly isRegistered: boolean;
  /** The public tool for detecting watermarks. */
  readonly detector: { readonly name: string; readonly isFree: boolean };
}

/** One measure of a law, and whether the file meets it. */
export interface EvidenceRow {
  readonly law: 'eu_code_of_practice' | 'california_sb_942';
  /** Number of the measure or section. */
  readonly measure: string;
  readonly title: string;
  /** Who implements the measure: this server, its operator, or neither. */
  readonly coverage: 'here' | 'operator' | 'not_covered';
  /** not_said: the file contains no statement. */
  readonly status: 'met' | 'not_met' | 'not_said';
  /** What meets the measure, or what is missing. */
  readonly by: string;
  /** How that was determined; null where nothing was found. */
  readonly tested: string | null;
}
