import { demoId } from '@app/contracts/demo.ids';

/** Bodies that work in the demo as they are. */
export const CREATE_TEMPLATE_EXAMPLES = {
  'with two variables and replies': {
    value: {
      bot_id: demoId('bot', 1),
      channel: 'waba_coexistence',
      name: 'visit_reminder_with_replies',
      language: 'ru',
      category: 'utility',
      body: 'Здравствуйте, {{1}}! Ждём вас в {{2}}.',
      footer: 'Чтобы отписаться, напишите СТОП',
      buttons: [
        { type: 'quick_reply', text: 'Приду' },
        { type: 'quick_reply', text: 'Перенести' },
      ],
      examples: { body: ['Айгуль', '15:30'] },
    },
  },
  'with names': {
    value: {
      bot_id: demoId('bot', 1),
      channel: 'waba_coexistence',
      name: 'order_is_ready',
      language: 'en',
      category: 'utility',
      parameter_format: 'named',
      header: { format: 'text', text: 'Order {{number}}' },
      body: 'Hello {{first_name}}, your order is ready at {{place}}.',
      examples: { header: '4711', body: ['Aida', 'the desk'] },
    },
  },
  'of a one-time code': {
    value: {
      bot_id: demoId('bot', 1),
      channel: 'waba_coexistence',
      name: 'sign_in_code',
      language: 'en',
      category: 'authentication',
      add_security_recommendation: true,
      code_expiration_minutes: 10,
      buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Copy code' }],
    },
  },
};

export const CHANGE_TEMPLATE_EXAMPLES = {
  'a variable and a footer more': {
    value: {
      body: 'Как вам наш кофе, {{1}}? Напишите нам пару слов.',
      footer: 'Чтобы отписаться, напишите СТОП',
      examples: { body: ['Айгуль'] },
    },
  },
  'no footer any more': { value: { footer: null } },
};
