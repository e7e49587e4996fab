import { ApiError } from '@app/client/api.error';
import { featureWords } from './feature.words';

/** What people are told of refusals. Codes that are not here are told by the server's own sentence. */
export const errorWords = featureWords('errors', {
  en: {
    NETWORK: 'No connection to the server.',
    UNAUTHORIZED: 'Your session has ended. Sign in again.',
    FORBIDDEN: 'You may not do this.',
    CSRF: 'The page is out of date. Reload it.',
    THREAD_NOT_FOUND: 'There is no such dialog, or it is not yours.',
    STATUS_NOT_FOUND: 'There is no such stage.',
    STATUS_CONFLICT: 'Somebody else has moved this lead.',
    THREAD_OPTED_OUT: 'The customer has unsubscribed: nobody may write but by an approved template.',
    THREAD_ERASED: 'This customer was erased.',
    ASSISTANT_NOT_FOUND: 'There is no such agent, or it is not yours.',
    QUOTA_EXCEEDED: 'The quota of messages is used up.',
    MEDIA_QUOTA_EXCEEDED: 'There is no room for further files.',
    PROVIDER_ERROR: 'The messenger refused it.',
    BILLING_ERROR: 'The messenger refused it: something is wrong with the payment of the number.',
    MODEL_ERROR: 'The model did not answer.',
    ALREADY_EXISTS: 'That exists already.',
    SIGN_IN_FAILED: 'The e-mail address or the password is wrong.',
    WRONG_PASSWORD: 'The password is wrong.',
    EMAIL_TAKEN: 'Somebody has this e-mail address already.',
    LAST_ADMIN: 'The last admin can neither be disabled nor made an operator.',
    STATUS_IN_USE: 'Leads are in this stage.',
    RATE_LIMITED: 'Too much at once. Try again in a moment.',
    UNAVAILABLE: 'The service cannot answer now. Try again in a moment.',
    INTERNAL_ERROR: 'The service failed. Try again, or report the request id.',
    INVITATION_NOT_FOUND: 'This link is used, void or out of date. Ask an admin for a new one.',
  },
  ru: {
    NETWORK: 'Нет связи с сервером.',
    UNAUTHORIZED: 'Сеанс завершён. Войдите снова.',
    FORBIDDEN: 'Вам это не разрешено.',
    CSRF: 'Страница устарела. Перезагрузите её.',
    THREAD_NOT_FOUND: 'Такого диалога нет, или он не ваш.',
    STATUS_NOT_FOUND: 'Такого этапа нет.',
    STATUS_CONFLICT: 'Кто-то другой уже перенёс этого клиента.',
    THREAD_OPTED_OUT: 'Клиент отписался: писать можно только одобренным шаблоном.',
    THREAD_ERASED: 'Данные этого клиента удалены.',
    ASSISTANT_NOT_FOUND: 'Такого ИИ-агента нет, или он не ваш.',
    QUOTA_EXCEEDED: 'Лимит сообщений исчерпан.',
    MEDIA_QUOTA_EXCEEDED: 'Для новых файлов нет места.',
    PROVIDER_ERROR: 'Мессенджер отказал.',
    BILLING_ERROR: 'Мессенджер отказал: проблема с оплатой номера.',
    MODEL_ERROR: 'Модель не ответила.',
    ALREADY_EXISTS: 'Такое уже есть.',
    SIGN_IN_FAILED: 'Неверный адрес почты или пароль.',
    WRONG_PASSWORD: 'Неверный пароль.',
    EMAIL_TAKEN: 'Этот адрес почты уже занят.',
    LAST_ADMIN: 'Последнего администратора нельзя отключить или сделать оператором.',
    STATUS_IN_USE: 'На этом этапе есть клиенты.',
    RATE_LIMITED: 'Слишком много запросов. Повторите через минуту.',
    UNAVAILABLE: 'Сервис сейчас не может ответить. Повторите через минуту.',
    INTERNAL_ERROR: 'Сбой сервиса. Повторите или сообщите номер запроса.',
    INVITATION_NOT_FOUND: 'Ссылка использована, отозвана или устарела. Попросите новую у администратора.',
  },
});

/** What went wrong, for people, in the language of the page where it has words for it. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  return errorWords.has(error.code) ? errorWords.say(error.code) : error.message;
}
