import type { Variant } from '@atelier/imaging/variants/make_variants.ts';

/** Month of the last comparison of all sizes with their sources. */
export const SIZES_OF = '2026-11';

/** A size required by a platform or specification. */
export interface SetVariant extends Variant {
  /** URL of the requirement. */
  readonly source: string;
}

const JPEG = { format: 'jpeg', quality: 85 } as const;
const social = (name: string, width: number, height: number, source: string): SetVariant => ({
  name: `${name}.jpg`,
  width,
  height,
  ...JPEG,
  source,
});
const icon = (name: string, side: number, source: string, more: Partial<Variant> = {}): SetVariant => ({
  name,
  width: side,
  height: side,
  format: 'png',
  margin: 0.04,
  source,
  ...more,
});
/** Shops require the product alone in the main image, filling about 85 % of the frame. */
const shop = (name: string, width: number, height: number, source: string): SetVariant => ({
  name: `${name}.jpg`,
  width,
  height,
  format: 'jpeg',
  quality: 90,
  margin: 0.07,
  source,
});
const email = (name: string, width: number, height: number | undefined): SetVariant => ({
  name: `${name}.jpg`,
  width,
  height,
  ...JPEG,
  source:
    'Mailchimp, "Image requirements for templates": templates are 600 px wide; twice that for dense screens',
});
const responsive = (width: number): SetVariant => ({
  name: `image-${width}.webp`,
  width,
  format: 'webp',
  source:
    'HTML Standard, 4.8.3 "Images": srcset with width descriptors; widths of common viewports at one and two pixels a CSS pixel',
});

const HTML = 'HTML Standard, 4.6.7.8 "Link type icon"; browsers ask for /favicon.ico';
const TOUCH = 'Apple, Safari Web Content Guide, "Configuring Web Applications": 180 px on iPhone';
const MANIFEST = 'web.dev, "Add a web app manifest": 192 and 512 px';
const MASKABLE =
  'W3C, Web Application Manifest, "Icon masks and safe zone": a circle with 40 % of the side as radius';
const IOS = 'Apple, Human Interface Guidelines, "App icons": 1024 px, opaque';
const ANDROID = 'Android Developers, "Support different pixel densities": launcher icons of 48 dp';
const ADAPTIVE = 'Android Developers, "Adaptive icons": 108 dp, of which the inner 66 dp are safe';
const PLAY = 'Google Play Console Help, "Preview assets": icon of 512 px';
/** The square inside a circle of 40 % radius has sides of 57 %; inside 66 of 108 dp, of 43 %: logos are rarely square to the corners. */
const SAFE = { maskable: 0.18, adaptive: 0.24 };

/** The sets, by name. */
export const VARIANT_SETS = {
  social: [
    social('open-graph', 1200, 630, 'Meta for Developers, "Images in link shares": 1200 × 630'),
    social('x-card', 1200, 600, 'X Developers, "Summary with large image": 2:1'),
    social('x-header', 1500, 500, 'X Help, "How to customize your profile": 1500 × 500'),
    social(
      'profile',
      400,
      400,
      'X Help, "How to customize your profile": 400 × 400; LinkedIn Help: from 400 × 400',
    ),
    social('instagram-square', 1080, 1080, 'Instagram Help, "Image resolution": up to 1080 px wide'),
    social('instagram-portrait', 1080, 1350, 'Instagram Help, "Image resolution": 4:5'),
    social('story', 1080, 1920, 'Meta Business Help, "Stories": 9:16, 1080 × 1920'),
    social('linkedin-post', 1200, 627, 'LinkedIn Help, "Image specifications": 1.91:1, 1200 × 627'),
    social('pinterest-pin', 1000, 1500, 'Pinterest Business Help, "Pin specs": 2:3, 1000 × 1500'),
    social('youtube-thumbnail', 1280, 720, 'YouTube Help, "Add video thumbnails": 1280 × 720'),
    social('facebook-cover', 851, 315, 'Facebook Help, "Cover photo dimensions": 851 × 315'),
  ],
  favicon: [
    icon('favicon.ico', 48, HTML, { format: 'ico' }),
    icon('favicon-32.png', 32, HTML),
    icon('apple-touch-icon.png', 180, TOUCH, { isOpaque: true, margin: 0.08 }),
    icon('icon-192.png', 192, MANIFEST),
    icon('icon-512.png', 512, MANIFEST),
    icon('icon-maskable-512.png', 512, MASKABLE, { isOpaque: true, margin: SAFE.maskable }),
  ],
  app_icons: [
    icon('ios/AppIcon-1024.png', 1024, IOS, { isOpaque: true, margin: 0.08 }),
    ...Object.entries({ mdpi: 48, hdpi: 72, xhdpi: 96, xxhdpi: 144, xxxhdpi: 192 }).map(([density, side]) =>
      icon(`android/mipmap-${density}/ic_launcher.png`, side, ANDROID),
    ),
    icon('android/mipmap-xxxhdpi/ic_launcher_foreground.png', 432, ADAPTIVE, { margin: SAFE.adaptive }),
    icon('android/play-store-512.png', 512, PLAY, { margin: 0.08 }),
  ],
  shop: [
    shop(
      'amazon',
      2000,
      2000,
      'Amazon Seller Central, "Product image guide": zoom from 1,000 px, best from 1,600',
    ),
    shop('shopify', 2048, 2048, 'Shopify Help, "Product media types": 2048 × 2048'),
    shop('etsy', 3000, 2250, 'Etsy Help, "Image requirements": 2,000 px on the shorter side; thumbnails 4:3'),
    shop('ebay', 1600, 1600, 'eBay Help, "Picture requirements": 1,600 px on the longest side'),
    shop('thumbnail', 400, 400, 'No platform: for lists of a shop of your own'),
  ],
  email: [
    email('email-600', 600, undefined),
    email('email-600@2x', 1200, undefined),
    email('email-header', 600, 200),
    email('email-header@2x', 1200, 400),
  ],
  responsive: [320, 640, 960, 1280, 1920, 2560].map(responsive),
} as const satisfies Readonly<Record<string, readonly SetVariant[]>>;

export type VariantSet = keyof typeof VARIANT_SETS;
export const VARIANT_SET_NAMES = Object.keys(VARIANT_SETS) as [VariantSet, ...VariantSet[]];
