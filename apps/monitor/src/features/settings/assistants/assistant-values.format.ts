import type { AssistantAnswer, ChangeAssistantRequest } from '@app/client/api.types';
import { atMost, between, filled } from '../parts/field-checks.format';

/** What stands in the form, by the names of the operation. An empty text is null there. */
export type AssistantValues = {
  [Field in keyof Omit<Required<ChangeAssistantRequest>, 'barred_kinds'>]: Field extends
    `${string}_ms` | `${string}_max` | `${string}_minutes` | `${string}_hour`
    ? number | null
    : string;
} & { barred_kinds: AssistantAnswer['barred_kinds'] };

/** The service's own defaults, for a new agent. */
export const NEW_ASSISTANT: AssistantValues = {
  name: '',
  instructions: '',
  model: '',
  reply_delay_ms: null,
  reply_parts_max: 3,
  reply_characters_max: 2000,
  replies_per_hour: 60,
  barred_kinds: [],
  handover_text: '',
  auto_return_minutes: 30,
};

export const valuesOfAssistant = ({
  id: _,
  account_id: _account,
  created_at: _at,
  ...fields
}: AssistantAnswer): AssistantValues => ({
  ...fields,
  model: fields.model ?? '',
  handover_text: fields.handover_text ?? '',
});

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
  handover_text: values.handover_text.trim() === '' ? null : values.handover_text,
});

export const assistantChecks = {
  name: filled(200),
  instructions: atMost(20_000),
  model: atMost(200),
  handover_text: atMost(4_096),
  reply_delay_ms: (value: number | null) => (value === null ? null : between(0, 600)(value / 1_000)),
  reply_parts_max: between(1, 10),
  reply_characters_max: between(1, 20_000),
  replies_per_hour: between(1, 1_000),
  auto_return_minutes: between(1, 10_080),
};
