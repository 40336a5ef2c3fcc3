/** An algorithm on C2PA's list that binds images. */
export interface PublicAlgorithm {
  /** Number of the entry on the list. */
  readonly identifier: number;
  readonly alg: string;
  readonly type: 'watermark' | 'fingerprint';
  readonly maker: string;
}

/**
 * The algorithms for images on the C2PA Soft Binding Algorithm List, as of August 2026: 30 of 53. Source:
 * softbinding-algorithm-list.json of github.com/c2pa-org/softbinding-algorithm-list.
 */
export const PUBLIC_ALGORITHMS: readonly PublicAlgorithm[] = (
  [
    [1, 'com.digimarc.validate.1', 'watermark', 'Digimarc'],
    [2, 'org.atsc.a336', 'watermark', 'ATSC'],
    [3, 'io.iscc.v0', 'fingerprint', 'ISCC'],
    [4, 'com.adobe.trustmark.Q', 'watermark', 'Adobe TrustMark'],
    [5, 'com.adobe.trustmark.C', 'watermark', 'Adobe TrustMark'],
    [6, 'com.adobe.icn.dense', 'fingerprint', 'Adobe'],
    [7, 'ai.steg.api', 'watermark', 'Steg.AI'],
    [8, 'ai.trufo.pawprint.watermark', 'watermark', 'Trufo'],
    [9, 'ai.trufo.pawprint.fingerprint', 'fingerprint', 'Trufo'],
    [10, 'app.overlai.watermark.1', 'watermark', 'Overlai'],
    [12, 'castLabs.watermark.1', 'watermark', 'castLabs'],
    [13, 'com.adobe.trustmark.P', 'watermark', 'Adobe TrustMark'],
    [14, 'com.imatag.lamark.v1', 'watermark', 'Imatag'],
    [15, 'com.nagra.nexguard.watermark.1', 'watermark', 'NAGRA NexGuard'],
    [16, 'com.mentaport.watermark.1', 'watermark', 'Mentaport'],
    [17, 'com.digicaps.fingerprint.1', 'fingerprint', 'DigiCAP'],
    [19, 'com.microsoft.invismark.1', 'watermark', 'Microsoft InvisMark'],
    [21, 'ai.contentlens.image.basewmk', 'watermark', 'ContentLens'],
    [22, 'ai.contentlens.image.ensemblewmk', 'watermark', 'ContentLens'],
    [23, 'ai.contentlens.image.customwmk', 'watermark', 'ContentLens'],
    [26, 'es.lumatrace', 'watermark', 'LumaTrace'],
    [27, 'com.markany.watermark.1', 'watermark', 'MarkAny'],
    [31, 'com.aiwatermark.pixelseal.1', 'watermark', 'AIWatermark'],
    [33, 'eu.sasha.softbinding.v1', 'watermark', 'Sasha'],
    [34, 'ai.verda.watermark.image.1', 'watermark', 'VerdaAI'],
    [45, 'io.blockfact.audio.watermark.32', 'watermark', 'BlockFact'],
    [48, 'com.joinmonolith.sha256', 'fingerprint', 'Monolith'],
    [49, 'com.museblossom.contentsdefence.1', 'watermark', 'Muse Blossom'],
    [50, 'me.reconize.videoseal.1', 'watermark', 'Reconize'],
    [51, 'io.diker.sigi.v1', 'watermark', 'Okeanos'],
  ] as const
).map(([identifier, alg, type, maker]) => ({ identifier, alg, type, maker }));

export const publicAlgorithm = (alg: string): PublicAlgorithm | undefined =>
  PUBLIC_ALGORITHMS.find((known) => known.alg === alg);
