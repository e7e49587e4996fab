import { demoId } from '@app/contracts/demo-ids';

const ALMATY = 'Asia/Almaty';
const WORKDAYS = [1, 2, 3, 4, 5];

/** Bodies that work in the demo as they are. They have every kind of step. */
export const CREATE_SCENARIO_EXAMPLES = {
  'thanks, then a question to those who are silent': {
    value: {
      status_id: demoId('status', 4),
      name: 'Счёт выставлен',
      steps: [
        { kind: 'send_template', template_id: 'visit_reminder', params: ['{{lead.name|клиент}}', '15:30'] },
        { kind: 'wait_for_reply', seconds: 86_400, on_timeout: { go: 'remind' } },
        { kind: 'notify', text: 'Клиент ответил: {{lead.name|без имени}}.' },
        {
          kind: 'condition',
          all: [{ fact: 'replied', is: false }],
          else: 'stop',
        },
        { kind: 'send_text', label: 'remind', text: 'Счёт ещё ждёт вас.', on_failure: 'continue' },
        { kind: 'set_status', status_id: demoId('status', 6) },
      ],
      send_hours: {
        timezone: ALMATY,
        spans: [{ weekdays: WORKDAYS, from: '09:00', to: '20:00' }],
        closed: ['2026-12-31'],
      },
    },
  },
  'at ten the next morning, to a person': {
    value: {
      status_id: demoId('status', 7),
      name: 'Перезвонить утром',
      state: 'off',
      on_takeover: 'continue',
      reentry: 'ignore',
      cooldown_seconds: 3_600,
      steps: [
        { kind: 'wait_until', time: '10:00', timezone: ALMATY, weekdays: WORKDAYS, at_least_seconds: 3_600 },
        { kind: 'set_ai', ai_enabled: false },
        { kind: 'hand_over', note: 'Клиент просил перезвонить.' },
      ],
    },
  },
  'to a system of yours': {
    value: {
      status_id: demoId('status', 10),
      name: 'Проверка',
      state: 'off',
      steps: [
        {
          kind: 'http',
          method: 'POST',
          url: 'https://shop.example.com/checks',
          headers: { Authorization: 'Bearer 4f1c9be27d60a8352e9b7c14' },
          body: { phone: '{{lead.phone}}', stage: '{{status.name}}' },
        },
        { kind: 'wait', seconds: 600 },
        { kind: 'return_to_ai' },
      ],
    },
  },
};

export const CHANGE_SCENARIO_EXAMPLES = {
  pause: { value: { state: 'paused' } },
  'other steps, also for runs under way none of the old': {
    value: { state: 'on', steps: [{ kind: 'notify', text: 'Деньги пришли.' }], running: 'cancel' },
  },
};
