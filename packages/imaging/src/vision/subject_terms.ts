import { readVocabulary } from './vocabulary.ts';

/**
 * What an image may show, in the words of a caption. A line is a term with its narrower terms; each of those that has narrower terms has its own
 * line, and a term may have several broader ones. The first line starts with a kind, not a term. After a term: line numbers in the ImageNet class
 * list (1 is the tench, 1000 the toilet paper), its ids in the Art & Architecture Thesaurus (aat) and Wikidata (Q), as published by the Metropolitan
 * Museum of Art for its tags (open access, CC0), and in quotation marks the prompt for a text encoder if the term alone is ambiguous.
 */
const VOCABULARY = `thing: animal aat300249525 Q729, person, part of the body, nest, egg aat300395680 Q93189, chain 489, lock 508, padlock 696, buckle 465, knot 617,
  rope, coil 507 "a coil of wire", reel 759, lens cap 623, bottle cap 456, muzzle 677 "a muzzle on a dog", key, crutch 524, walking stick, ladder,
  tripod 873, umbrella 880, mythical being aat300375725 Q2239243, holy person, plant aat300132360 Q756, mushroom, food aat300254496 Q2095, drink,
  clothing, jewellery aat300209286 Q161439, armour aat300226591 Q20793164, weapon, furniture, furnishing, container, kitchenware, tool aat300024841
  Q39546, machine, electronic device, household appliance, instrument of measurement, optical instrument, medical equipment, personal care, musical
  instrument aat300041620 Q34379, sports equipment, toy aat300211037 Q11422, game aat300069657 Q11410, vehicle, part of a vehicle, architecture
  aat300263552 Q12271, structure, sculpture aat300047090 Q860861, writing tool, printed matter, document, sign, religious object, emblem, textile,
  lighting, heavenly body, material, waste, shell aat300011829 Q213096, bone, bubble 972 Q75794, fire aat300417275 Q3196, smoke, ornament aat300164595
  Q335261
animal: mammal, bird aat300266506 Q5113, reptile, amphibian, fish aat300266085 Q152, insect aat300310470 Q1390, spider aat300249715 Q1357, crustacean,
  mollusc, sea creature, worm, scorpion 72, centipede 80, harvestman 71, tick 79, trilobite 70, dinosaur, herd, flock of birds, animal head
herd: flock of sheep, herd of cattle, pack of hounds
mammal: dog aat300265714 Q144, cat 282 283 286 aat300265960 Q146, big cat, wolf, fox aat300266520 Q8331, bear aat300266516 Q30090244, horse
  aat300250148 Q726, cattle, sheep aat300250284 Q7368, goat aat300250122 Q2934, antelope, deer aat300250308 Q685795, pig, camel aat300250139 Q7375,
  elephant 102 aat300250160 Q7378, rhinoceros, hippopotamus 345, giraffe, monkey aat300250028 Q1367, ape, lemur 384, indri 385, rodent, rabbit
  aat300250218 Q9394, weasel family, sea mammal, marsupial, bat aat300310335 Q28425, bison 348, water buffalo 347, zebra 341, donkey aat300265959
  Q3537778, mule, llama 356, hyena 277, raccoon, red panda 388, panda 389, mongoose 299, meerkat 300, sloth 365, armadillo 364, anteater, echidna 103,
  platypus 104, hedgehog, mole
dog: puppy, hound, terrier, retriever, spaniel, setter, sheepdog, mastiff, poodle, husky, corgi, toy dog, spitz, pinscher, schnauzer, mountain dog,
  dalmatian 252, basenji 254, pug 255, boxer 243 "boxer, a breed of dog", bulldog, Great Dane 247, Saint Bernard 248, Mexican hairless dog 269,
  Newfoundland 257 "Newfoundland dog", hunting dog, African wild dog 276, dingo 274, dhole 275
hound: Afghan hound 161, basset hound 162, beagle 163, bloodhound 164, bluetick coonhound 165, black and tan coonhound 166, foxhound 167 168, redbone
  coonhound 169, borzoi 170, Irish wolfhound 171, greyhound 172, whippet 173, Ibizan hound 174, elkhound 175, otterhound 176, saluki 177, deerhound
  178, Rhodesian ridgeback 160, dachshund
hunting dog: pointer 211, vizsla 212, Weimaraner 179
terrier: Staffordshire bull terrier 180, pit bull terrier 181, Bedlington terrier 182, Border terrier 183, Kerry blue terrier 184, Irish terrier 185,
  Norfolk terrier 186, Norwich terrier 187, Yorkshire terrier 188, fox terrier 189, Lakeland terrier 190, Sealyham terrier 191, Airedale terrier 192,
  cairn terrier 193, Australian terrier 194, Dandie Dinmont terrier 195, Boston terrier 196, Scottish terrier 200, Tibetan terrier 201, silky terrier
  202, wheaten terrier 203, West Highland terrier 204, toy terrier 159
retriever: flat-coated retriever 206, curly-coated retriever 207, golden retriever 208, Labrador retriever 209, Chesapeake Bay retriever 210
setter: English setter 213, Irish setter 214, Gordon setter 215
spaniel: Brittany spaniel 216, clumber spaniel 217, springer spaniel 218 219, cocker spaniel 220, Sussex spaniel 221, Irish water spaniel 222, King
  Charles spaniel 157, Japanese spaniel 153, papillon 158
toy dog: Chihuahua 152, Maltese dog 154, Pekinese 155, Shih Tzu 156, Lhasa apso 205, Pomeranian 260, Brussels griffon 263, lapdog
sheepdog: kuvasz 223, schipperke 224, Belgian shepherd 225 226, briard 227, kelpie 228, komondor 229, Old English sheepdog 230, Shetland sheepdog 231,
  collie 232 233, bouvier 234, German shepherd 236
schnauzer: miniature schnauzer 197, giant schnauzer 198, standard schnauzer 199
pinscher: Dobermann 237, miniature pinscher 238, affenpinscher 253, Rottweiler 235
mountain dog: Greater Swiss mountain dog 239, Bernese mountain dog 240, Appenzeller 241, Entlebucher 242, Leonberger 256, Great Pyrenees 258
mastiff: bullmastiff 244, Tibetan mastiff 245
bulldog: French bulldog 246
husky: Eskimo dog 249, malamute 250, Siberian husky 251
spitz: Samoyed 259, chow 261, keeshond 262
corgi: Pembroke corgi 264, Cardigan corgi 265
poodle: toy poodle 266, miniature poodle 267, standard poodle 268
wolf: grey wolf 270, white wolf 271, red wolf 272, coyote 273
fox: red fox 278, kit fox 279, arctic fox 280, grey fox 281
cat: kitten, tabby cat, Persian cat 284, Siamese cat 285, black cat, white cat
big cat: lion 292 aat300310388 Q140, tiger 293 aat300249063 Q19939, leopard 289 aat300310390 Q34706, snow leopard 290, jaguar 291, cheetah 294
  aat300266537 Q23907, cougar 287, lynx 288
lion: lioness, lion cub
bear: brown bear 295, black bear 296, polar bear 297, sloth bear 298, bear cub
horse: chestnut horse 340, white horse, black horse, foal, rearing horse, galloping horse, pony
cattle: ox 346 aat300250282 Q473194, cow aat300250120 Q830, bull aat300250117 Q693690, calf, zebu
sheep: ram 349 aat300250287 Q2929800, bighorn sheep 350, lamb aat300250289 Q4575936, ewe
goat: ibex 351 aat300250124 Q951220, kid "kid, a young goat", billy goat
antelope: hartebeest 352, impala 353, gazelle 354
deer: stag, doe, fawn, elk, reindeer
pig: domestic pig 342, wild boar 343 aat300250112 Q58697, warthog 344, piglet
camel: dromedary 355, Bactrian camel
elephant: Asian elephant 386, African elephant 387
monkey: guenon 371, patas monkey 372, baboon 373, macaque 374, langur 375, colobus 376, proboscis monkey 377, marmoset 378, capuchin 379, howler
  monkey 380, titi monkey 381, spider monkey 382, squirrel monkey 383
ape: orangutan 366, gorilla 367, chimpanzee 368, gibbon 369 370
rodent: hamster 334, porcupine 335, squirrel 336 aat300250601 Q1302028, marmot 337, beaver 338, guinea pig 339, mouse aat300250249 Q39275, rat
rabbit: hare 332, cottontail rabbit 331, Angora rabbit 333
weasel family: weasel 357, mink 358, polecat 359, ferret 360, otter 361, skunk 362, badger 363
sea mammal: whale aat300250157 Q1865281, dolphin aat300250159 Q7369, seal, sea lion 151, walrus, dugong 150
whale: grey whale 148, orca 149, sperm whale
marsupial: wallaby 105, koala 106, wombat 107, kangaroo
bird: songbird, chicken, game bird, bird of prey, owl aat300310290 Q8021345, parrot aat300250076 Q15548309, waterbird, wader, seabird, dove
  aat300250045 Q2984138, crow, woodpecker, hummingbird 95, kingfisher, ostrich 10, peacock 85 aat300250082 Q201251, hornbill 94, toucan 97, jacamar
  96, bee-eater 93, coucal 92, bustard 139, swallow, cuckoo, turkey "turkey, the bird", bird in flight
songbird: finch, robin 16, bulbul 17, chickadee 20, dipper 21, nightingale, sparrow, wren, blackbird, bunting, canary
finch: brambling 11, goldfinch 12, house finch 13
bunting: junco 14, indigo bunting 15
crow: jay 18, magpie 19, raven
chicken: rooster 8 aat300380127 Q2216236, hen 9, chick
game bird: grouse, quail 86, partridge 87, pheasant aat300310512 Q214169
grouse: black grouse 81, ptarmigan 82, ruffed grouse 83, prairie chicken 84
bird of prey: kite 22 "kite, a bird of prey", eagle aat300250049 Q2092297, vulture 24, hawk aat300379800 Q846664, falcon aat300250051 Q43489, osprey
eagle: bald eagle 23
owl: great grey owl 25, barn owl
parrot: African grey parrot 88, macaw 89, cockatoo 90, lorikeet 91, budgerigar
waterbird: duck aat300250047 Q3736439, goose 100, swan aat300250103 Q34384, pelican 145, coot 138, gallinule 137, flamingo 131, heron, stork, crane
  135 aat300254555 Q25365 "crane, a bird", spoonbill 130, bittern 134, limpkin 136
duck: drake 98, merganser 99, mandarin duck, duckling
swan: black swan 101, white swan
heron: little blue heron 132, egret 133
stork: white stork 128, black stork 129
wader: ruddy turnstone 140, dunlin 141, redshank 142, dowitcher 143, oystercatcher 144
seabird: penguin 146, albatross 147, gull, cormorant
reptile: turtle, lizard aat300250295 Q15629245, snake aat300250870 Q2102, crocodile aat300250293 Q2535664, alligator 51
turtle: sea turtle 34 35, mud turtle 36, terrapin 37, box turtle 38, tortoise
lizard: gecko 39, iguana 40, anole 41, whiptail 42, agama 43, frilled lizard 44, alligator lizard 45, Gila monster 46, green lizard 47, chameleon 48,
  Komodo dragon 49
crocodile: Nile crocodile 50
dinosaur: triceratops 52
snake: thunder snake 53, ringneck snake 54, hognose snake 55, green snake 56, king snake 57, garter snake 58, water snake 59, vine snake 60, night
  snake 61, boa constrictor 62, python 63, cobra 64, green mamba 65, sea snake 66, viper 67, rattlesnake 68 69
amphibian: salamander 26 29 aat300310225 Q53663, newt 27 28, axolotl 30, frog aat300250018 Q3116510, toad
frog: bullfrog 31, tree frog 32, tailed frog 33
fish: tench 1, goldfish 2, shark, ray, barracouta 390, eel 391, salmon 392, rock beauty 393, clownfish 394, sturgeon 395, gar 396, lionfish 397,
  pufferfish 398, carp, trout, herring, pike "pike, a fish", seahorse, shoal of fish
shark: great white shark 3, tiger shark 4, hammerhead shark 5
ray: electric ray 6, stingray 7
insect: beetle, ladybird 302, fly 309, bee 310, ant 311, grasshopper 312, cricket 313 "cricket, an insect", stick insect 314, cockroach 315, mantis
  316, cicada 317, leafhopper 318, lacewing 319, dragonfly 320 aat300310476 Q80066, damselfly 321, butterfly aat300417320 Q11946202, moth,
  caterpillar, wasp, mosquito
beetle: tiger beetle 301, ground beetle 303, longhorn beetle 304, leaf beetle 305, dung beetle 306, rhinoceros beetle 307, weevil 308, stag beetle,
  scarab
butterfly: red admiral 322, ringlet butterfly 323, monarch butterfly 324, cabbage white 325, sulphur butterfly 326, blue butterfly 327, swallowtail
spider: garden spider 73 75, barn spider 74, black widow 76, tarantula 77, wolf spider 78
crustacean: crab aat300249722 Q16033394, lobster, crayfish 125, woodlouse 127, shrimp
crab: Dungeness crab 119, rock crab 120, fiddler crab 121, king crab 122, hermit crab 126
lobster: American lobster 123, spiny lobster 124
mollusc: snail 114, slug 115, sea slug 116, chiton 117, nautilus 118, octopus aat300259782 Q56315369, squid, oyster, mussel
sea creature: jellyfish 108, sea anemone 109, coral, starfish 328, sea urchin 329, sea cucumber 330
coral: brain coral 110
worm: flatworm 111, roundworm 112
shell: conch 113, scallop shell, cowrie
bone: skull aat300191856 Q13147, skeleton aat300191778 Q7881, antlers, tusk
skull: animal skull, human skull
person: man aat300025928 Q8441, woman aat300025943 Q467, child aat300025945 Q7569, baby, crowd Q13430821, couple aat300379217 Q219160, family, group
  of people, profession, rider, nude, pilgrim, traveller, beggar, twins, silhouette of a person, mummy
man: young man, old man, bearded man, bridegroom 983, gentleman, father aat300025931 Q7565
woman: young woman, old woman, bride, lady, mother aat300025932 Q7560, mother and child
child: boy aat300247598 Q3010, girl aat300247581 Q3031, children playing, schoolchild
crowd: audience, procession of people
group of people: dancers aat300025653 Q5716684, musicians aat300025666 Q639669, bathers, drinkers, card players, mourners, group of soldiers
nude: female nude aat300189568 Q40446, male nude aat300189568 Q40446, reclining nude
profession: soldier aat300185678 Q4991371, sailor, fisherman, farmer, shepherd aat300025617 Q81710, hunter, blacksmith, baker, cook, butcher, tailor,
  weaver, spinner, washerwoman, maid, servant aat300025874 Q54128, merchant, banker, scholar, teacher aat300025529 Q37226, student aat300025909
  Q48282, philosopher aat300025569 Q4964182, poet, scribe, doctor, nurse, lawyer, judge, monarch, clergy, monk aat300025765 Q733786, nun, knight
  aat300230874 Q102083, guard, police officer, firefighter, musician, singer, dancer, actor, acrobat, clown, painter, sculptor, photographer,
  astronaut, diver 984, athlete aat300236025 Q2066131, mechanic, carpenter, potter, miner, porter, coachman, waiter, barber, harvester, woodcutter,
  milkmaid, flower seller, fortune teller, executioner, craftsman, scientist, astronomer, geographer, pirate, samurai, geisha, cowboy, witch
monarch: king aat300025481 Q12097, queen aat300025483 Q16511993, emperor, prince aat300025482 Q2747456, princess aat300155241 Q863048, pharaoh, sultan
clergy: bishop aat300025756 Q29182, cardinal "a cardinal of the church", pope, priest, rabbi
soldier: cavalryman, archer, general, drummer, standard-bearer, warrior aat300261945 Q1250916
athlete: baseball player 982, football player, boxer in the ring, runner, swimmer, wrestler, gymnast, cyclist, skier, surfer
musician: violinist, lute player, pianist, flautist, guitarist, piper, organist, harpist
dancer: ballerina, dancing couple
painter: painter at the easel, artist's model
rider: horseman, horsewoman, jockey
part of the body: head aat300375054 Q3409626, face aat300251798 Q37017, profile head, hand aat300310193 Q33767, foot aat300310200 Q15807, eye, ear,
  arm aat300310201 Q43471, leg aat300310192 Q8265768, torso, hair aat300400468 Q28472, beard, moustache, breast, lips, teeth, heart, muscles, wing
hair: plaited hair, curly hair, bald head, red hair, blond hair
hand: clasped hands, pointing hand, raised hand, thumbs up
mythical being: Greek or Roman deity, hero, nymph aat300379159 Q373916, satyr aat300379732 Q163709, faun aat300386072 Q223194, centaur aat300379740
  Q83203, putto aat300250465 Q284865, cupid aat300380105 Q5011, dragon aat300375726 Q7559, unicorn aat300379595 Q7246, griffin aat300379594 Q130223,
  phoenix aat300379749 Q48444, sphinx aat300375739 Q151480, mermaid, siren, triton Q148030, gorgon, giant, dwarf, fairy Q8028, elf, troll, demon
  aat300379730 Q177413, devil, ghost, werewolf, personification, muse, the Three Graces, bacchante aat300379712 Q209599, Buddha aat300262950 Q7055,
  bodhisattva aat300264360 Q178149, Hindu deity, Egyptian deity, guardian lion, Chinese immortal, monster
Greek or Roman deity: Venus Q47652, Mars Q112, Jupiter Q4649, Juno Q125046, Minerva, Diana Q132543, Apollo Q37340, Mercury, Bacchus Q645312, Neptune,
  Pluto, Ceres, Vulcan, Flora, Pan, Aurora, Saturn, Vesta, Proserpina, Psyche
hero: Hercules Q122248, Perseus Q130832, Achilles Q41746, Ulysses, Aeneas, Theseus, Jason, Orpheus, Adonis, Narcissus, Icarus, Prometheus, Paris
  "Paris, the Trojan prince", Meleager
nymph: Daphne, Galatea Q241070, Andromeda Q161582, Leda Q182019, Europa, Danae, Ariadne Q184874, Atalanta
gorgon: Medusa Q160730
Hindu deity: Shiva, Vishnu, Krishna, Ganesha, Durga
Egyptian deity: Isis, Osiris, Horus, Anubis
personification: allegory of a season, allegory of a virtue, allegory of the arts, allegory of a continent, allegory of time, allegory of death,
  Fortune personified, Justice personified
holy person: Christ Q642420, Virgin Mary Q345, saint aat300150555 Q43115, angel aat300379004 Q235113, apostle, prophet, God the Father Q186350, the
  Magi, evangelist, Adam and Eve, Moses Q9077, David Q41370, Judith, Samson Q214648, Salome, Abraham, Noah, Holy Family Q618057, John the Baptist as a
  child, sibyl
Christ: Christ child, Christ on the cross, Christ as man of sorrows, Christ blessing, Christ in majesty
Virgin Mary: Madonna and Child Q9309699, Madonna enthroned, Pietà
angel: archangel, angel musician, cherub
archangel: archangel Gabriel Q81989, archangel Michael
saint: Saint Jerome Q44248, Saint John the Baptist Q40662, Saint Peter Q33923, Saint Paul Q9200, Saint Francis Q676555, Saint Sebastian Q183332, Saint
  George Q48438, Saint Christopher Q193507, Saint Anthony Q170547, Saint Catherine, Mary Magdalene Q63070, Saint Joseph Q128267, Saint Anne Q164294,
  Saint Luke Q128538, Saint Mark, Saint Matthew, Saint John the Evangelist Q328804, Saint Martin, Saint Nicholas, Saint Stephen, Saint Lawrence
  Q17590, Saint Barbara, Saint Cecilia, Saint Ursula, Saint Agnes, Saint Lucy, Saint Margaret, Saint Augustine, Saint Benedict, Saint Dominic, Saint
  Theresa
plant: tree aat300132410 Q10884, flower aat300132399 Q506, shrub, grass, crop, fern, moss, vine aat300132406 Q917284, cactus, reed, leaf aat300011892
  Q33971, seed, houseplant, herb, bamboo aat300311500 Q670887, water plant, branch, root, cardoon 947, rose hip 990, hay 959, bouquet, wreath, hedge,
  lawn, meadow plant
tree: oak Q3245263, pine, palm tree Q14080, cypress aat300343641 Q146911, poplar, willow, birch, beech, olive tree, fruit tree, fir, juniper, cedar,
  plane tree, chestnut tree, bare tree, dead tree, tree trunk, blossoming tree, tree stump, tree bark, lone tree
fruit tree: apple tree, cherry tree, plum tree, orange tree
blossoming tree: cherry blossom, plum blossom
seed: acorn 989, horse chestnut 991, ear of grain 999, pine cone
flower: daisy 986, lady's slipper 987, rapeseed 985, rose aat300266246 Q102231, tulip aat300379705 Q30345409, lily, iris "iris, a flower", peony,
  poppy aat300375678 Q967457, carnation, sunflower, chrysanthemum, lotus aat300375570 Q3645698, water lily, lavender, violet, pansy, orchid, dahlia,
  hyacinth, daffodil, forget-me-not, bellflower, honeysuckle, magnolia, hydrangea, morning glory, thistle, hollyhock, wild flower, blossom
crop: wheat, rice plant, corn 988, sheaf, haystack aat300435325 Q62577, tea plant, cotton plant
vine: grapevine, ivy
mushroom: coral fungus 992, agaric 993, false morel 994, stinkhorn 995, earthstar 996, hen of the woods 997, bolete 998, edible mushroom 948
food: fruit aat300011868 Q1364, vegetable, bread aat300262820 Q7802, dish, dessert, meat, cheese, seafood, spice, egg dish, snack, nut, dough 962,
  sauce, rice, pasta, honey, breakfast
fruit: apple aat300266417 Q89, strawberry 950, orange 951, lemon 952, fig 953, pineapple 954, banana 955, jackfruit 956, custard apple 957,
  pomegranate 958, grapes aat300379338 Q10978, peach aat300266272 Q13202263, pear, cherry, plum, melon, watermelon, lime, berry, coconut, quince, bowl
  of fruit, mango
apple: green apple 949
vegetable: cabbage 937, broccoli 938, cauliflower 939, courgette 940, squash, cucumber 944, artichoke 945, bell pepper 946, carrot, onion, garlic,
  potato, tomato, pumpkin, turnip, asparagus, bean, chilli pepper, lettuce, aubergine, radish
squash: spaghetti squash 941, acorn squash 942, butternut squash 943
bread: French loaf 931, bagel 932, pretzel 933, bread roll
dish: guacamole 925, soup, hot pot 927, sandwich, mashed potato 936, meat loaf 963, pizza 964, pie, burrito 966, carbonara 960, salad, sushi
soup: consommé 926
sandwich: cheeseburger 934, hot dog 935
pie: potpie 965
dessert: trifle 928, ice cream 929, lollipop 930, cake, cupcake, biscuit, pastry, sweets, chocolate
sauce: chocolate sauce 961
meat: ham, sausage, roast, poultry, dead game
seafood: cooked fish, oysters on a plate, cooked lobster
drink: wine aat300379442 Q282, coffee, tea, beer, eggnog 970, milk, juice, cocktail
coffee: espresso 968
wine: red wine 967, white wine
clothing: dress, coat, cloak 502, hat aat300046106 Q80151, headgear, shoes, uniform, robe, shirt, trousers, skirt, underwear, swimwear, knitwear,
  apron 412, glove, sock 807, scarf, collar, necktie, suit 835, costume, veil, belt, handkerchief 592, sash, shawl, diaper 530, bib 444, nightclothes,
  lace, headscarf, crown aat300046020 Q170984, wig 904, mask 644 aat300262834 Q161524, gown 579, kimono 615, abaya 400, sarong 776, poncho 736,
  waistcoat, jacket, armband
dress: wedding dress, evening dress, crinoline 602, overskirt 690, tunic, toga
coat: fur coat 569, trench coat 870, lab coat 618, raincoat
hat: cowboy hat 516, sombrero 809, top hat, straw hat, beret, cap, bonnet 453, turban, bearskin hat 440, mortarboard 668, bowler hat, wide-brimmed
  hat, witch's hat, tricorne, feathered hat, fur hat, knitted hat, baseball cap
headgear: shower cap 794, bathing cap 434, hood, hairnet, tiara, ski mask 797
shoes: boots, running shoe 771, sandal 775, clog 503, loafer 631, high heels, slippers
boots: cowboy boot 515
uniform: military uniform 653, academic gown 401, vestment 888, police uniform, school uniform
robe: dressing gown, monk's habit
shirt: T-shirt 611, jersey, blouse, sweatshirt 842
trousers: jeans 609, breeches, shorts
skirt: miniskirt 656, kilt
underwear: brassiere 460, corset, stockings
swimwear: bikini 446, swimsuit 639 640, swimming trunks 843
knitwear: cardigan 475, woollen sweater
glove: mitten 659, gauntlet
necktie: bow tie 458, bolo tie 452, Windsor tie 907
scarf: stole 825, feather boa 553
collar: ruff, lace collar
nightclothes: pyjamas 698
costume: traditional costume, fancy dress, historical costume
jewellery: necklace 680 aat300046001 Q189299, earring, ring "a ring for the finger", bracelet, brooch, pendant aat300046002 Q2111434, pearl, gemstone,
  medal, hair slide 585, pearl necklace, gold chain, locket
personal care: lipstick 630, face powder 552, perfume 712, hair spray 586, lotion 632, sunscreen 839, comb, mirror, razor, hair dryer 590, soap
  dispenser 805, toilet paper 1000, hand fan, parasol aat300046218 Q1762975, plaster 420, cosmetics
armour: breastplate 462, cuirass 525, chain mail 491, helmet aat300036794 Q173603, shield 788 aat300036869 Q131559, bulletproof vest 466, suit of
  armour, gauntlet
helmet: crash helmet 519, football helmet 561, pickelhaube 716, knight's helmet
weapon: firearm aat300037148 Q12796, sword aat300037048 Q12791, bow and arrow 457 Q19827042, cannon 472, missile 658 745, spear aat300037038 Q44475,
  dagger, axe, club "a club, a weapon", halberd, quiver, scabbard 778, holster 598, sling, whip, mortar gun, lance, trident
firearm: rifle 765, revolver 764, assault rifle 414, pistol, musket
axe: hatchet 597
furniture: chair aat300037772 Q15026, table, bed aat300038697 Q42177, sofa, cupboard, chest of drawers 494, bookcase 454, desk 527 aat300039338
  Q1064858, throne 858 aat300038141 Q189233, bench, stool, wardrobe 895, filing cabinet 554, china cabinet 496, chest 493, cradle 517, easel
  aat300079638 Q939611, medicine cabinet 649, stand, entertainment centre 549, cabinet, shelf, screen for a room
chair: rocking chair 766, folding chair 560, barber's chair 424, armchair, cane chair
table: dining table 533, pool table 737, side table, table with a cloth
bed: four-poster bed 565, cot 521, bassinet 432, canopy bed, hammock
sofa: couch 832
bench: park bench 704
furnishing: curtain, pillow 722, lampshade 620, carpet, doormat 540, window blind 906, fire screen 557, picture frame, tablecloth, tapestry, vase 884,
  candlestick, chandelier, cushion, painting on a wall, gilded frame, folding screen, mantelpiece, wallpaper, canopy
curtain: shower curtain 795, theatre curtain 855
carpet: prayer rug 742, oriental carpet
textile: velvet 886, wool 912, quilt 751, towel, mosquito net 670, dishcloth 534, drapery, silk, embroidery, blanket, Christmas stocking 497, sleeping
  bag 798, flag, banner, canvas sail, felt, leather, cloth, fringe, tassel, ribbon
towel: bath towel 435, paper towel 701
flag: national flag
container: bottle, basket aat300194498 Q201097, bag, box, barrel 428, bucket 464, jar aat300195347 Q1207302, pot 739 "a pot for flowers", jug, tub
  877, crate 520, packet 693, hamper 589, safe 772, rain barrel 757, milk can 654, mailbox 638, money box 720, suitcase, sack, envelope 550, tray 869,
  urn, can, pencil case 710, wallet 894, dustbin 413, cauldron 470, birdcage, casket, trunk "a trunk for travelling", carton 479, reliquary
  aat300187549 Q722604, aquarium
bottle: beer bottle 441, wine bottle 908, water bottle 899, soda bottle 738, pill bottle 721, whiskey jug 902, glass bottle
basket: shopping basket 791, wicker basket, fruit basket, flower basket
bag: backpack 415, handbag 749, plastic bag 729, mailbag 637, satchel
jug: pitcher 726, water jug 900, ewer
box: chocolate box, snuffbox, jewellery box
kitchenware: cup 969, glass, plate 924, bowl, teapot 850, coffee pot 506, frying pan 568, wok 910, spatula 814, ladle 619, spoon, knife, fork,
  corkscrew 513, tin opener 474, casserole 545 522, measuring cup 648, strainer 829, salt cellar 774, cocktail shaker 504, rotisserie 767, plate rack
  730, pestle and mortar 667, tankard, saucer, saucepan, kettle, tea set, porcelain dish, rolling pin, napkin, chopsticks, sugar bowl, cutlery
cup: mug 505, chalice aat300194762 Q210723, teacup, coffee cup
glass: beer glass 442, goblet 573, wine glass, beaker 439
bowl: mixing bowl 660, soup bowl 810
spoon: wooden spoon 911
knife: cleaver 500, letter opener 624
tool: hammer 588 aat300024823 Q25294, screwdriver 785, power drill 741, chainsaw 492, shovel 793, broom 463, mop 841, plane 727 "a carpenter's plane",
  nail 678, screw 784, hook 601, tool kit 478, plunger 732, mousetrap 675, potter's wheel 740, spindle 817, thimble 856, safety pin 773, needle,
  scissors, saw, rake, scythe, sickle, pick axe, anvil, chisel, wheelbarrow 429, lawn mower 622, oil filter 687, fishing rod, fishing net, matchstick
  645, lighter 627, torch 863 "a torch with a flame", paddle 694, funnel, loom aat300247546 Q173056, spinning wheel aat300263278 Q58966, plough 731,
  pitchfork, bellows, tongs, pliers, wrench, palette, compasses, watering can
machine: guillotine 584, sewing machine 787, combine harvester 596, threshing machine 857, forklift 562, tractor 867, construction crane 518,
  snowplough 804, petrol pump 572, vending machine 887, cash machine 481, slot machine 801, photocopier 714, printer 743, radiator 754 "a radiator for
  heating", space heater 812, electric fan 546, satellite dish 808, radio telescope 756, gear wheel, engine, steam engine, printing press, paddle
  wheel 695, waterwheel, disc brake 536, turnstile 878, excavator, robot, drilling platform 541, parking meter 705
electronic device: computer, telephone, television 852, radio 755, camera, loudspeaker 633, screen 665 783, keyboard 509 811, computer mouse 674,
  microphone 651, cassette player 483 849, CD player 486, cassette 482, music player 606, modem 663, hard disk 593, remote control 762, joystick 614,
  oscilloscope 689, projector 746, home cinema 599, circuit board, switch 845, calculator, headphones, cable, typewriter 879, game console, lens,
  spotlight 819, battery
computer: laptop 621 682, desktop computer 528, handheld computer 591
telephone: mobile phone 488, dial telephone 529, pay phone 708
camera: reflex camera 760, instant camera 733, film camera
household appliance: dishwasher 535, washing machine 898, refrigerator 761, microwave oven 652, toaster 860, stove 828, vacuum cleaner 883, iron 607
  "an iron for clothes", waffle iron 892, espresso machine 551, oven, washbasin 897, bath 436, toilet 862, fireplace, tap
instrument of measurement: clock aat300041575 Q376, barometer 427, scales 779 aat300196293 Q134566, ruler 770, slide rule 799, abacus 399, compass
  636, odometer 686, sundial 836, thermometer, astrolabe, globe aat300028089 Q133792, armillary sphere, gauge
clock: analogue clock 410, digital clock 531, wall clock 893, hourglass 605, watch, stopwatch 827, pocket watch aat300200088 Q849813, clock face
watch: digital watch 532
optical instrument: binoculars 448, telescope, magnifying glass 634, sunglasses 837 838, spectacles, microscope
medical equipment: stethoscope 824, syringe 846, stretcher 831, oxygen mask 692, gas mask 571, neck brace 679, Petri dish 713, swab, pill, feeding
  bottle teat 681
musical instrument: string instrument, wind instrument, percussion instrument, keyboard instrument, plectrum 715, drumstick 543, orchestra
  instruments, musical score
string instrument: guitar aat300042025 Q6607, violin 890 aat300042215 Q8355, cello 487, banjo 421, harp 595 aat300042047 Q47369, lute aat300042101
  Q180733, lyre, viola da gamba, mandolin, zither, double bass
guitar: acoustic guitar 403, electric guitar 547
wind instrument: flute 559, oboe 684, bassoon 433, saxophone 777, trumpet 514 aat300042339 Q8338, French horn 567, trombone 876, harmonica 594,
  panpipes 700, ocarina 685, bagpipes aat300042405 Q8347, clarinet, recorder, hunting horn, whistle 903, tuba
percussion instrument: drum 542, steel drum 823, gong 578, maracas 642, xylophone 643, bell 495, tambourine, castanets, cymbals
keyboard instrument: piano aat300042909 Q5994, organ 688, accordion 402, harpsichord
piano: grand piano 580, upright piano 882
sports equipment: ball, racket 753, ski 796, dumbbell 544, barbell 423, balance beam 417, horizontal bar 603, parallel bars 703, punching bag 748,
  knee pad 616, puck 747, snorkel 802, parachute 702, goal, skateboard, surfboard, ice skates, scoreboard 782, bat for ball games, fencing foil, golf
  club
ball: baseball 430, basketball 431, golf ball 575, football 806, rugby ball 769, tennis ball 853, volleyball 891, table tennis ball 723, croquet ball
  523
toy: doll, teddy bear 851, balloon 418, swing 844, jack-o'-lantern 608, pinwheel 724, toy kite "a toy kite on a string", rocking horse, building
  blocks, puppet, soft toy, hobby horse, spinning top, toy car, figurine, scarecrow, carousel 477, marbles
game: jigsaw puzzle 612, crossword puzzle 919, chess aat300222748 Q718, playing cards aat300211294 Q47883, dice, backgammon, domino
vehicle: car aat300178739 Q1420, truck, bus, bicycle, motorcycle, train, tram 830, watercraft, aircraft, spacecraft, carriage aat300185335 Q235356,
  sledge, tank 848, military vehicle, ambulance 408, fire engine 556, snowmobile 803, golf cart 576, go-kart 574, camper van 758, tricycle 871,
  unicycle 881, pram, cart, hand cart, cable car, shopping cart 792, police van 735, mobile home 661, trolleybus 875, amphibious vehicle 409,
  wheelchair, litter "a sedan chair or litter"
car: sports car 818, racing car 752, convertible 512, limousine 628, estate car 437, jeep 610, taxi 469, minivan 657, vintage car 662
truck: lorry 868, pickup truck 718, dustcart 570, tow truck 865, removal van 676
bus: minibus 655, school bus 780, double-decker bus
bicycle: mountain bike 672, tandem 445
motorcycle: moped 666, motor scooter 671
train: steam locomotive 821, electric locomotive 548, bullet train 467, railway carriage 706, goods wagon 566, underground train
watercraft: boat aat300178749 Q35872, ship aat300082981 Q11446, sailing vessel
boat: canoe 473, gondola 577, lifeboat 626, speedboat 815, yacht, rowing boat, sailing boat, submarine 834, fireboat 555, raft, barge, ferry, fishing
  boat, punt, kayak, motor boat
ship: sailing ship 725, ocean liner 629, container ship 511, aircraft carrier 404, pirate ship, shipwreck 914, warship, steamship, galley, galleon,
  fleet of ships
sailing vessel: sailing boat, sailing ship
sailing boat: catamaran 485, trimaran 872, yawl 915
sailing ship: schooner 781, tall ship
aircraft: airliner 405, airship 406, military aircraft 896, hot air balloon aat300234026 Q1551574, helicopter, biplane, glider
military vehicle: half-track 587
spacecraft: space shuttle 813, satellite, rocket, space probe, Mars rover, space station
carriage: horse cart 604, ox cart 691, rickshaw 613, coach "a horse-drawn coach", chariot aat300212699 Q203788, wagon
sledge: bobsleigh 451, dog sled 538, sleigh aat300212882 Q181388
part of a vehicle: car wheel 480, car mirror 476, radiator grille 582, seat belt 786, aircraft wing 909, anchor, mast, sail, rudder, rigging, saddle,
  bridle, wheel
building: house aat300005433 Q3947, castle 484 aat300006891 Q23413, palace 699 aat300005734 Q16560, church 498 aat300007466 Q16970, mosque 669
  aat300007544 Q32815, temple aat300007595 Q44539, monastery 664, tower, barn 426, farmhouse, shop, restaurant 763 aat300005182 Q11707, cinema 499,
  library 625, prison 744 aat300343479 Q40357, greenhouse 581, planetarium 728, boathouse 450, sawmill 635, skyscraper, ruin, mill, factory, hut,
  synagogue aat300007590 Q34627, pagoda, town hall, railway station, airport, theatre, museum aat300312302 Q33506, school aat300266108 Q3914, hospital
  aat300343473 Q16917, hotel, inn, lighthouse 438, fortress, garden pavilion, stable, shed, apartment building, office building, tomb aat300005926
  Q381885, stadium, cathedral, chapel, observatory, bunker, warehouse, garage, almshouse, cottage, villa, cliff dwelling 501, yurt 916, tent, stupa
  833, amphitheatre, pyramid, arena, birdhouse 449, beehive 411, doll's house, teahouse
house: half-timbered house, thatched house, row of houses, country house
church: church tower, Gothic church
temple: Greek temple, Shinto shrine, Chinese temple, Buddhist temple
tower: bell tower 443, water tower 901, clock tower, watchtower, radio mast, campanile
shop: bakery 416, barbershop 425, bookshop 455, butcher's shop 468, sweet shop 510, grocer's shop 583, shoe shop 789, tobacconist's shop 861, toy shop
  866
mill: windmill, watermill
tent: mountain tent 673, pavilion tent
ruin: Roman ruins, ruined castle, ruined church
architecture: building aat300004789 Q41176, part of a building, bridge aat300386855 Q12280, dam 526, wall, fountain 563 aat300006179 Q483453,
  monument, gate, pergola, staircase aat300003228 Q12511, triumphal arch 874, colonnade, aqueduct, torii gate, chimney, tunnel entrance
structure: fence, pier 719, breakwater 461, dock 537, scaffold, pole 734, flagpole 558, street lamp, well, traffic light 921, jetty, railway track,
  maze 647, maypole 646, totem pole 864, manhole cover 641, ramp, wind turbine, power line, terrace wall, canal lock, cairn, well house
bridge: suspension bridge 840, steel arch bridge 822, viaduct 889, stone bridge, wooden bridge, footbridge
fence: chain-link fence 490, picket fence 717, worm fence 913
wall: stone wall 826, brick wall, city wall
monument: obelisk 683, megalith 650, gravestone, memorial plaque 459, memorial column, equestrian statue, war memorial
part of a building: roof, dome 539, window aat300002944 Q35473, door, balcony, column aat300001571 Q4817, arch aat300001062 Q12277, arcade, vault 885,
  altar 407 aat300003725 Q101687, banister 422, facade, tiled floor, ceiling, portico, pediment, pedestal 709, terrace, sliding door 800, shoji 790,
  window screen 905, wooden beam, rose window, gargoyle, capital "a capital of a column", niche, courtyard, cornice, spire, battlement, pulpit, choir
  stalls, gallery, doorway aat300002767 Q21263223, window shutter, pilaster
roof: tiled roof 859, thatched roof 854, flat roof
window: stained glass window, arched window
staircase: spiral staircase, steps
sculpture: statue, bust, relief, fountain sculpture, marble statue, bronze statue, stone lion, wood carving, caryatid aat300001583 Q208120, statuette,
  stone head
ornament: garland aat300167386 Q756600, cartouche, festoon, scrollwork, palmette aat300009995 Q677655, grotesque ornament aat300010211 Q218248,
  rosette, meander, guilloche, arabesque, shell ornament, acanthus leaf, knot ornament, checkerboard, stripes, tile, heraldic ornament, mosaic floor
writing tool: pen, pencil, paintbrush 697, quill 750, fountain pen 564, ballpoint pen 419, eraser 768, pencil sharpener 711, inkwell, ink stone,
  crayon, chalk
printed matter: book aat300028051 Q571, newspaper, poster, magazine, playbill, postage stamp, banknote, ticket, label, book cover 922, menu 923, ring
  binder 447, calendar, leaflet
book: open book, notebook, album, stack of books, Bible, Quran
document: letter, certificate, contract, handwritten text, receipt, scroll, sheet music, list, charter, passport, cheque, typed text, printed text,
  form to fill in, identity card
sign: street sign 920, shop sign, inscription, seal stamp, signature, logo, graffiti, number, monogram, coat of arms aat300126352 Q14659, arrow sign,
  barcode, neon sign, trade mark
religious object: cross aat300235443 Q40843, crucifix, rosary, halo, altarpiece, monstrance, censer aat300198814 Q1264081, crozier, mitre, prayer
  book, icon, baptismal font, holy water, menorah, Torah scroll, prayer beads, crib scene figures, Christmas tree, candle for an altar, bishop's ring
emblem: cornucopia aat300303413 Q332682, laurel wreath, crown of thorns, vanitas skull, hourglass as emblem, scales of justice, sceptre, orb,
  caduceus, all-seeing eye, eagle emblem, fleur-de-lis, star symbol, hammer and sickle, dove of peace, swastika "a swastika", Star of David, crescent,
  yin and yang
lighting: lamp, candle 471, lantern, torchlight, table lamp 847, light bulb, neon light, street light, paper lantern, oil lamp, fairy lights
heavenly body: sun aat300379806 Q525, moon aat300386951 Q405, star aat300387654 Q25962599, planet, comet, galaxy, nebula, Earth, Saturn with its
  rings, crescent moon, full moon, constellation, eclipse, Milky Way
material: stone, rock, wood, metal, marble, sand, snow, ice, water, rust, concrete, brick, gold, silver, paper, ivory, plastic, crystal, clay, fur,
  honeycomb 600, spider's web 816, ash, mud, gravel, soil, onyx, snow crystal, planks
waste: rubbish, broken glass, wreckage
water: water surface, wave aat300343616 Q165848, reflection in water, waterdrop, ripples, splash

scene: landscape, cityscape, interior aat300391239 Q2998430, sky, weather, season, time of day, event, activity, place, religious scene, mythological
  scene, historical scene, view from above, space, underwater, close-up
landscape: mountain 971 aat300008795 Q8502, hill aat300008777 Q54050, valley 980, forest aat300387598 Q4421, field, shore, sea, river aat300008707
  Q4022, waterfall, desert, island, cliff 973, volcano 981, geyser 975, canyon, plain, meadow, lake aat300008680 Q23397, swamp, cave, rock formation,
  glacier, path, road aat300008217 Q34442, garden aat300008090 Q1107656, park, moor, dune, natural arch, farmland, countryside, winter landscape,
  river landscape, mountain landscape, hilly landscape, wooded landscape, panorama, horizon, oasis, spring of water
mountain: mountain range, snow-covered mountain, mountain peak
field: wheat field, rice field, field of flowers, ploughed field, tea plantation, vineyard, field of stubble
shore: coast 979, beach, lakeside 976, headland 977, sandbar 978, bay, peninsula, promenade, river bank, rocky coast, harbour aat300008678 Q283202,
  lagoon
beach: sandy beach
river: stream, canal aat300006075 Q12284, river bend, estuary
sea: stormy sea, calm sea, open sea, surf
lake: pond aat300008688 Q3253281, mountain lake, reservoir
desert: sand dunes, rocky desert
garden: formal garden, Japanese garden, kitchen garden, flower bed
forest: pine forest, birch forest, clearing, jungle, orchard, grove
path: avenue of trees, boardwalk, footpath, steps in a garden
cityscape: street, square, skyline, village, townscape, harbour city, market place, courtyard scene, alley, rooftops, riverfront, suburb, street at
  night, traffic, car park, ruins of a city, building site
street: paved street, country road, motorway, crossroads
village: farm aat300000206 Q131596, fishing village
interior: room, kitchen, bedroom aat300004364 Q193837, living room, study, church interior, palace interior, studio, tavern, workshop, shop interior,
  stage 820, classroom, office, bathroom, corridor, hall, library interior, dining room, theatre interior, stable interior, laboratory, gallery
  interior, prison cell, train compartment, hospital ward, factory hall, stairwell, window view, cellar, dungeon, attic, nursery, gymnasium
place: market, playground, cemetery, patio 707, battlefield, circus ring, fairground, zoo, swimming pool, quay, camp, railway yard, airport apron,
  racecourse, theatre stage, mine, quarry, rubbish dump, bathing place, sports field
sky: blue sky, cloudy sky, cloud aat300343840 Q8074, night sky, starry sky, rainbow, lightning, aurora borealis, grey sky, dramatic sky, sunbeams
weather: rain, snowfall, fog, storm, sunshine, wind, thunderstorm, mist, frost, drought
season: spring, summer aat300133099 Q1313, autumn aat300133093 Q1314, winter aat300133101 Q1311
time of day: morning aat300343630 Q7722, noon, evening aat300343633 Q7725, night aat300133095 Q575, sunset, sunrise, dusk, moonlight, golden hour
event: wedding, funeral aat300069162 Q201676, feast, banquet aat300247614 Q626066, dance, party aat300069614 Q200538, procession aat300069290 Q898830,
  battle aat300185692 Q178561, siege, shipwreck scene, hunt, execution, coronation, baptism, fire in a town, flood aat300054731 Q8068, parade,
  concert, ball for dancing, tournament, race, fair, carnival, Christmas, Halloween, fireworks, demonstration, meeting, birthday, picnic, accident,
  rescue, volcanic eruption, theatre performance, circus show, sacrifice, abduction, explosion
activity: eating aat300375120 Q213449, drinking aat300379698 Q876776, dancing aat300389779 Q43393537, reading aat300248178 Q199657, writing
  aat300054698 Q37260, sleeping aat300375130 Q35831, playing music, card playing, singing, fishing aat300239470 Q14373, hunting aat300239666 Q36963,
  farming, harvest, ploughing, sowing, cooking, washing, bathing aat300343854 Q327651, swimming aat300239495 Q31920, sewing, spinning, weaving,
  painting a picture, praying aat300379724 Q40953, preaching, teaching, fighting, fencing aat300379753 Q12100, wrestling, riding, walking, running
  aat300239496 Q105674, climbing, skating, skiing, sailing, rowing, playing chess, smoking aat300380156 Q662860, conversation, embrace, kiss, trade,
  begging, mourning, nursing a baby aat300379905 Q174876, playing a game, building work, travel, flight, rest, working aat300412186 Q6958747, combing
  hair, gardening, driving, boxing, ball game, cheering, hiking, milking, feeding animals, tea drinking, sweeping
religious scene: crucifixion aat300404300 Q3235597, nativity Q51628, adoration of the Magi Q488841, adoration of the shepherds Q1029715, annunciation
  aat300412102 Q154326, lamentation Q3155356, entombment Q51637, resurrection aat300404323 Q51624, last supper Q51633, last judgement Q1821239,
  descent from the cross Q13365963, rest on the flight into Egypt, flight into Egypt, agony in the garden Q2467856, baptism of Christ Q217048,
  assumption of the Virgin Q162691, coronation of the Virgin, presentation in the temple, visitation Q691810, holy conversation, temptation of Saint
  Anthony, martyrdom, massacre of the innocents, transfiguration, ascension, Pentecost Q65560542, way to Calvary, the flagellation, ecce homo, raising
  of Lazarus, the good Samaritan, the prodigal son, the fall of man, expulsion from paradise, the Flood, tower of Babel, sacrifice of Isaac, crossing
  of the Red Sea, Susanna and the elders, Bathsheba bathing, stoning of Saint Stephen, conversion of Saint Paul, penitence of Saint Jerome, vision of
  a saint, hell aat300185657 Q564, heaven, apocalypse, Buddhist scene, prayer, worship
mythological scene: birth of Venus, Venus and Adonis, Diana bathing, rape of Europa, judgement of Paris, feast of the gods, labours of Hercules, fall
  of Icarus, bacchanal, triumph of Bacchus, Perseus and Andromeda, Leda and the swan, Orpheus and the animals, Apollo and Daphne, Atalanta and
  Meleager, Trojan War Q42937, sacrifice of Iphigenia, sleeping nymph, three Graces dancing
historical scene: abduction of the Sabine women, family of Darius before Alexander, death of a hero, oath, signing of a treaty, landing of a fleet,
  triumphal procession, audience with a ruler, surrender
view from above: aerial view, bird's-eye view, satellite picture, view straight up
space: earthrise, surface of a planet, star field, spacewalk, Earth from space

genre: portrait aat300015637 Q134307, still life aat300015638 Q170571, landscape picture aat300132294 Q191163, seascape aat300117546 Q158607, city
  view, genre scene, history painting, religious picture, mythological picture, animal picture, nude study, interior view, flower piece, allegory
  aat300055866 Q18535, caricature, abstract picture aat300056508 Q162150, pattern, map aat300028094 Q4006, chart, diagram, screenshot, comic 918,
  illustration, technical drawing, photograph, painting, drawing, print, mosaic, ornament print, calligraphy aat300266660 Q12681, logo design,
  advertisement aat300193993 Q39911916, collage, architectural view, botanical illustration, scientific illustration, texture, film still, page of a
  book, page of a manuscript, devotional image, triptych, diptych, hanging scroll, handscroll, fan painting, ceiling painting, relief picture, product
  photograph, cartoon, fashion plate, sculpture photograph, optical illusion, children's drawing, silhouette, graffiti picture, panorama picture,
  miniature, stained glass, tapestry picture, poster design, x-ray image, thermal image, microscope image, pixel art, three-dimensional rendering,
  anime
portrait: self-portrait aat300124534 Q192110, group portrait, double portrait, family portrait, profile portrait, full-length portrait, half-length
  portrait, equestrian portrait, bust portrait, child portrait, portrait miniature, passport photograph, selfie, portrait of a man, portrait of a
  woman, tronie
still life: vanitas still life, flower still life, breakfast still life, fruit still life, hunting still life, kitchen still life, still life with
  books, still life with musical instruments
genre scene: peasant scene, merry company, tavern scene, domestic scene, market scene, military scene
seascape: marine painting, harbour view, naval battle
map: world map, city map, nautical chart, street plan, weather map, road map
chart: bar chart, line chart, pie chart, table of figures, timeline, scatter plot, family tree, flow chart, organisation chart
diagram: circuit diagram, anatomical diagram, network diagram, infographic
screenshot: website 917, user interface, dialogue window, mobile app, spreadsheet, slide of a presentation, text editor, video game, chat, login page,
  dashboard, source code, menu of a program
drawing: pen drawing, pencil drawing, charcoal drawing, chalk drawing, ink wash drawing, sketch, life drawing, architectural drawing, line art
print: engraving, etching, woodcut, lithograph, mezzotint, Japanese woodblock print, screen print, linocut, wood engraving
painting: oil painting, watercolour, fresco, ink painting, panel painting, gold-ground painting, pastel, mural, landscape scroll, folk art painting,
  miniature painting, bird-and-flower painting
photograph: black and white photograph, aerial photograph, studio photograph, macro photograph, night photograph, snapshot, long exposure, old
  photograph, sports photograph, wildlife photograph, food photograph, street photograph, space photograph
pattern: geometric pattern, floral pattern, checked pattern, striped pattern, dotted pattern, tile pattern, repeating pattern, mosaic pattern, hexagon
  pattern, spiral pattern, triangle pattern
texture: wood texture, stone texture, metal texture, paper texture, fabric texture, brick texture, concrete texture
underwater: coral reef 974
`;

/** All terms for objects, scenes and genres. */
export const SUBJECT_TERMS = readVocabulary(VOCABULARY);
