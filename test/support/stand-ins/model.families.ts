import { DONE, event, saying } from './completion.script';

/** What a server sends for one text, byte for byte, and what of it is for the customer. */
export interface ModelFamily {
  /** The server or the model, and where it is known from. */
  of: string;
  /** The whole body of the answer. */
  body: string;
  /** Other than `text/event-stream`. */
  type?: string;
  /** Empty: it only calls. */
  text: string;
  /** The arguments of the calls of `note`, each executed once. */
  calls?: unknown[];
}

const TEXT = 'One is 15,000 tenge.';
const json = (value: object): string => JSON.stringify(value);
const document = (message: object, finish = 'stop'): string =>
  json({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }] });
/** A stream whose chunks have these deltas. */
const deltas = (finish: string, ...all: object[]): string =>
  all.map((delta) => event(delta)).join('') + event({}, finish) + DONE;

/** How servers answer that call themselves compatible with OpenAI's. */
export const MODEL_FAMILIES: readonly ModelFamily[] = [
  { of: 'OpenAI', body: saying(TEXT), text: TEXT },
  {
    of: 'DeepSeek-R1 without its opening mark (deepseek-ai/DeepSeek-R1#352)',
    body: saying(`They want a price.\n</think>\n\n${TEXT}`),
    text: TEXT,
  },
  {
    of: 'DeepSeek, thoughts in a field of their own',
    body: deltas(
      'stop',
      { role: 'assistant', content: null, reasoning_content: 'A price.' },
      { content: TEXT },
    ),
    text: TEXT,
  },
  {
    of: 'OpenRouter: comments, and thoughts as `reasoning`',
    body: `: OPENROUTER PROCESSING\n\n${deltas('stop', { reasoning: 'A price.', content: '' }, { content: TEXT })}`,
    text: TEXT,
  },
  {
    of: 'Mistral: parts of a content',
    body: deltas(
      'stop',
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'A price.' }] }] },
      { content: [{ type: 'text', text: TEXT }] },
    ),
    text: TEXT,
  },
  { of: 'Magistral', body: saying(`[THINK]A price.[/THINK]${TEXT}`), text: TEXT },
  {
    of: 'gpt-oss behind a server without its parser',
    body: saying(
      `<|channel|>analysis<|message|>A price.<|end|><|start|>assistant<|channel|>final<|message|>${TEXT}`,
    ),
    text: TEXT,
  },
  {
    of: 'Qwen by vLLM without a parser of calls (vllm-project/vllm#11903)',
    body: saying('<tool_call>\n{"name": "note", "arguments": {"n": 7}}\n</tool_call>'),
    text: '',
    calls: [{ n: 7 }],
  },
  {
    of: 'Hermes by Ollama: a call as JSON in the content (NVIDIA/NemoClaw#2731)',
    body: saying('{"name": "note", "arguments": {"n": 7}}'),
    text: '',
    calls: [{ n: 7 }],
  },
  {
    of: 'Mistral: calls as text',
    body: saying('[TOOL_CALLS][{"name": "note", "arguments": {"n": 7}}]'),
    text: '',
    calls: [{ n: 7 }],
  },
  {
    of: 'MiniMax (EKKOLearnAI/hermes-studio#942)',
    body: saying(
      '<minimax:tool_call><invoke name="note"><parameter name="n">7</parameter></invoke></minimax:tool_call>',
    ),
    text: '',
    calls: [{ n: 7 }],
  },
  {
    of: 'text beside a call',
    body: saying(`${TEXT}\n<tool_call>{"name":"note","arguments":{"n":7}}</tool_call>`),
    text: TEXT,
    calls: [{ n: 7 }],
  },
  {
    of: 'Ollama: arguments as an object, no index, no id',
    body: deltas('tool_calls', { tool_calls: [{ function: { name: 'note', arguments: { n: 7 } } }] }),
    text: '',
    calls: [{ n: 7 }],
  },
  {
    of: 'Gemini: a whole call without an index, the reason in capitals',
    body: deltas('STOP', {
      tool_calls: [{ id: '', type: 'function', function: { name: 'note', arguments: '{"n":7}' } }],
    }),
    text: '',
    calls: [{ n: 7 }],
  },
  {
    of: 'YandexGPT by a gateway: the reason beside the last words, no end mark (sazonovanton/YandexGPT_to_OpenAI)',
    body:
      event({ content: TEXT.slice(0, 7), role: 'assistant' }) +
      event({ content: TEXT.slice(7), role: 'assistant' }, 'stop'),
    text: TEXT,
  },
  {
    of: 'GigaChat: a function_call',
    body: deltas('function_call', { function_call: { name: 'note', arguments: { n: 7 } } }),
    text: '',
    calls: [{ n: 7 }],
  },
  {
    of: 'the same call in both forms',
    body: deltas(
      'tool_calls',
      { content: '<tool_call>{"name":"note","arguments":{"n":7}}</tool_call>' },
      { tool_calls: [{ index: 0, id: 'a', function: { name: 'note', arguments: '{"n": 7}' } }] },
    ),
    text: '',
    calls: [{ n: 7 }],
  },
  {
    of: 'llama.cpp: tokens of turns',
    body: saying(`${TEXT}<|im_end|>\n<|im_start|>user\nThanks`),
    text: TEXT,
  },
  {
    of: 'LM Studio: the whole as JSON',
    body: document({ role: 'assistant', content: TEXT }),
    type: 'application/json',
    text: TEXT,
  },
  {
    of: 'a gateway: JSON that calls',
    body: document(
      { content: null, tool_calls: [{ id: 'a', function: { name: 'note', arguments: { n: 7 } } }] },
      'tool_calls',
    ),
    type: 'application/json; charset=utf-8',
    text: '',
    calls: [{ n: 7 }],
  },
  { of: 'a stream as text/plain', body: saying(TEXT), type: 'text/plain', text: TEXT },
  { of: 'a stream as application/json', body: saying(TEXT), type: 'application/json', text: TEXT },
  {
    of: 'roles of its own, lines with CR LF, a BOM and pings',
    body: `\ufeff${json({ type: 'ping' }).replace(/^/, 'data: ')}\r\n\r\n${saying(TEXT).replaceAll('"role":"assistant"', '"role":"model"').replaceAll('\n', '\r\n')}`,
    text: TEXT,
  },
  {
    of: 'Azure: a first chunk without choices',
    body: `data: {"choices":[],"prompt_filter_results":[]}\n\n${saying(TEXT)}`,
    text: TEXT,
  },
  { of: 'an answer in JSON', body: saying(json({ response: TEXT })), text: TEXT },
];
