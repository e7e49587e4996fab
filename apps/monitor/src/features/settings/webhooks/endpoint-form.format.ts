import type {
  ChangeEndpointRequest,
  CreateEndpointRequest,
  WebhookEndpointAnswer,
} from '@app/client/api-types';
import { URL_LONGEST } from '@app/contracts/tool.words';
import { ALL_EVENTS, ENDPOINT_LIMITS } from '@app/contracts/webhook.words';
import type { FormRulesRecord } from '@mantine/form';
import { wholeNumber } from '../../../shared/format/number.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { changesOf } from '../parts/changes.format';
import { filled } from '../parts/forms/field-checks.format';
import { endpointWords } from './endpoint.words';

/** By which people know it: what they called it, or its address. */
export const nameOf = ({ description, url }: WebhookEndpointAnswer): string =>
  description === '' ? url : description;

/** When something was delivered there last. */
export const succeededInWords = ({ last_success_at: at }: WebhookEndpointAnswer): string =>
  at === null ? endpointWords.say('neverSucceeded') : endpointWords.say('succeeded', { at: dateAndTime(at) });

/** An endpoint as its form has it. */
export interface EndpointForm {
  url: string;
  description: string;
  takes: 'all' | 'some';
  /** Where it takes only some. */
  events: string[];
  /** None: events are not chosen by their agent. */
  assistantIds: string[];
  pace: number | '';
}

export const NEW_ENDPOINT: EndpointForm = {
  ...{ url: '', description: '', takes: 'all', events: [] },
  ...{ assistantIds: [], pace: '' },
};

const takesAll = (events: readonly string[]): boolean => events.includes(ALL_EVENTS);

export const formOf = (endpoint: WebhookEndpointAnswer): EndpointForm => ({
  ...{ url: endpoint.url, description: endpoint.description },
  takes: takesAll(endpoint.events) ? 'all' : 'some',
  events: takesAll(endpoint.events) ? [] : endpoint.events,
  assistantIds: endpoint.assistant_ids ?? [],
  pace: endpoint.max_per_second ?? '',
});

const isPace = (pace: number | ''): boolean =>
  pace === '' || (pace >= 1 && pace <= ENDPOINT_LIMITS.perSecondMax);

const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** What is wrong with a field, or null. Whether an address may be sent to, the server knows. */
export const RULES: FormRulesRecord<EndpointForm> = {
  url: (url) => filled(URL_LONGEST)(url) ?? (isAddress(url.trim()) ? null : endpointWords.say('urlWrong')),
  events: (events, { takes }) =>
    takes === 'some' && events.length === 0 ? endpointWords.say('eventsNeeded') : null,
  pace: (pace) =>
    isPace(pace) ? null : endpointWords.say('paceRange', { most: wholeNumber(ENDPOINT_LIMITS.perSecondMax) }),
};

const bodyOf = (form: EndpointForm) => ({
  url: form.url.trim(),
  description: form.description.trim(),
  events: (form.takes === 'all' ? [ALL_EVENTS] : [...form.events].sort()) as CreateEndpointRequest['events'],
  assistant_ids: form.assistantIds.length === 0 ? null : form.assistantIds,
  max_per_second: form.pace === '' ? null : form.pace,
});

export const newOf = (form: EndpointForm): CreateEndpointRequest => bodyOf(form);

export const changeOf = (form: EndpointForm, before: EndpointForm): ChangeEndpointRequest =>
  changesOf<ChangeEndpointRequest>(bodyOf(before), bodyOf(form));

const FIELDS: Record<string, keyof EndpointForm> = { assistant_ids: 'assistantIds', max_per_second: 'pace' };

/** Where a fault that the server has found stands in the form. */
export const fieldOf = (path: string): string => {
  const [head = ''] = path.split('.');
  return FIELDS[head] ?? head;
};
