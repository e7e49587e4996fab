import type { AssistantAnswer, ChangeAssistantRequest } from '@app/client/api-types';
import { isObject } from '@app/contracts/json-object';
import { assistantsWords } from './assistants.words';
import { atMost, between, filled } from '../parts/forms/field-checks.format';

/** What stands in the form, by the names of the operation. An empty text is null there. */
export type AssistantValues = {
  [Field in keyof Omit<Required<ChangeAssistantRequest>, 'barred_kinds' | 'vision'>]: Field extends
    | `${string}_ms`
    | `${string}_max`
    | `${string}_minutes`
    | `${string}_hour`
    ? number | null
    : string;
} & Pick<AssistantAnswer, 'barred_kinds' | 'vision'>;

/** The service's own defaults, for a new agent. */
export const NEW_ASSISTANT: AssistantValues = {
  name: '',
  instructions: '',
  model: '',
  model_options: '',
  reply_delay_ms: null,
  reply_parts_max: 3,
  reply_characters_max: 2000,
  replies_per_hour: 60,
  barred_kinds: ['awaiting_payment', 'success'],
  handover_text: '',
  auto_return_minutes: 30,
  vision: false,
};

export const valuesOfAssistant = ({
  id: _,
  account_id: _account,
  created_at: _at,
  ...fields
}: AssistantAnswer): AssistantValues => ({
  ...fields,
  model: fields.model ?? '',
  model_options: fields.model_options === null ? '' : JSON.stringify(fields.model_options, null, 2),
  handover_text: fields.handover_text ?? '',
});

/** The object that a text of JSON is; null: an empty text; undefined: it is none. */
function optionsIn(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As the operation takes it. */
export const requestOfAssistant = (values: AssistantValues) => ({
  ...(values as AssistantValues & {
    reply_parts_max: number;
    reply_characters_max: number;
    replies_per_hour: number;
    auto_return_minutes: number;
  }),
  name: values.name.trim(),
  model: values.model.trim() || null,
  model_options: optionsIn(values.model_options) ?? null,
  handover_text: values.handover_text.trim() === '' ? null : values.handover_text,
});

export const assistantChecks = {
  name: filled(200),
  instructions: atMost(20_000),
  model: atMost(200),
  model_options: (text: string) => (optionsIn(text) === undefined ? assistantsWords.say('optionsBad') : null),
  handover_text: atMost(4_096),
  reply_delay_ms: (value: number | null) => (value === null ? null : between(0, 600)(value / 1_000)),
  reply_parts_max: between(1, 10),
  reply_characters_max: between(1, 20_000),
  replies_per_hour: between(1, 1_000),
  auto_return_minutes: between(1, 10_080),
};
