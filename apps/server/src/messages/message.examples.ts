import { demoId } from '@app/contracts/demo.ids';
import { MAGIC_NUMBERS } from '@app/contracts/magic.numbers';
import { EXAMPLE_THREAD_ID } from '../http/example.ids';

const BOT = { bot_id: demoId('bot', 1), channel: 'waba_coexistence' };

/** Bodies that work in the demo as they are. */
export const SEND_TEMPLATE_EXAMPLES = {
  'to one': { value: { ...BOT, to: { phone: '+77015551001' }, template_id: 'order_ready' } },
  'to one, with variables': {
    value: {
      ...BOT,
      to: { phone: '+77015551001', params: ['Aigul', '15:30'] },
      template_id: 'visit_reminder',
      template_language: 'en',
    },
  },
  'to a list': {
    value: {
      ...BOT,
      to: [
        { phone: '+77015551001', params: ['Айгуль', '15:30'] },
        { phone: '+77015551002', params: ['Данияр', '16:00'] },
      ],
      template_id: 'visit_reminder',
    },
  },
};

export const GET_BATCHES_EXAMPLES = {
  'of a bot': { value: { bot_id: BOT.bot_id, limit: 20 } },
  'of all bots': { value: {} },
};

/** What the demo's sandbox does with messages to certain phones, as Markdown. */
export const MAGIC_NUMBERS_TABLE = [
  'In the demo these phones give one outcome each; every other phone takes what it is sent:',
  '',
  '| Phone | What happens |',
  '|---|---|',
  ...MAGIC_NUMBERS.map(({ phone, happens }) => `| \`${phone}\` | ${happens} |`),
].join('\n');

/** A file needs an id of upload-media, which nobody knows before. */
export const SEND_TEXT_EXAMPLES = {
  text: {
    summary: 'A text',
    value: { thread_id: EXAMPLE_THREAD_ID, text: 'Your parcel is at the desk.' },
  },
};
