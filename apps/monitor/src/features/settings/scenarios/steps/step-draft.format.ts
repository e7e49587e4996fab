import type { ScenarioAnswer } from '@app/client/api-types';

export type Step = ScenarioAnswer['steps'][number];
export type StepKind = Step['kind'];
type StepOf<Kind extends StepKind> = Extract<Step, { kind: Kind }>;
type Fact = StepOf<'condition'>['all'][number]['fact'];
type SendTemplate = StepOf<'send_template'>;

/** Beside whatever kind a step is of. */
interface HeaderDraft {
  name: string;
  value: string;
  /** It is stored; its value is never shown. */
  isKept: boolean;
}

/** A step as it stands in the form: with the fields of all kinds, of which its own count. */
export interface StepDraft {
  /** Known by it while it moves. Not stored. */
  uid: string;
  kind: StepKind;
  label: string;
  on_failure: 'stop' | 'continue';
  seconds: number | null;
  text: string;
  note: string;
  template_id: string;
  template_language: string;
  channel: '' | 'waba_coexistence' | 'waba';
  params: string[];
  named_params: { name: string; value: string }[];
  /** JSON, as it is typed. */
  header: string;
  /** JSON, as it is typed. */
  buttons: string;
  max_late_seconds: number | null;
  time: string;
  timezone: string;
  weekdays: string[];
  at_least_seconds: number | null;
  /** A word, or `go:` and a label. */
  on_timeout: string;
  all: { fact: Fact; is: string }[];
  /** A word, or `go:` and a label. */
  else: string;
  /** Empty: no stage. */
  status_id: string;
  /** Empty: nobody. */
  user_id: string;
  method: StepOf<'http'>['method'];
  url: string;
  headers: HeaderDraft[];
  /** JSON, as it is typed. */
  body: string;
}

/** In the order in which they are offered. */
export const STEP_KINDS: readonly StepKind[] = [
  'send_template',
  'send_text',
  'request_phone',
  'wait',
  'wait_until',
  'wait_for_reply',
  'condition',
  'set_status',
  'hand_over',
  'return_to_ai',
  'set_ai',
  'assign',
  'notify',
  'http',
];

/** What each fact of a condition may be. */
export const FACT_VALUES: Record<Fact, readonly string[]> = {
  in_stage: ['true', 'false'],
  replied: ['true', 'false'],
  window_open: ['true', 'false'],
  waiting: ['true', 'false'],
  handler: ['AI', 'OPERATOR'],
  channel: ['waba_coexistence', 'waba'],
  kind: ['active', 'qualified', 'awaiting_payment', 'success', 'failure'],
  last_send: ['accepted', 'delivered', 'read', 'failed'],
};

/** By the clock of this browser, at first. */
export const ownTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

let last = 0;

export const newStep = (kind: StepKind): StepDraft => ({
  uid: `step-${(last += 1)}`,
  kind,
  label: '',
  on_failure: 'stop',
  seconds: kind === 'wait' ? 3_600 : 86_400,
  text: '',
  note: '',
  template_id: '',
  template_language: 'ru',
  channel: '',
  params: [],
  named_params: [],
  header: '',
  buttons: '',
  max_late_seconds: 21_600,
  time: '10:00',
  timezone: ownTimezone(),
  weekdays: [],
  at_least_seconds: 0,
  on_timeout: 'continue',
  all: [{ fact: 'replied', is: 'true' }],
  else: 'stop',
  status_id: '',
  user_id: '',
  method: 'POST',
  url: 'https://',
  headers: [],
  body: '',
});

const choiceOf = (where: string | { go: string }): string =>
  typeof where === 'string' ? where : `go:${where.go}`;
const whereOf = <Word extends string>(choice: string): Word | { go: string } =>
  choice.startsWith('go:') ? { go: choice.slice(3) } : (choice as Word);
const typed = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** A stored step in the form. */
export function draftOf(step: Step): StepDraft {
  const draft = { ...newStep(step.kind), label: step.label ?? '', on_failure: step.on_failure ?? 'stop' };
  switch (step.kind) {
    case 'send_template':
      return {
        ...draft,
        template_id: step.template_id,
        template_language: step.template_language ?? 'ru',
        channel: step.channel ?? '',
        params: step.params ?? [],
        named_params: Object.entries(step.named_params ?? {}).map(([name, value]) => ({ name, value })),
        header: typed(step.header),
        buttons: typed(step.buttons),
        max_late_seconds: step.max_late_seconds ?? 21_600,
      };
    case 'send_text':
    case 'request_phone':
      return { ...draft, text: step.text, max_late_seconds: step.max_late_seconds ?? 21_600 };
    case 'wait':
      return { ...draft, seconds: step.seconds };
    case 'wait_until':
      return {
        ...draft,
        time: step.time,
        timezone: step.timezone,
        weekdays: (step.weekdays ?? []).map(String),
        at_least_seconds: step.at_least_seconds ?? 0,
      };
    case 'wait_for_reply':
      return { ...draft, seconds: step.seconds, on_timeout: choiceOf(step.on_timeout ?? 'continue') };
    case 'condition':
      return {
        ...draft,
        all: step.all.map(({ fact, is }) => ({ fact, is: String(is) })),
        else: choiceOf(step.else),
      };
    case 'set_status':
      return { ...draft, status_id: step.status_id ?? '' };
    case 'hand_over':
      return { ...draft, note: step.note ?? '' };
    case 'assign':
      return { ...draft, user_id: step.user_id ?? '' };
    case 'notify':
      return { ...draft, text: step.text };
    case 'http':
      return {
        ...draft,
        method: step.method,
        url: step.url,
        headers: Object.keys(step.headers ?? {}).map((name) => ({ name, value: '', isKept: true })),
        body: typed(step.body),
      };
    case 'set_ai':
    case 'return_to_ai':
      return draft;
  }
}

/** As the operation takes it, where the form has no violations. */
export function stepOf(draft: StepDraft): Step {
  const common = {
    ...(draft.label.trim() && { label: draft.label.trim() }),
    ...(draft.on_failure === 'continue' && { on_failure: 'continue' as const }),
  };
  // The six hours need not be said.
  const late = draft.max_late_seconds === null ? {} : { max_late_seconds: draft.max_late_seconds };
  const seconds = draft.seconds ?? 0;
  switch (draft.kind) {
    case 'send_template':
      return { kind: 'send_template', ...common, ...templateOf(draft), ...late };
    case 'send_text':
    case 'request_phone':
      return { kind: draft.kind, ...common, text: draft.text, ...late };
    case 'wait':
      return { kind: 'wait', ...common, seconds };
    case 'wait_until':
      return {
        kind: 'wait_until',
        ...common,
        time: draft.time,
        timezone: draft.timezone.trim(),
        ...(draft.weekdays.length > 0 && { weekdays: draft.weekdays.map(Number).sort() }),
        ...(draft.at_least_seconds && { at_least_seconds: draft.at_least_seconds }),
      };
    case 'wait_for_reply':
      return { kind: 'wait_for_reply', ...common, seconds, on_timeout: whereOf(draft.on_timeout) };
    case 'condition':
      return {
        kind: 'condition',
        ...common,
        all: draft.all.map(({ fact, is }) => ({
          fact,
          is: FACT_VALUES[fact].includes('true') ? is === 'true' : is,
        })),
        else: whereOf<'stop'>(draft.else),
      };
    case 'set_status':
      return { kind: 'set_status', ...common, status_id: draft.status_id || null };
    case 'set_ai':
      return { kind: 'set_ai', ...common, ai_enabled: false };
    case 'hand_over':
      return { kind: 'hand_over', ...common, ...(draft.note.trim() && { note: draft.note }) };
    case 'return_to_ai':
      return { kind: 'return_to_ai', ...common };
    case 'assign':
      return { kind: 'assign', ...common, user_id: draft.user_id || null };
    case 'notify':
      return { kind: 'notify', ...common, text: draft.text };
    case 'http':
      return {
        kind: 'http',
        ...common,
        method: draft.method,
        url: draft.url.trim(),
        ...(draft.headers.length > 0 && {
          // Null keeps the value that is stored.
          headers: Object.fromEntries(
            draft.headers.map(({ name, value, isKept }) => [name.trim(), isKept ? null : value]),
          ),
        }),
        ...(draft.body.trim() && { body: JSON.parse(draft.body) as StepOf<'http'>['body'] }),
      };
  }
}

const templateOf = (draft: StepDraft): Omit<SendTemplate, 'kind'> => ({
  template_id: draft.template_id.trim(),
  template_language: draft.template_language.trim() || 'ru',
  ...(draft.channel && { channel: draft.channel }),
  ...(draft.params.length > 0 && { params: draft.params }),
  ...(draft.named_params.length > 0 && {
    named_params: Object.fromEntries(draft.named_params.map(({ name, value }) => [name.trim(), value])),
  }),
  ...(draft.header.trim() && { header: JSON.parse(draft.header) as SendTemplate['header'] }),
  ...(draft.buttons.trim() && { buttons: JSON.parse(draft.buttons) as SendTemplate['buttons'] }),
});
