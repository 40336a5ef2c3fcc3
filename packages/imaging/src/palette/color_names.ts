import { nearestName } from './nearest_name.ts';

/**
 * CSS named colours with their words apart, without doubles; CSS's "darkgray", which is lighter than its "gray", gives
 * way to a dark grey. The last lines are tones that paintings and photographs are full of and CSS has no word for.
 */
const NAMES = `
f0f8ff alice blue, faebd7 antique white, 7fffd4 aquamarine, f0ffff azure, f5f5dc beige,
ffe4c4 bisque, 000000 black, ffebcd blanched almond, 0000ff blue, 8a2be2 blue violet, a52a2a brown,
deb887 burlywood, 5f9ea0 cadet blue, 7fff00 chartreuse, d2691e chocolate, ff7f50 coral,
6495ed cornflower blue, fff8dc cornsilk, dc143c crimson, 00ffff cyan, 00008b dark blue,
008b8b dark cyan, b8860b dark goldenrod, 006400 dark green, bdb76b dark khaki,
8b008b dark magenta, 556b2f dark olive green, ff8c00 dark orange, 9932cc dark orchid,
8b0000 dark red, e9967a dark salmon, 8fbc8f dark sea green, 483d8b dark slate blue,
2f4f4f dark slate grey, 00ced1 dark turquoise, 9400d3 dark violet, ff1493 deep pink,
00bfff deep sky blue, 696969 dim grey, 1e90ff dodger blue, b22222 firebrick, fffaf0 floral white,
228b22 forest green, dcdcdc gainsboro, f8f8ff ghost white, ffd700 gold, daa520 goldenrod,
008000 green, adff2f green yellow, 808080 grey, f0fff0 honeydew, ff69b4 hot pink,
cd5c5c indian red, 4b0082 indigo, fffff0 ivory, f0e68c khaki, e6e6fa lavender,
fff0f5 lavender blush, 7cfc00 lawn green, fffacd lemon chiffon, add8e6 light blue,
f08080 light coral, e0ffff light cyan, fafad2 light goldenrod yellow, 90ee90 light green,
d3d3d3 light grey, ffb6c1 light pink, ffa07a light salmon, 20b2aa light sea green,
87cefa light sky blue, 778899 light slate grey, b0c4de light steel blue, ffffe0 light yellow,
00ff00 lime, 32cd32 lime green, faf0e6 linen, ff00ff magenta, 800000 maroon,
66cdaa medium aquamarine, 0000cd medium blue, ba55d3 medium orchid, 9370db medium purple,
3cb371 medium sea green, 7b68ee medium slate blue, 00fa9a medium spring green,
48d1cc medium turquoise, c71585 medium violet red, 191970 midnight blue, f5fffa mint cream,
ffe4e1 misty rose, ffe4b5 moccasin, ffdead navajo white, 000080 navy, fdf5e6 old lace,
808000 olive, 6b8e23 olive drab, ffa500 orange, ff4500 orange red, da70d6 orchid,
eee8aa pale goldenrod, 98fb98 pale green, afeeee pale turquoise, db7093 pale violet red,
ffefd5 papaya whip, ffdab9 peach puff, cd853f peru, ffc0cb pink, dda0dd plum, b0e0e6 powder blue,
800080 purple, 663399 rebecca purple, ff0000 red, bc8f8f rosy brown, 4169e1 royal blue,
8b4513 saddle brown, fa8072 salmon, f4a460 sandy brown, 2e8b57 sea green, fff5ee seashell,
a0522d sienna, c0c0c0 silver, 87ceeb sky blue, 6a5acd slate blue, 708090 slate grey, fffafa snow,
00ff7f spring green, 4682b4 steel blue, d2b48c tan, 008080 teal, d8bfd8 thistle, ff6347 tomato,
40e0d0 turquoise, ee82ee violet, f5deb3 wheat, ffffff white, f5f5f5 white smoke, ffff00 yellow,
9acd32 yellow green,
4d4d4d dark grey, a6a6a6 ash grey, 242424 charcoal, 3b2a20 dark brown, 6b4f3a umber, 8c7b6b taupe,
b7410e rust, c68a2c ochre, d6a420 mustard, 6d1a2d burgundy, 9aa88a sage, 3f4a2c moss green,
1d2b1f blackish green, 1b2430 ink blue, a98a9b mauve, d8b59b sand, a7714f clay, 2f1b16 blackish brown,
7d8b99 blue grey, 93897c stone, c4b59d parchment, 5a6b53 fern green, c9cfd4 pale grey,
574663 dusky purple, 3b2d44 aubergine, 8a7a99 heather, 6b4d5a dusky plum, 8f6b70 dusky rose, 5c4744 cocoa,
4a5566 dusky blue, 9fb0b5 pale blue grey, 465259 steel grey, 2f3847 gunmetal, 7a6f4f khaki brown
`;

/** Chroma (OKLab) from which a colour has a hue to everyone. */
const HUE_CHROMA = 0.035;

/**
 * The name of the nearest colour in `NAMES` to an 8-bit sRGB colour, 0xRRGGBB. Nothing that plainly has a hue is called
 * grey, black or white.
 */
export const colorName = nearestName({ names: NAMES, neutralChroma: 0.01, hueChromaAt: () => HUE_CHROMA });
