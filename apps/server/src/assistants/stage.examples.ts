import { EXAMPLE_ASSISTANT_ID } from '../http/example.ids';

/** Bodies that work in the demo as they are. */
export const CREATE_STAGE_EXAMPLES = {
  'behind the last one': {
    value: {
      assistant_id: EXAMPLE_ASSISTANT_ID,
      name: 'Комплектация',
      kind: 'awaiting_payment',
      description: 'Клиент выбрал машину и ждёт, пока её соберут.',
    },
  },
  'at a position, handing its leads to an operator': {
    value: {
      assistant_id: EXAMPLE_ASSISTANT_ID,
      name: 'Жалоба',
      kind: 'active',
      order: 4,
      description: 'Клиент недоволен.',
      ai_transition_locked: true,
      on_enter: 'operator',
    },
  },
};

export const CHANGE_STAGE_EXAMPLES = {
  'another description': { value: { description: 'Клиент рассказал, что ему нужно и к какому сроку.' } },
  'without a rule': { value: { on_enter: null } },
};
