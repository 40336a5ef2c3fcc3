import { createHash } from 'node:crypto';

/** Labels of an image in `../shared/images`, assigned by viewing it. */
export interface LabelledPicture {
  /** Below `../shared/images`. */
  readonly path: string;
  /** Legible letters or characters, including signatures and seals. */
  readonly writing: boolean;
  /** An unclothed body of any age and size, including painted ones. */
  readonly nudity: boolean;
  /** A person of any size, including painted, drawn, carved and moulded figures, but not animals. */
  readonly people: boolean;
  /** Thresholds are chosen on one half and reported for the other, which is held back. */
  readonly isHeldBack: boolean;
}

/** w: writing, n: nudity, p: people. Viewed on sheets at 400 pixels, and at full size where in doubt. */
const LABELS: Readonly<Record<string, string>> = {
  artworks: `
    met-10790-asher-brown-durand-in-the-woods.jpg -
    met-11322-john-frederick-kensett-study-of-beeches.jpg -
    met-11854-john-rasmussen-berks-county-almshouse-1880.jpg w
    met-11894-william-trost-richards-indian-summer.jpg -
    met-12727-john-lewis-krimmel-members-of-the-city-troop-and-ot.jpg p
    met-336305-heinrich-aldegrever-ammon-and-jonadab.jpg wp
    met-337510-charles-de-la-fosse-sacrifice-of-iphigenia.jpg p
    met-337929-aertgen-claesz-van-leyden-adoration-of-the-shepherds.jpg p
    met-338607-gaspare-diziani-the-family-of-darius-before-alex.jpg p
    met-39536-wen-zhengming-living-aloft-master-liu-s-retrea.jpg w
    met-39901-han-gan-night-shining-white.jpg w
    met-435641-giovanni-bellini-madonna-and-child.jpg wnp
    met-435740-francois-boucher-allegory-of-autumn.jpg np
    met-435809-pieter-bruegel-the-elder-the-harvesters.jpg p
    met-436090-charles-francois-daubigny-landscape-with-a-sunlit-stream.jpg p
    met-436101-gerard-david-the-rest-on-the-flight-into-egyp.jpg np
    met-436150-edgar-degas-mademoiselle-marie-dihau-1843193.jpg p
    met-436175-eugene-delacroix-basket-of-flowers.jpg -
    met-436243-albrecht-durer-salvator-mundi.jpg p
    met-436282-jan-van-eyck-the-crucifixion-the-last-judgmen.jpg wnp
    met-436323-jean-honore-fragonard-a-woman-with-a-dog.jpg p
    met-436504-giotto-di-bondone-the-adoration-of-the-magi.jpg p
    met-436576-el-greco-the-vision-of-saint-john.jpg np
    met-436620-frans-hals-paulus-verschuur-16061667.jpg p
    met-436660-hans-holbein-the-younger-portrait-of-a-man-in-a-red-cap.jpg p
    met-436850-sir-thomas-lawrence-the-calmady-children-emily-1818.jpg p
    met-437054-hans-memling-virgin-and-child-with-saints-cat.jpg np
    met-437096-jean-francois-millet-garden-scene.jpg wp
    met-437261-joachim-patinir-the-penitence-of-saint-jerome.jpg np
    met-437262-robert-peake-the-elder-henry-frederick-15941612-prince.jpg p
    met-437307-camille-pissarro-poplars-eragny.jpg -
    met-437329-nicolas-poussin-the-abduction-of-the-sabine-wome.jpg p
    met-437371-raphael-the-agony-in-the-garden.jpg p
    met-437398-rembrandt-flora.jpg p
    met-437408-rembrandt-man-in-a-beret.jpg p
    met-437436-auguste-renoir-a-road-in-louveciennes.jpg p
    met-437473-hubert-robert-the-bathing-pool.jpg np
    met-437523-peter-paul-rubens-atalanta-and-meleager.jpg np
    met-437654-georges-seurat-circus-sideshow-parade-de-cirque.jpg p
    met-437680-alfred-sisley-the-bridge-at-villeneuve-la-gare.jpg w
    met-437749-jan-steen-merry-company-on-a-terrace.jpg p
    met-437779-david-teniers-the-younger-peasants-dancing-and-feasting.jpg p
    met-437790-giovanni-battista-tiepolo-allegory-of-the-planets-and-cont.jpg np
    met-437826-titian-venus-and-adonis.jpg np
    met-437853-joseph-mallord-william-turne-venice-from-the-porch-of-madonna.jpg p
    met-437868-velazquez-don-gaspar-de-guzman-15871645-co.jpg p
    met-437939-sir-david-wilkie-the-highland-family.jpg p
    met-437980-vincent-van-gogh-cypresses.jpg -
    met-438002-edouard-manet-madame-manet-suzanne-leenhoff-18.jpg p
    met-438635-camille-corot-waterfall-at-terni.jpg -
    met-438821-paul-gauguin-ia-orana-maria-hail-mary.jpg wnp
    met-44703-zhong-li-scholar-looking-at-a-waterfall.jpg -
    met-45329-ogata-korin-chinese-bellflowers.jpg w
    met-459078-lucas-cranach-the-younger-nymph-of-the-spring.jpg wnp
    met-48893-utagawa-hiroshige-woman-walking-in-the-snow.jpg wp
    met-49017-yun-xiang-landscapes-after-old-masters.jpg w
    met-49049-matsumura-goshun-cherry-blossoms.jpg w
    met-53408-ito-jakuchu-white-plum-blossoms-and-moon.jpg -`,
  art: `
    starry_night.jpg -
    tubingen_photo.jpg -`,
  anime: `
    pepper_2015.jpg p
    pepper_broom_rgba.png p
    pepper_tea_rgba.png p`,
  photo: `
    kodak_03.png w
    kodak_15.png p
    kodak_23.png -
    pexels_food.png -
    pexels_woman.png p`,
  train: `
    budgie-abstract-spiral.jpg -
    budgie-apollo-11-earth.jpg -
    budgie-beacon-street-sunset.jpg -
    budgie-blue-periwinkle.jpg -
    budgie-canyon-wren.jpg -
    budgie-casa-mila.jpg -
    budgie-dragonfly-on-lavender.jpg -
    budgie-extreme-desert-hike.jpg p
    budgie-high-trestle-trail.jpg -
    budgie-kitten-on-lawn.jpg -
    budgie-lake-sherburne.jpg -
    budgie-motherboard-circuits.jpg w
    budgie-oakland-zoo-otters.jpg -
    budgie-ocean-waves.jpg -
    budgie-orange-hallway.jpg -
    budgie-perched-osprey.jpg -
    budgie-piazza-gae-aulenti.jpg -
    budgie-roman-colosseum.jpg -
    budgie-singaporean-cityscape.jpg -
    budgie-solaris-grapes.jpg -
    budgie-tea-gardens.jpg -
    budgie-the-spices-of-life.jpg -
    budgie-ufo-galaxy.jpg -
    ccby-plaigne-2.jpg -
    ccby-sagarmatha.png -
    drawing-peppercarrot-kitchen.jpg -
    drawing-peppercarrot-tree.jpg w
    drawing-peppercarrot-world.jpg -
    elementary-ashim-dsilva.jpg -
    elementary-jay-ruzesky.jpg -
    elementary-jonas-nilsson-lee.jpg -
    elementary-mr-lee.jpg w
    elementary-pablo-garcia-saldana.jpg -
    elementary-photo-by-spacex.jpg -
    elementary-rob-bye.jpg -
    elementary-ryan-schroeder.jpg -
    elementary-sunset-by-the-pier.jpg -
    engraving-nodier-johannot.jpg p
    flickr-book-cover.jpg -
    flickr-bunker-entrance.jpg -
    flickr-monkey-01.jpg -
    flickr-monkey-mac.jpg -
    getty-mosaic-cat1.jpg p
    getty-mosaic-cat10.jpg -
    getty-mosaic-cat11.jpg -
    getty-mosaic-cat12.jpg -
    getty-mosaic-cat13.jpg -
    getty-mosaic-cat14.jpg -
    getty-mosaic-cat15.jpg -
    getty-mosaic-cat16.jpg -
    getty-mosaic-cat17.jpg -
    getty-mosaic-cat18.jpg -
    getty-mosaic-cat19.jpg -
    getty-mosaic-cat2.jpg p
    getty-mosaic-cat20.jpg p
    getty-mosaic-cat21.jpg p
    getty-mosaic-cat3.jpg p
    getty-mosaic-cat4.jpg np
    getty-mosaic-cat5.jpg -
    getty-mosaic-cat6.jpg p
    getty-mosaic-cat8.jpg -
    getty-mosaic-cat9.jpg -
    met-436839-la-tour.jpg p
    met-436965-manet.jpg wp
    met-671456-caillebotte.jpg -
    nasa-hubble-deep-field.jpg -
    nasa-pia02652.jpg -
    nasa-pia19808.jpg -
    nolmoonen-bus.jpg -
    pd-bedouin.jpg p
    pd-botanical-plate.jpg -
    pd-dalziel-crypt.png p
    pd-espinasse.jpg p
    pd-piranesi-carceri.png -
    pd-renoir-portrait.jpg p
    pd-signac-calanque.jpg -
    pd-snow-crystals.jpg -
    pd-vangogh-harvest.png p
    pexels-105518.jpg -
    pexels-157398.jpg -
    pexels-161212.jpg -
    pexels-164201.jpg -
    pexels-286758.jpg -
    pexels-315998.jpg -
    pexels-373409.jpg -
    pexels-417351.jpg -
    pexels-434614.jpg -
    pexels-472309.jpg -
    pexels-533678.jpg -
    pexels-566459.jpg -
    pexels-574021.jpg -
    pexels-587015.jpg -
    texture-bark.jpg -
    texture-facade.jpg -
    texture-ground054.jpg -
    texture-metal.jpg -
    texture-mossyrock.jpg -
    texture-onyx.jpg -
    texture-rock.jpg -
    texture-rustymetal.jpg -`,
  special: `
    ADE_val_00000114.jpg -
    children-alpha.png p
    tree_alpha_16bit.png -
    wolf_gray.jpg -`,
  matting: `
    GT04_image.png p
    GT08_image.png p
    GT13_image.png w
    GT18_image.png p
    davis_car_image.jpg -`,
  'sr/set5/x4/HR': `
    baby.png p
    bird.png -
    butterfly.png -
    head.png p
    woman.png p`,
  'sr/set14/x4/HR': `
    baboon.png -
    comic.png p
    flowers.png -
    monarch.png -
    ppt3.png w`,
  'sr/urban100/x4/HR': `
    urban_028.png p
    urban_090.png -`,
  'sr/bsd100/x4/HR': `
    bsd_010.png -
    bsd_030.png -
    bsd_058.png -`,
};

export const LABELLED_PICTURES: readonly LabelledPicture[] = Object.entries(LABELS).flatMap(
  ([folder, rows]) =>
    rows
      .trim()
      .split('\n')
      .map((row) => {
        const [name, marks] = row.trim().split(' ') as [string, string];
        return {
          path: `${folder}/${name}`,
          writing: marks.includes('w'),
          nudity: marks.includes('n'),
          people: marks.includes('p'),
          isHeldBack: createHash('sha256').update(name).digest()[0]! % 2 === 1,
        };
      }),
);
