import type { Channel } from '@app/contracts/message.words';
import type { PhoneFault } from '@app/contracts/values/phone.words';
import type { GovernedTemplateAnswer, RecipientRequest } from '@app/client/api-types';
import type { ValueFault } from '../../shared/template/slot.rules';

/** By whose number. */
export interface Sender {
  botId: string;
  channel: Channel;
}

export type SentTemplate = Pick<
  GovernedTemplateAnswer,
  | 'template_id'
  | 'language'
  | 'name'
  | 'body'
  | 'header'
  | 'footer'
  | 'buttons'
  | 'parameter_format'
  | 'examples'
  | 'category'
>;

/** A recipient as it was given. */
export interface GivenRow {
  /** As a spreadsheet, or the line of the field, counts it. */
  row: number;
  /** Or the id of a dialog. */
  phone: string;
  /** The customer's; null: the list has none. */
  name: string | null;
  /** One for each slot of the template. */
  values: readonly string[];
}

export type Fault =
  | { kind: PhoneFault | 'rounded' | 'long' }
  /** Of the dialog that it is for. */
  | { kind: 'no_dialog' | 'other_number' | 'erased' | 'phoneless' }
  /** Of one value. */
  | { kind: ValueFault; /** Its label. */ slot: string };

export interface CheckedRow extends GivenRow {
  /** The phone, or the id of the dialog, as the service takes it; null: it is none. */
  to: string | null;
  faults: readonly Fault[];
}

/** What is sent, whole. */
export interface SendOrder extends Sender {
  /** Whose customers they are. */
  assistantId: string;
  templateId: string;
  language: string;
  recipients: readonly RecipientRequest[];
  leavesDuplicates: boolean;
  /** Of customers, by their phones. */
  names: ReadonlyMap<string, string>;
}
