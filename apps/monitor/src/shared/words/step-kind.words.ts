import { featureWords } from './feature.words';

/** What the steps of scenarios are called, where they are made and where they run. */
export const stepKindWords = featureWords('step-kinds', {
  en: {
    kind_send_template: 'Send a template',
    kind_send_text: 'Send a text',
    kind_request_phone: 'Ask for the phone',
    kind_wait: 'Wait',
    kind_wait_until: 'Wait until a time of day',
    kind_wait_for_reply: 'Wait for a reply',
    kind_condition: 'Go on only if',
    kind_set_status: 'Move the lead',
    kind_set_ai: 'Switch the AI off',
    kind_hand_over: 'Hand over to a person',
    kind_return_to_ai: 'Return to the agent',
    kind_assign: 'Assign to a person',
    kind_notify: 'Ask for a person',
    kind_http: 'Call a system of yours',
  },
  ru: {
    kind_send_template: 'Отправить шаблон',
    kind_send_text: 'Отправить текст',
    kind_request_phone: 'Попросить телефон',
    kind_wait: 'Подождать',
    kind_wait_until: 'Ждать времени суток',
    kind_wait_for_reply: 'Ждать ответа',
    kind_condition: 'Продолжить, только если',
    kind_set_status: 'Перенести клиента',
    kind_set_ai: 'Выключить ИИ',
    kind_hand_over: 'Передать человеку',
    kind_return_to_ai: 'Вернуть агенту',
    kind_assign: 'Назначить ответственного',
    kind_notify: 'Позвать человека',
    kind_http: 'Вызвать вашу систему',
  },
});
