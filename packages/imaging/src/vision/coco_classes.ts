/**
 * Classes of detectors trained on COCO (Common Objects in Context, 2017), in the order of their outputs. Names and order follow the published
 * annotations: https://cocodataset.org/#explore
 */
export const COCO_CLASSES = [
  ...['person', 'bicycle', 'car', 'motorcycle', 'airplane', 'bus', 'train', 'truck', 'boat', 'traffic light'],
  ...['fire hydrant', 'stop sign', 'parking meter', 'bench', 'bird', 'cat', 'dog', 'horse', 'sheep', 'cow'],
  ...[
    'elephant',
    'bear',
    'zebra',
    'giraffe',
    'backpack',
    'umbrella',
    'handbag',
    'tie',
    'suitcase',
    'frisbee',
  ],
  ...[
    'skis',
    'snowboard',
    'sports ball',
    'kite',
    'baseball bat',
    'baseball glove',
    'skateboard',
    'surfboard',
  ],
  ...['tennis racket', 'bottle', 'wine glass', 'cup', 'fork', 'knife', 'spoon', 'bowl', 'banana', 'apple'],
  ...['sandwich', 'orange', 'broccoli', 'carrot', 'hot dog', 'pizza', 'donut', 'cake', 'chair', 'couch'],
  ...['potted plant', 'bed', 'dining table', 'toilet', 'tv', 'laptop', 'mouse', 'remote', 'keyboard'],
  ...['cell phone', 'microwave', 'oven', 'toaster', 'sink', 'refrigerator', 'book', 'clock', 'vase'],
  ...['scissors', 'teddy bear', 'hair drier', 'toothbrush'],
] as const;

export type CocoClass = (typeof COCO_CLASSES)[number];

/** Means of transport; a detector and a tagger that agree are reliable for these. */
export const VEHICLES: ReadonlySet<CocoClass> = new Set([
  ...(['bicycle', 'car', 'motorcycle', 'airplane', 'bus', 'train', 'truck', 'boat'] as const),
]);

/** Synonyms of the classes. */
const SYNONYMS: Readonly<Record<string, CocoClass>> = {
  ...{ people: 'person', man: 'person', men: 'person', woman: 'person', women: 'person', child: 'person' },
  ...{ children: 'person', boy: 'person', girl: 'person', human: 'person', baby: 'person' },
  ...{
    bike: 'bicycle',
    motorbike: 'motorcycle',
    plane: 'airplane',
    aeroplane: 'airplane',
    aircraft: 'airplane',
  },
  ...{
    ship: 'boat',
    yacht: 'boat',
    lorry: 'truck',
    van: 'truck',
    coach: 'bus',
    automobile: 'car',
    auto: 'car',
  },
  ...{
    kitten: 'cat',
    puppy: 'dog',
    sofa: 'couch',
    plant: 'potted plant',
    table: 'dining table',
    glass: 'wine glass',
  },
  ...{
    phone: 'cell phone',
    smartphone: 'cell phone',
    television: 'tv',
    screen: 'tv',
    fridge: 'refrigerator',
  },
  ...{ bag: 'handbag', mug: 'cup', ball: 'sports ball', doughnut: 'donut' },
};

/** The class for a word in the singular or plural. */
export function cocoClassOf(word: string): CocoClass | undefined {
  const said = word.trim().toLowerCase();
  const forms = [said, said.replace(/s$/, ''), said.replace(/es$/, '')];
  return (
    COCO_CLASSES.find((kind) => forms.includes(kind)) ??
    forms.map((form) => (Object.hasOwn(SYNONYMS, form) ? SYNONYMS[form] : undefined)).find((kind) => kind)
  );
}
