import { TAKEN } from './written.calls';

const TURN = '(?:assistant|model|user|system|tool|developer|answer)';
/** A former price with words about it, and the new one behind it. */
const STRUCK = '[^<>\\n]{0,60}\\d[^<>\\n]{0,60}';
const NEW_PRICE = '[^<>\\n]{0,40}\\d';
/** Tokens that end a turn or begin one, with the name of its speaker. */
const TURNS = new RegExp(
  [
    `<\\|(?:im_start|start|start_header_id|header_start|start_of_role|role_start|turn)\\|>[ \\t]*${TURN}?[ \\t]*(?:<\\|(?:end_header_id|header_end|end_of_role|role_end|im_sep|message)\\|>)?`,
    `<\\|(?:im_end|end|eot_id|eom_id|endoftext|end_of_text|end_of_sentence|begin_of_sentence|return|call|eot|eom|end_of_turn|endofturn|end_of_msg|im_sep|message_sep|END_OF_TURN_TOKEN|END_RESPONSE|END_TEXT|end_message)\\|>`,
    `<\\|(?:im_)?(?:assistant|user|system|observation|START_RESPONSE|START_TEXT|START_OF_TURN_TOKEN|CHATBOT_TOKEN|USER_TOKEN|SYSTEM_TOKEN)(?:_(?:start|end))?\\|>(?:${TURN}?<\\|im_middle\\|>)?`,
    `(?:^\\s*${TURN})?<\\|role_sep\\|>`,
    `<(?:start_of_turn>|\\|turn>|seed:bos>|extra_id_1>)[ \\t]*${TURN}?|<(?:end_of_turn|turn\\||seed:eos|end_of_utterance)>`,
    `\\]~b\\][ \\t]*(?:ai|${TURN})?|\\[e~\\[|\\[\\|(?:endofturn|assistant|user|system)\\|\\]`,
    // Not a price that is struck out, a size, or a user's name to fill in.
    `(?<!\\S[ \\t]{1,3}(?=<s>(?:[ \\t,.;)]|$)))<s>(?!\\s*[$€£₸₽\\d][^<>\\n]{0,40}</s>|${STRUCK}</s>${NEW_PRICE})|(?<!<s>\\s*[$€£₸₽\\d][^<>\\n]{0,40})(?:(?<!<s>${STRUCK})</s>|</s>(?!${NEW_PRICE}))|(?<![\\p{L}\\p{N},:/@("'=-][ \\t]?)</?(?:assistant|user|human)>(?![ \\t]{0,3}[–—=-])`,
    '<(?:eos|bos|eod|eop|sop)(?:_token)?>|\\[\\/?INST\\]|\\[EOT\\]|\\[/s\\]|<<\\/?SYS>>',
  ].join('|'),
  'giu',
);
/** Any other token. */
const TOKENS =
  /<\|[^|<>\n]{1,60}\|>|\[\|\w{1,40}\|\]|<(?:unk|pad|mask|unused\d+|(?:reserved|SPECIAL|extra_id)_\w{1,40}|0x[0-9A-F]{2})>|\[(?:gMASK|sMASK|EOS|BOS|PAD|unused\d+)\]|\]~!b\[/g;
const SPEAKER = /^\s*assistant\s*(?::\s|\n)/i;
/** A turn that the model has made up for somebody else. */
const NEXT_TURN =
  /\n[ \t]*(?:#{1,4}[ \t]*)?(?:Human|User|Customer)[ \t]*:(?=[\s\S]{0,4000}?\n[ \t]*(?:#{1,4}[ \t]*)?(?:Assistant|AI|Bot)[ \t]*:)[\s\S]*$|(?:(?!^)\n[ \t]*Human:|\n[ \t]*#{2,4}[ \t]*(?:Instruction|Human|User|Input)[ \t]*:|(?<=[.!?…。]["'”»)]?)[ \t]*\n\s{0,9}[Aa]ssistant[ \t]*:)[\s\S]*$/;

const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u;

/** Whose turn begins after a token. */
const OTHERS = /user|human|system|tool|developer|observation|\[INST\]|<<\/?SYS>>/i;
const ENDS =
  /^<\|(?:im_end|end|eo[tm]|message_sep|return|call|\w+_end)|^<(?:end_of|turn\||\/s|seed:eos|eos|eod|eop|\/assistant)|^\[(?:e~|EOT|\|end|\/s)/i;

/**
 * The model's first turn that says or calls anything: what it writes after its end, or for others, is not for anybody.
 */
export function firstTurn(text: string): string {
  let from = 0;
  let isOurs = true;
  let hasCalled = false;
  let first = '';
  for (const match of [...text.matchAll(TURNS), null]) {
    const turn = text.slice(from, match?.index).replace(TOKENS, '');
    hasCalled ||= turn.includes(TAKEN);
    if (isOurs && VISIBLE.test(turn)) {
      first = turn;
      break;
    }
    if (!match) break;
    isOurs = !OTHERS.test(match[0]) && !ENDS.test(match[0]);
    if (hasCalled && !isOurs) break;
    from = match.index + match[0].length;
  }
  return `\n${first.replaceAll(TAKEN, '').replace(SPEAKER, '')}`.replace(NEXT_TURN, '');
}
