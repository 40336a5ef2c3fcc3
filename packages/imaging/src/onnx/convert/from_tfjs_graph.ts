import { floatsOfHalves } from '../half_floats.ts';
import { type Tensor, WeightsError } from '../tensors.ts';
import { permute } from './permute.ts';
import { PictureNetwork, type Value } from './picture_network.ts';
import { type JsonObject, listIn, objectIn, short, type TfjsFile, textIn } from './tfjs_file.ts';

/**
 * Output of a node. Images are written with channels first, whatever their order in the file: a Transpose between the two orders changes `order` and
 * adds no node.
 */
type Given =
  | { readonly kind: 'image'; readonly value: Value; readonly order: 'channels_first' | 'channels_last' }
  /** Channels by positions: an image reshaped on the way to a table. */
  | { readonly kind: 'columns'; readonly value: Value }
  | { readonly kind: 'table'; readonly value: Value }
  | { readonly kind: 'integers'; readonly shape: readonly number[]; readonly numbers: readonly number[] }
  | { readonly kind: 'floats'; readonly tensor: Tensor };
type Image = Extract<Given, { kind: 'image' }>;

interface GraphNode {
  readonly name: string;
  readonly operator: string;
  readonly inputs: readonly string[];
  /** Untrusted. */
  readonly attributes: JsonObject;
}

interface Making {
  readonly network: PictureNetwork;
  readonly node: GraphNode;
  readonly given: readonly Given[];
}

/** Maximum length of lists of sizes, axes and padding. */
const INTEGERS_MAX = 16;

/**
 * Converts a TensorFlow.js graph model for images to an ONNX graph: `input` float32 (batch, channels, height, width), and outputs in the order of its
 * signature. The file must list each node after its inputs. Deterministic.
 * @throws WeightsError for damaged files, and for unsupported nodes by name
 */
export function fromTfjsGraph(file: TfjsFile): Uint8Array {
  const nodes = listIn(file.topology.node).map(readNode);
  const inputs = nodes.filter(({ operator }) => operator === 'Placeholder');
  if (inputs.length !== 1)
    throw new WeightsError(`The TensorFlow.js graph has ${inputs.length} inputs where one is known.`);
  const network = new PictureNetwork(imageSides(inputs[0]!));
  const made = new Map<string, readonly Given[]>();
  for (const node of nodes) made.set(node.name, makeNode(network, file, node, made));
  const outputs = outputsOf(file).map((name) => {
    const [given] = made.get(name) ?? [];
    if (!given || !('value' in given))
      throw new WeightsError(`Nothing in the TensorFlow.js graph makes its output "${short(name)}".`);
    return given.value;
  });
  return network.toModel(...outputs);
}

function readNode(item: unknown): GraphNode {
  const { name, op, input, attr } = objectIn(item);
  return {
    name: textIn(name),
    operator: textIn(op),
    inputs: listIn(input ?? []).map(textIn),
    attributes: objectIn(attr ?? {}),
  };
}

/** Names in numerical order: Identity, Identity_1, … */
function outputsOf({ signature }: TfjsFile): string[] {
  const said = Object.keys(objectIn(objectIn(signature).outputs)).map((name) => name.replace(/:0$/, ''));
  if (said.length === 0) throw new WeightsError('The TensorFlow.js graph names no output.');
  return said.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

function makeNode(
  network: PictureNetwork,
  file: TfjsFile,
  node: GraphNode,
  made: ReadonlyMap<string, readonly Given[]>,
): readonly Given[] {
  if (node.operator === 'Placeholder')
    return [{ kind: 'image', value: network.input, order: 'channels_first' }];
  if (node.operator === 'Const') return [constantOf(file, node)];
  const make = Object.hasOwn(OPERATORS, node.operator)
    ? (OPERATORS as Readonly<Record<string, (making: Making) => Given | Given[]>>)[node.operator]
    : undefined;
  if (!make)
    throw new WeightsError(
      `The network has a node ${short(node.operator)} ("${short(node.name)}"), which cannot be converted. Known are: ${Object.keys(OPERATORS).join(', ')}.`,
    );
  const given = node.inputs.map((input) => {
    const [name = '', output = '0'] = input.split(':');
    const found = made.get(name)?.[Number(output)];
    if (!found)
      throw new WeightsError(`The node "${short(node.name)}" has an input that no earlier node produces.`);
    return found;
  });
  return [make({ network, node, given })].flat();
}

function constantOf(file: TfjsFile, { name }: GraphNode): Given {
  const { shape, data, form } = file.weights(name);
  if (form === 'float16') return { kind: 'floats', tensor: { shape, data: floatsOfHalves(data) } };
  if (form === 'uint8') throw new WeightsError(`The weights "${short(name)}" are kept in 8 bits.`);
  if (data.length > 4 * INTEGERS_MAX)
    throw new WeightsError(`"${short(name)}" lists more numbers than ${INTEGERS_MAX}.`);
  return { kind: 'integers', shape, numbers: [...new Int32Array(new Uint8Array(data).buffer)] };
}

const OPERATORS = {
  Add,
  AddV2({ node, given }) {
    const [one, other] = [integersAt(node, given, 0), integersAt(node, given, 1)];
    if (one.length !== other.length) throw notKnown(node, 'lists of different length');
    return {
      kind: 'integers',
      shape: [one.length],
      numbers: one.map((number, at) => number + other[at]!),
    };
  },
  ConcatV2({ network, node, given }) {
    const images = given.slice(0, -1).map((_, at) => imageAt(node, given, at));
    const order = images[0]?.order;
    const [axis] = integersAt(node, given, given.length - 1);
    if (!order || images.some((image) => image.order !== order) || axis !== channelAxis(order))
      throw notKnown(node, 'parts that are not laid channel by channel');
    return { kind: 'image', order, value: network.concat(images.map(({ value }) => value)) };
  },
  Conv2D,
  Identity: ({ node, given }) => given[0] ?? fail(node),
  LeakyRelu({ network, node, given }) {
    const image = imageAt(node, given, 0);
    const alpha = objectIn(node.attributes.alpha ?? {}).f;
    if (typeof alpha !== 'number' || !(alpha >= 0 && alpha <= 1)) throw notKnown(node, 'a slope');
    return { ...image, value: network.leakyRelu(image.value, alpha) };
  },
  MaxPool({ network, node, given }) {
    const image = lastAt(node, given);
    const size = spatial(node, 'ksize');
    return { ...image, value: network.maxPool(image.value, { size, ...windowOf(node) }) };
  },
  Pad: (making) => padded(making, 0),
  PadV2({ given, ...making }) {
    const border = given[2];
    const value = border?.kind === 'floats' ? border.tensor.data[0] : undefined;
    if (value === undefined || Number.isNaN(value)) throw notKnown(making.node, 'a border');
    return padded({ ...making, given }, value);
  },
  Reshape({ node, given }) {
    const { value, order } = imageAt(node, given, 0);
    const [pictures, channels, places] = integersAt(node, given, 1);
    const area = value.sides[1]! * value.sides[2]!;
    const isKnown = order === 'channels_first' && pictures === 1 && channels === value.sides[0];
    if (!isKnown || (places !== -1 && places !== area)) throw notKnown(node, 'a shape');
    return { kind: 'columns', value };
  },
  ResizeBilinear({ network, node, given }) {
    const image = lastAt(node, given);
    if (boolean(node, 'align_corners') || !boolean(node, 'half_pixel_centers'))
      throw notKnown(node, 'middles of pixels');
    return { ...image, value: network.resizeBilinear(image.value, integersAt(node, given, 1)) };
  },
  Sigmoid({ network, node, given }) {
    const image = imageAt(node, given, 0);
    return { ...image, value: network.sigmoid(image.value) };
  },
  /** Without indices: a constant with the default value in the given shape. */
  SparseToDense({ node, given }) {
    const [length = 0] = integersAt(node, given, 1);
    const [absent = 0] = integersAt(node, given, 3);
    const places = [0, 2].flatMap((at) => integersAt(node, given, at));
    if (places.length > 0 || !(length >= 0 && length <= INTEGERS_MAX)) throw notKnown(node, 'a list');
    return { kind: 'integers', shape: [length], numbers: Array.from({ length }, () => absent) };
  },
  SplitV({ network, node, given }) {
    const image = imageAt(node, given, 0);
    const [sizes, [axis]] = [integersAt(node, given, 1), integersAt(node, given, 2)];
    if (axis !== channelAxis(image.order) || sizes.some((size) => size < 1)) throw notKnown(node, 'parts');
    if (sizes.reduce((sum, size) => sum + size, 0) !== image.value.sides[0]) throw notKnown(node, 'parts');
    let from = 0;
    return sizes.map((size): Given => {
      from += size;
      return { ...image, value: network.channels(image.value, from - size, from) };
    });
  },
  Transpose({ network, node, given }) {
    const [from] = given;
    const perm = integersAt(node, given, 1).join();
    if (from?.kind === 'columns' && perm === '0,2,1')
      return { kind: 'table', value: network.toTable(from.value, from.value.sides[0]!) };
    const image = imageAt(node, given, 0);
    if (image.order === 'channels_first' && perm === '0,2,3,1') return { ...image, order: 'channels_last' };
    if (image.order === 'channels_last' && perm === '0,3,1,2') return { ...image, order: 'channels_first' };
    throw notKnown(node, 'an order of sides');
  },
} as const satisfies Record<string, (making: Making) => Given | Given[]>;

/** Adds two images, or an image and one number per channel. */
function Add({ network, node, given }: Making): Given {
  const image = imageAt(node, given, 0);
  const other = given[1];
  if (other?.kind === 'floats') {
    if (image.order !== 'channels_last') throw notKnown(node, 'numbers for another side than channels');
    return { ...image, value: network.addToChannels(image.value, other.tensor) };
  }
  const { value, order } = imageAt(node, given, 1);
  if (order !== image.order) throw notKnown(node, 'images in different order');
  return { ...image, value: network.add(image.value, value) };
}

function Conv2D({ network, node, given }: Making): Given {
  const image = lastAt(node, given);
  const kernel = given[1];
  if (kernel?.kind !== 'floats' || kernel.tensor.shape.length !== 4) throw notKnown(node, 'a kernel');
  if (spatial(node, 'dilations').some((rate) => rate !== 1)) throw notKnown(node, 'a dilation');
  return {
    ...image,
    value: network.convolution(image.value, {
      name: node.name,
      kernel: permute(kernel.tensor, [3, 2, 0, 1]),
      groups: 1,
      ...windowOf(node),
    }),
  };
}

function padded({ network, node, given }: Making, border: number): Given {
  const image = imageAt(node, given, 0);
  const edges = integersAt(node, given, 1);
  const [pictures, pictures2, ...rest] = edges;
  const isFirst = image.order === 'channels_first';
  const [channels, channels2] = isFirst ? rest.slice(0, 2) : rest.slice(4, 6);
  const [top = -1, bottom = -1, left = -1, right = -1] = isFirst ? rest.slice(2, 6) : rest.slice(0, 4);
  if (edges.length !== 8 || [pictures, pictures2, channels, channels2].some((edge) => edge !== 0))
    throw notKnown(node, 'a border of images or channels');
  return { ...image, value: network.pad(image.value, [top, left, bottom, right], border) };
}

const channelAxis = (order: Image['order']): number => (order === 'channels_first' ? 1 : 3);

function imageAt(node: GraphNode, given: readonly Given[], at: number): Image {
  const image = given[at];
  return image?.kind === 'image' ? image : fail(node);
}

/** The input as an image with channels last, as windowed layers require. */
function lastAt(node: GraphNode, given: readonly Given[]): Image {
  const image = imageAt(node, given, 0);
  if (image.order !== 'channels_last') throw notKnown(node, 'channels that are not last');
  return image;
}

function integersAt(node: GraphNode, given: readonly Given[], at: number): readonly number[] {
  const integers = given[at];
  return integers?.kind === 'integers' ? integers.numbers : fail(node);
}

/** Height and width from a list with one number per dimension (batch, height, width, channels). */
function spatial(node: GraphNode, attribute: string): [number, number] {
  const numbers = listIn(objectIn(objectIn(node.attributes[attribute]).list).i).map(Number);
  const [pictures, down = 0, across = 0, channels] = numbers;
  if (numbers.length !== 4 || pictures !== 1 || channels !== 1) throw notKnown(node, short(attribute));
  return [down, across];
}

function windowOf(node: GraphNode): { strides: [number, number]; padding: 'same' | 'valid' } {
  const said = (attribute: string): string =>
    Buffer.from(textIn(objectIn(node.attributes[attribute] ?? {}).s), 'base64').toString('latin1');
  const padding = said('padding');
  if (said('data_format') !== 'NHWC') throw notKnown(node, 'channels that are not last');
  if (padding !== 'SAME' && padding !== 'VALID') throw notKnown(node, 'a padding');
  return { strides: spatial(node, 'strides'), padding: padding === 'SAME' ? 'same' : 'valid' };
}

const boolean = (node: GraphNode, attribute: string): boolean =>
  objectIn(node.attributes[attribute] ?? {}).b === true;

/** Channels, height and width of the only input image. */
function imageSides(node: GraphNode): number[] {
  const shape = objectIn(objectIn(node.attributes.shape ?? {}).shape ?? {});
  const [pictures, ...sides] = listIn(shape.dim).map((side) => Number(objectIn(side).size));
  if (pictures !== 1) throw notKnown(node, 'a number of images');
  return sides;
}

const notKnown = (node: GraphNode, what: string): WeightsError =>
  new WeightsError(
    `The node "${short(node.name)}" (${short(node.operator)}) has ${what} that cannot be converted.`,
  );

function fail(node: GraphNode): never {
  throw new WeightsError(
    `The node "${short(node.name)}" (${short(node.operator)}) is given something else than it takes.`,
  );
}
