import type { NumberOfOurs, ReportedState } from '@app/domain/webhooks/provider-events';
import { type Fields, UnreadableError } from '../../webhooks/item-fields';
import { explainCloudError, type ExplainedError } from '../cloud-error-table';

/** One change of an entry: one field of the business account. */
export interface Change {
  field: string;
  /** The path of its value in the body. */
  path: string;
  value: Fields;
  /** The id of the WhatsApp business account. */
  businessId: string | null;
  /** Present in fields about the account and templates, absent in fields about messages. */
  at: Date | null;
}

interface StateIds {
  providerId: string | null;
  whatsappId: string | null;
  reference: string | null;
}

/** How the same events differ when Meta sends them and when Gupshup passes them on. */
export interface CloudDialect {
  /** Whether the id of an entry says whose numbers it may tell of; else the address of the webhook does. */
  entryNamesOwner: boolean;
  /**
   * @throws UnreadableError when the change lacks the field
   */
  numberOf(value: Fields): NumberOfOurs;
  idsOf(status: Fields, state: ReportedState): StateIds;
  explain(code: number | null, words: string): ExplainedError;
}

const REFERENCE_LENGTH_MAX = 512;

/** As Meta sends them: a message has one id, and every status contains our reference (Meta: Messages API). */
export const CLOUD: CloudDialect = {
  entryNamesOwner: true,
  numberOf(value) {
    const number = value.object('metadata')?.id('phone_number_id') ?? null;
    if (number === null) throw new UnreadableError('"metadata.phone_number_id" is missing');
    return number;
  },
  idsOf(status) {
    return {
      providerId: status.requireId('id'),
      whatsappId: null,
      reference: status.text('biz_opaque_callback_data', REFERENCE_LENGTH_MAX),
    };
  },
  explain: (code, words) => explainCloudError(code ?? NaN, words),
};
