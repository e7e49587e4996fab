import { demoId } from '@app/contracts/demo-ids';

/** Bodies that work in the demo as they are. */
export const CREATE_ASSISTANT_EXAMPLES = {
  'with instructions': {
    value: {
      account_id: demoId('account', 1),
      name: 'Night agent',
      instructions: 'You answer for Harbour Coffee at night. Be brief, and promise no prices.',
      barred_kinds: ['success'],
      handover_text: 'A colleague will write to you in the morning.',
    },
  },
};

export const TRY_ASSISTANT_EXAMPLES = {
  'a first question': {
    value: { messages: [{ role: 'USER', text: 'Здравствуйте! Сколько стоит кофемашина?' }] },
  },
  'a dialog': {
    value: {
      messages: [
        { role: 'USER', text: 'Здравствуйте!' },
        { role: 'AI', text: 'Здравствуйте! Чем помочь?' },
        { role: 'USER', text: 'Доставка есть?' },
      ],
    },
  },
};

export const CHANGE_ASSISTANT_EXAMPLES = {
  'shorter replies': { value: { reply_characters_max: 1_500 } },
  'the quiet time of the service': { value: { reply_delay_ms: null } },
};
