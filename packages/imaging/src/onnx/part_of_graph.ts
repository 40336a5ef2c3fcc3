import { bytes, type Field, fieldsOf, integer, type Pieces, text } from './protobuf.ts';
import { WeightsError } from './tensors.ts';

// Field numbers: https://github.com/onnx/onnx/blob/v1.16.0/onnx/onnx.proto
const MODEL = { graph: 7 } as const;
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
const NODE = { input: 1, output: 2, attribute: 5 } as const;
const ATTRIBUTE = { graph: 6, graphs: 11 } as const;
const INITIALIZER_NAME = 8;
const FLOAT = 1;

/**
 * Extracts the part of an ONNX graph that computes some of its values as a separate file: the nodes they depend on, with their inputs and weights.
 * onnxruntime runs a whole graph whatever outputs are requested, and rejects a run with missing inputs; of a graph with two encoders, only one should
 * run.
 * @param outputs names of float values, including those of inner nodes
 * @throws WeightsError if the file is not an ONNX graph, or no node computes such a value
 */
export function partOfGraph(model: Uint8Array, outputs: readonly string[]): Uint8Array {
  try {
    const fields = [...fieldsOf(model)];
    const graph = fields.find(({ field }) => field === MODEL.graph)?.bytes;
    if (!graph) throw new WeightsError('The file is not an ONNX graph, or it is truncated.');
    return Buffer.concat(
      fields.flatMap((one) =>
        one.field === MODEL.graph ? bytes(one.field, cut(graph, outputs)) : [one.whole],
      ),
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WeightsError('The file is not an ONNX graph, or it is truncated or modified.', {
      cause: error,
    });
  }
}

function cut(graph: Uint8Array, outputs: readonly string[]): Pieces {
  const fields = [...fieldsOf(graph)];
  const nodes = fields
    .filter(({ field }) => field === GRAPH.node)
    .map(({ bytes: message }) => nodeOf(message));
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const needed = new Set<string>();
  const kept = new Set<Uint8Array>();
  const open = [...outputs];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue;
    needed.add(name);
    const maker = makers.get(name);
    if (!maker && outputs.includes(name)) throw new WeightsError(`The graph computes no "${name}".`);
    if (!maker || kept.has(maker.message)) continue;
    kept.add(maker.message);
    open.push(...maker.inputs);
  }
  const known = new Map(
    fields.filter(({ field }) => field === GRAPH.output).map((one) => [wordIn(one.bytes, 1), one.bytes]),
  );
  const isKept = ({ field, bytes: message }: Field) => {
    if (field === GRAPH.node) return kept.has(message);
    if (field === GRAPH.initializer) return needed.has(wordIn(message, INITIALIZER_NAME));
    if (field === GRAPH.input) return needed.has(wordIn(message, 1));
    // Information about inner values is not needed at run time.
    return field !== GRAPH.output && field !== GRAPH.valueInfo;
  };
  return [
    ...fields.filter(isKept).map(({ whole }) => whole),
    ...outputs.flatMap((name) =>
      bytes(GRAPH.output, known.has(name) ? [known.get(name)!] : floatValue(name)),
    ),
  ];
}

interface Node {
  readonly message: Uint8Array;
  /** Includes values that subgraphs take from the outer graph. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

function nodeOf(message: Uint8Array): Node {
  const fields = [...fieldsOf(message)];
  const words = (wanted: number) =>
    fields.filter(({ field }) => field === wanted).map((one) => wordOf(one.bytes));
  const inner = fields
    .filter(({ field }) => field === NODE.attribute)
    .flatMap((one) => [...fieldsOf(one.bytes)])
    .filter(({ field }) => field === ATTRIBUTE.graph || field === ATTRIBUTE.graphs)
    .flatMap((one) => innerInputs(one.bytes));
  return { message, inputs: [...words(NODE.input), ...inner].filter(Boolean), outputs: words(NODE.output) };
}

/** Names that a subgraph may take from the outer graph; including its own names is harmless. */
const innerInputs = (graph: Uint8Array): string[] =>
  [...fieldsOf(graph)].flatMap(({ field, bytes: message }) => {
    if (field === GRAPH.node) return [...nodeOf(message).inputs];
    return field === GRAPH.output ? [wordIn(message, 1)] : [];
  });

const floatValue = (name: string): Pieces => [...text(1, name), ...bytes(2, bytes(1, integer(1, FLOAT)))];

const wordOf = (word: Uint8Array): string => Buffer.from(word).toString('utf8');
const wordIn = (message: Uint8Array, wanted: number): string =>
  wordOf([...fieldsOf(message)].find(({ field }) => field === wanted)?.bytes ?? new Uint8Array(0));
