import { featureWords } from '../../../shared/words/feature.words';

/** What helps a customer who waits, by why they do. */
export const waitingWords = featureWords('dialog-waiting', {
  en: {
    waits: 'The customer waits.',
    helps_number_down: 'An admin connects it again under “Numbers”.',
    helps_agent_off: 'Answer, or have the AI do it.',
    helps_opted_out: 'Only an approved template may be sent.',
    helps_stage_mutes: 'Answer, or move the customer to another stage.',
    helps_takeover: 'Answer, or have the AI do it.',
    helps_held: 'Answer. An admin resumes the automation under “Users”.',
    helps_window_closed: 'Choose a template.',
    helps_no_model: 'Answer: the AI cannot.',
    helps_model_failed: 'Answer, or have the AI try again.',
    helps_hourly_limit: 'Answer, or have the AI do it when the hour is over.',
    helps_agent_due: 'There is nothing to do.',
    reply: 'Reply with AI',
    replying: 'AI answers the message of {{name}} that waited.',
    notReplying: 'AI cannot answer the message of {{name}} now.',
  },
  ru: {
    waits: 'Клиент ждёт.',
    helps_number_down: 'Администратор подключит его снова в разделе «Номера».',
    helps_agent_off: 'Ответьте сами или поручите ИИ.',
    helps_opted_out: 'Можно отправить только одобренный шаблон.',
    helps_stage_mutes: 'Ответьте сами или перенесите клиента на другой этап.',
    helps_takeover: 'Ответьте сами или поручите ИИ.',
    helps_held: 'Ответьте сами. Автоматику возобновит администратор в разделе «Люди».',
    helps_window_closed: 'Выберите шаблон.',
    helps_no_model: 'Ответьте сами: ИИ не может.',
    helps_model_failed: 'Ответьте сами, или пусть ИИ попробует ещё раз.',
    helps_hourly_limit: 'Ответьте сами, или поручите ИИ, когда пройдёт час.',
    helps_agent_due: 'Делать ничего не нужно.',
    reply: 'Ответить с ИИ',
    replying: '{{name}}: ИИ отвечает на ждавшее сообщение.',
    notReplying: '{{name}}: сейчас ИИ не может ответить на это сообщение.',
  },
});
