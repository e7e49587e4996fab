import { demoId } from '@app/contracts/demo.ids';

const BOT = { bot_id: demoId('bot', 1), channel: 'waba_coexistence' };

/** Bodies that work unedited in the demo. */
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
