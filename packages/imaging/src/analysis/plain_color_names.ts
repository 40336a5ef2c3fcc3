import { nearestName } from '../palette/nearest_name.ts';

/**
 * Most vivid tones stand where the colour survey of xkcd (2010, 222,500 people, CC0) has their names; muted ones, of which paintings
 * and photographs are full and the survey is not, between what it calls their neighbours. One name may have several places.
 */
const NAMES = `
e50000 red, ff000d bright red, 840000 dark red, 8f1402 brick red, aa2704 rust red, b9484e dusty red, d9544d pale red,
a03e3a brick red, bb3350 crimson, 8c000f crimson, 650021 maroon, 7a1f33 burgundy, fd411e orange red, c8403a red, ff5050 light red,
ff81c0 pink, ffc4d2 light pink, f6dadd pale pink, cb416b dark pink, ff028d hot pink, cb0162 deep pink, d58a94 dusty pink,
fe7b7c salmon pink, f7879a rose pink, fe01b1 bright pink, c20078 magenta, ff5577 bright pink, ee55cc bright pink, c0508a dark pink, e6a8c4 light pink,
e0489a deep pink, e8c8d8 pale pink, ff99ee light pink, f8a5c8 light pink, d070b0 dusty pink,
f97306 orange, ff5b00 bright orange, c65102 dark orange, fdaa48 light orange, ffbf80 pale orange, d8863b dull orange,
fcb001 yellow orange, ffb07c peach, f5cfb4 pale peach, ff8a60 light orange, cc6636 burnt orange, e28a55 dull orange, ee7722 orange,
653700 brown, 341c02 dark brown, ad8150 light brown, b1916e light brown, 7f2b0a reddish brown, b27a01 golden brown,
be6400 orange brown, 9b7a01 yellow-brown, d1b26f tan, af884a tan, 645403 olive brown, 964e02 brown, 6b4a33 brown, 8a6242 brown,
7d5245 reddish brown, 5a2f26 reddish brown, 3b2a20 dark brown, 4c3a2c dark brown, 241a14 brown-black, 857058 greyish brown,
665744 greyish brown, a58d74 greyish brown, b0806f pinkish brown, c9a079 light brown, 8a7a62 greyish brown, 4a423a dark greyish brown,
f5e12a yellow, ffff14 yellow, ffff84 pale yellow, f7ee9c pale yellow, fffe7a light yellow, d5b60a dark yellow, fec615 golden yellow, d2bd0a mustard yellow,
bf9005 ochre, c08f3f ochre, eecf7a buff, fff2cf cream, f3e6d2 cream, e6daa6 beige, d8c8a8 beige, cdb999 beige, e3d5bf beige, c9c29a pale khaki, aaa662 khaki,
e0b040 golden yellow, b5a030 mustard yellow, fbf3dc ivory, d8e040 greenish yellow,
15b01a green, 033500 dark green, 96f97b light green, c7fdb5 pale green, d8ecd0 pale green, 01ff07 bright green, 89fe05 lime green,
b8e02d yellow-green, 98b83c yellow-green, 677a04 olive green, 83843c olive green, 6e6b34 olive green, 3c4d03 dark olive green, 4a4a22 dark olive green,
33351c dark olive green, 658b38 moss green, 55663a moss green, 06470c forest green, 2f5a2e forest green, 3f9b0b grass green, 7fae4a grass green,
789b73 greyish green, 8a9a7c greyish green, 96a082 sage green, afc0a0 sage green, 53fca1 sea green, 3faf7c sea green, 9af0bd mint green,
c8ecd9 pale green, 11875d sea green, 137e6d blue-green, 00656b teal, 029386 teal, 014d4e dark teal, 06c2ac turquoise, 7fe0d0 light turquoise, 62b8b4 turquoise,
5a6b53 greyish green, 6f7f68 greyish green, 3c4a38 dark greyish green, 2c4a3c dark green, 1d2b1f green-black, 4a6a5a dark greyish green,
4f7f6a blue-green, 7ea798 greyish green, 557a78 greyish teal, 486e6e greyish teal, 3f5553 dark greyish teal, 223636 dark teal, a8c8be pale blue-green, d2ebe2 pale blue-green,
0343df blue, 00035b dark blue, 1a2a6c dark blue, 95d0fc light blue, c4e4f8 pale blue, d5e2ee pale blue, 0165fc bright blue, 75bbfd sky blue,
001146 navy blue, 1c2b4a navy blue, 0504aa royal blue, 5b7c99 steel blue, 4a7f9f steel blue, 6b8ba4 greyish blue, 8497a8 greyish blue, 29465b dark greyish blue,
3c4a60 dark greyish blue, 4a5c72 greyish blue, a4bacd light greyish blue, 5a86ad dusty blue, 5170d7 cornflower blue, 3a55b0 cobalt blue,
00f0f0 cyan, b0f4f4 pale cyan, 01889f teal blue, 607c8e greyish blue, 1b2430 blue-black, 0f1626 blue-black, 06b1c4 turquoise blue, 55b8d0 light blue,
7799dd light blue, 4444cc blue, 5f6fc0 periwinkle blue, 9fb0e8 light blue, 46628a dusty blue, 3e4163 dark dusty blue, 5a5f8a dusty blue,
7e1e9c purple, 35063e dark purple, bf77f6 light purple, b790d4 light purple, be03fd bright purple, 9a0eea violet, 7744ee violet, c79fef lavender, dcd0ec pale lavender,
e4c8f4 pale lavender, b09ad0 lavender, 825f87 dusty purple, 887191 greyish purple, 3d0734 aubergine, 703be7 violet, 380282 indigo, 4b2a8a indigo, a070a8 dusty purple,
6c3461 plum, 54385a dark dusty purple, 3b2d44 aubergine, 6a5acd violet, 8e82fe periwinkle blue, 9030b0 purple, dd66ff light purple, c040e0 bright purple, cc88dd light purple,
ae7181 mauve, 8f6b78 mauve, b79aae mauve, 874c62 dark mauve, 63455a dark mauve, 3e2a32 purple-brown, a03070 plum, 7766dd violet, 5a3a9a violet, 8a7ab0 dusty purple, 574663 dark dusty purple, aa66aa dusty purple,
000000 black, 101010 black, 262626 charcoal grey, 3a3a3a charcoal grey, 555555 dark grey, 6a6a6a dark grey, 828282 grey, 9a9a9a grey, b4b4b4 light grey,
cccccc light grey, e0e0e0 pale grey, f0f0f0 off-white, f6f4f0 off-white, ffffff white, 938d85 warm grey, b5aea4 warm grey, 736d66 warm grey, 55504b dark grey,
7d8790 cool grey, a5aeb6 cool grey, 586068 slate grey, 444c55 slate grey, 2c3036 charcoal grey, d2d6da pale grey, 332f2c charcoal grey, 161412 black, dcd8d0 pale grey,
77ee99 mint green, ff77ff bright pink, 9a8846 yellow-brown, bcbb5a light olive green, ee5566 light red, d84414 orange red, 8f8c60 khaki, cbb65b mustard yellow, c9d96f yellow-green, 2f3f39 dark greyish green,
6a8556 moss green, b3a48c beige, 284b7c dark blue, 4080ba blue
`;

/** Chroma (OKLab) from which a colour has a hue to everyone, in the middle of the scale and in the near-black, where hue is hardly seen. */
const HUE_CHROMA = { inTheMiddle: 0.032, inTheDark: 0.05 };
/** OKLab lightness below which the dark begins. */
const DARK = 0.22;

/**
 * What people call an 8-bit sRGB colour, 0xRRGGBB: the nearest of `NAMES`. Standard names ("linen", "gainsboro") are often
 * names of things: said of an artwork they read as what it is made of. Nothing that plainly has a hue is called grey,
 * black or white.
 */
export const plainColorName = nearestName({
  names: NAMES,
  neutralChroma: 0.018,
  hueChromaAt: (lightness) => (lightness < DARK ? HUE_CHROMA.inTheDark : HUE_CHROMA.inTheMiddle),
});
