import { featureWords } from '../../../shared/words/feature.words';

/** Types of events that go out, as people call them. */
export const webhookEventWords = featureWords('settings-webhook-events', {
  en: {
    lead_created: 'A new lead',
    lead_status_changed: 'A lead moved to another stage',
    lead_ai_switched: 'The AI was switched on or off',
    lead_handler_changed: 'A person took over, or the AI came back',
    lead_opted_out: 'A customer unsubscribed, or came back',
    lead_assigned: 'A lead was assigned',
    lead_renamed: 'A customer was renamed',
    lead_attention: 'A person is asked for',
    message_received: 'A customer wrote',
    message_sent: 'A message was sent',
    message_status_changed: 'A message was delivered, read or failed',
    message_transcribed: 'A voice note was transcribed',
    message_edited: 'A message was edited',
    message_deleted: 'A message was deleted',
    batch_finished: 'A sending ended',
    scenario_finished: 'A run of a scenario ended',
    import_finished: 'An import ended',
    template_status_changed: 'WhatsApp decided about a template',
    bot_trouble: 'A number was stopped',
    quota_low: 'The quota is running out',
    webhook_disabled: 'Another endpoint was disabled',
    webhook_test: 'A test',
  },
  ru: {
    lead_created: 'Новый клиент',
    lead_status_changed: 'Клиент перешёл на другой этап',
    lead_ai_switched: 'ИИ включили или выключили',
    lead_handler_changed: 'Диалог взял человек, или вернулся ИИ',
    lead_opted_out: 'Клиент отписался или вернулся',
    lead_assigned: 'Клиента назначили',
    lead_renamed: 'Клиента переименовали',
    lead_attention: 'Нужен человек',
    message_received: 'Клиент написал',
    message_sent: 'Сообщение отправлено',
    message_status_changed: 'Сообщение доставлено, прочитано или не дошло',
    message_transcribed: 'Голосовое сообщение расшифровано',
    message_edited: 'Сообщение изменили',
    message_deleted: 'Сообщение удалили',
    batch_finished: 'Рассылка завершилась',
    scenario_finished: 'Запуск сценария завершился',
    import_finished: 'Импорт завершился',
    template_status_changed: 'WhatsApp принял решение о шаблоне',
    bot_trouble: 'Номер остановлен',
    quota_low: 'Квота подходит к концу',
    webhook_disabled: 'Другой адрес отключён',
    webhook_test: 'Проверка',
  },
});

/** @param type as `lead.created`; of a later version it is told as it is */
export function eventInWords(type: string): string {
  const key = type.replaceAll('.', '_');
  return webhookEventWords.has(key) ? webhookEventWords.say(key) : type;
}
