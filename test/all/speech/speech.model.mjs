import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ort from 'onnxruntime-web';
import protobuf from 'protobufjs/minimal.js';

/** Samples a second that the model takes. */
export const RATE = 16_000;
/** It looks at half a minute at once. */
const WINDOW = 30 * RATE;
const TOKENS_MAX = 64;
/** Whatever is below is text. */
const FIRST_SPECIAL_TOKEN = 50_256;

const BYTES = 2;
/** Numbers of fields (onnx.proto). */
const MODEL = { graph: 7 };
const GRAPH = { node: 1, output: 12 };
const NODE = { type: 4, attribute: 5 };
const ATTRIBUTE = { name: 1, text: 4 };
/** `sequences`, a tensor of 32-bit integers. */
const TOKENS_OUTPUT = Buffer.concat([
  Buffer.from('\x0a\x09sequences', 'latin1'),
  Buffer.from([18, 4, 10, 2, 8, 6]),
]);

/** Whisper's English model "tiny", in 8 bits, as `speech-transcriber` ships it for ONNX. */
export class SpeechModel {
  static async open() {
    const path = new URL('./model/whisper_cpu_int8_0_model.onnx', import.meta.resolve('speech-transcriber'));
    const { model, decoder } = withoutDecoder(readFileSync(fileURLToPath(path)));
    // Other tests run beside it.
    ort.env.wasm.numThreads = 1;
    const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
    return new SpeechModel(session, decoder);
  }

  constructor(session, decoder) {
    this.session = session;
    this.words = decoder.id_vocab.split('\n');
    this.bytes = new Map(decoder.byte_decoder.split('\n').map((line) => line.split('\t').map(Number)));
  }

  /** @param samples {Float32Array} */
  async hear(samples) {
    const texts = [];
    for (let from = 0; from < samples.length; from += WINDOW)
      texts.push(await this.hearWindow(samples.subarray(from, from + WINDOW)));
    return texts.join(' ');
  }

  async hearWindow(samples) {
    const integer = (value) => new ort.Tensor('int32', Int32Array.of(value), [1]);
    const factor = (value) => new ort.Tensor('float32', Float32Array.of(value), [1]);
    const { sequences } = await this.session.run({
      audio_pcm: new ort.Tensor('float32', samples, [1, samples.length]),
      ...{ min_length: integer(1), max_length: integer(TOKENS_MAX) },
      ...{ num_beams: integer(1), num_return_sequences: integer(1) },
      ...{ length_penalty: factor(1), repetition_penalty: factor(1) },
    });
    return this.textOf([...sequences.data].filter((token) => token < FIRST_SPECIAL_TOKEN));
  }

  /** Each character of the vocabulary stands for a byte. */
  textOf(tokens) {
    const characters = tokens.flatMap((token) => [...(this.words[token] ?? '')]);
    return Buffer.from(
      characters.map((character) => this.bytes.get(character.codePointAt(0)) ?? 63),
    ).toString();
  }
}

/**
 * The last node of the graph makes text of tokens, by an operator that the runtime lacks. It is cut off, and what
 * it knows is given back.
 */
function withoutDecoder(bytes) {
  const decoder = {};
  const model = rewritten(bytes, (field, graph) =>
    field !== MODEL.graph
      ? graph
      : rewritten(graph, (part, value) => {
          if (part === GRAPH.output) return TOKENS_OUTPUT;
          if (part !== GRAPH.node || textIn(value, NODE.type) !== 'BpeDecoder') return value;
          for (const attribute of fieldsOf(value).filter(({ field: each }) => each === NODE.attribute))
            decoder[textIn(attribute.value, ATTRIBUTE.name)] = textIn(attribute.value, ATTRIBUTE.text);
          return null;
        }),
  );
  return { model, decoder };
}

/** A message of protobuf whose fields of bytes are changed; null leaves one out. */
function rewritten(bytes, change) {
  const parts = fieldsOf(bytes).map(({ field, value, raw }) => {
    if (value === null) return raw;
    const changed = change(field, value);
    if (changed === value) return raw;
    return changed === null
      ? Buffer.alloc(0)
      : protobuf.Writer.create()
          .uint32(field * 8 + BYTES)
          .bytes(changed)
          .finish();
  });
  return Buffer.concat(parts);
}

function fieldsOf(bytes) {
  const reader = protobuf.Reader.create(bytes);
  const fields = [];
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const tag = reader.uint32();
    const hasBytes = (tag & 7) === BYTES;
    const value = hasBytes ? reader.bytes() : (reader.skipType(tag & 7), null);
    fields.push({ field: tag >>> 3, value, raw: bytes.subarray(from, reader.pos) });
  }
  return fields;
}

const textIn = (bytes, wanted) =>
  Buffer.from(fieldsOf(bytes).find(({ field }) => field === wanted)?.value ?? '').toString();
