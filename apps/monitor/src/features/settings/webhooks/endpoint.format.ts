import type { WebhookEndpointAnswer } from '@app/client/api-types';
import { dateAndTime } from '../../../shared/format/time.format';
import { endpointWords } from './endpoint.words';

/** By which people know it: what they called it, or its address. */
export const nameOf = ({ description, url }: WebhookEndpointAnswer): string =>
  description === '' ? url : description;

/** When something was delivered there last. */
export const succeededInWords = ({ last_success_at: at }: WebhookEndpointAnswer): string =>
  at === null ? endpointWords.say('neverSucceeded') : endpointWords.say('succeeded', { at: dateAndTime(at) });
