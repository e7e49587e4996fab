import type { MediaKind, MediaState, TranscriptState } from '@app/contracts/media.words';
import type { Channel } from '@app/contracts/message.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';
import { CLOCK, NUMBER } from '../database/column-defaults';

/** A file of a message, or one that was uploaded to be sent. Its bytes are in the store, by account and `sha256`. */
@Entity('media')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('media_kind_check', `kind IN ('image', 'video', 'audio', 'voice', 'document', 'sticker')`)
@Check('media_state_check', `state IN ('loading', 'stored', 'failed', 'gone')`)
@Check('media_loading_is_due', `(state = 'loading') <= (due_at IS NOT NULL AND provider_ref IS NOT NULL)`)
@Check(
  'media_stored_has_file',
  `(state = 'stored') = (sha256 IS NOT NULL AND size IS NOT NULL AND mime_type IS NOT NULL)`,
)
@Check('media_transcript_state_check', `transcript_state IN ('pending', 'ready', 'failed', 'none')`)
@Check('media_transcript_is_due', `(transcript_state = 'pending') <= (transcript_due_at IS NOT NULL)`)
@Check('media_transcript_has_text', `(transcript_state = 'ready') = (transcript_text IS NOT NULL)`)
@Index('media_due', ['account_id', 'due_at'], { where: "state = 'loading'" })
@Index('media_failed', ['ended_at'], { where: "state = 'failed'" })
@Index('media_transcripts_due', ['account_id', 'transcript_due_at'], {
  where: "transcript_state = 'pending' AND state = 'stored'",
})
@Index('media_transcripts_failed', ['transcript_ended_at'], { where: "transcript_state = 'failed'" })
@Index('media_unsent', ['due_at'], { where: "state = 'stored' AND due_at IS NOT NULL" })
@Index('media_file', ['account_id', 'sha256'], { where: 'sha256 IS NOT NULL' })
export class MediaEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: MediaKind;

  @Column('text')
  state: MediaState;

  /** In hexadecimal digits; null: there are no bytes of it. */
  @Column('text', { nullable: true })
  sha256: string | null;

  /** In bytes. */
  @Column('integer', { nullable: true })
  size: number | null;

  /** By its bytes. Until they are stored, what the provider says. */
  @Column('text', { nullable: true })
  mime_type: string | null;

  /** As the sender named it, without folders and control characters. */
  @Column('text', { nullable: true })
  file_name: string | null;

  /** In pixels. */
  @Column('integer', { nullable: true })
  width: number | null;

  @Column('integer', { nullable: true })
  height: number | null;

  @Column('integer', { nullable: true })
  seconds: number | null;

  /** The number that it came to; null: it was uploaded. */
  @Column('uuid', { nullable: true })
  bot_id: string | null;

  @Column('text', { nullable: true })
  channel: Channel | null;

  /** Where the provider has it: Meta's id of the file, or an address. */
  @Column('text', { nullable: true })
  provider_ref: string | null;

  /** When it is fetched; of an upload that no message has: when it is deleted. */
  @Column('timestamptz', { nullable: true })
  due_at: Date | null;

  /** Times that the provider was asked for it. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** The process that fetches it, or has it transcribed. */
  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  /** Why it was not stored, or not transcribed, at the last try. */
  @Column('text', { nullable: true })
  error: string | null;

  /** When it was stored, failed or was deleted. */
  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** The person or the key; null: it came to a number, or was uploaded before this was kept. */
  @Column('uuid', { nullable: true })
  uploaded_by: string | null;

  /** Null: it is no audio of a customer, or nothing transcribed it when it came. */
  @Column('text', { nullable: true })
  transcript_state: TranscriptState | null;

  @Column('text', { nullable: true })
  transcript_text: string | null;

  /** ISO 639-1; null: not known. */
  @Column('text', { nullable: true })
  transcript_language: string | null;

  /** When it is transcribed, once it is stored. */
  @Column('timestamptz', { nullable: true })
  transcript_due_at: Date | null;

  /** Times that its transcript failed. */
  @Column('integer', { default: 0 })
  transcript_failures: number;

  /** When the transcript was ready, failed, or was found to be none. */
  @Column('timestamptz', { nullable: true })
  transcript_ended_at: Date | null;
}

/** A file as messages show it. */
export type MediaRow = Pick<
  MediaEntity,
  | 'id'
  | 'kind'
  | 'mime_type'
  | 'file_name'
  | 'size'
  | 'width'
  | 'height'
  | 'seconds'
  | 'sha256'
  | 'state'
  | 'transcript_state'
  | 'transcript_text'
  | 'transcript_language'
>;

const COLUMNS = [
  'id',
  'kind',
  'mime_type',
  'file_name',
  'size',
  'width',
  'height',
  'seconds',
  'sha256',
  'state',
  ...(['transcript_state', 'transcript_text', 'transcript_language'] as const),
] as const satisfies readonly (keyof MediaRow)[];

/** The columns of {@link MediaRow}. */
export const mediaColumns = (row: string): string => COLUMNS.map((column) => `${row}.${column}`).join(', ');

/** {@link MediaRow} of the file that a row of messages names, as jsonb; null where it has none. */
export const mediaOf = (message: string): string => `CASE WHEN ${message}.media_id IS NOT NULL THEN (
         SELECT jsonb_build_object(${COLUMNS.map((column) => `'${column}', x.${column}`).join(', ')})
           FROM media x WHERE x.account_id = ${message}.account_id AND x.id = ${message}.media_id) END`;

/** What is said in the audio that a row of messages names; null where nobody may know it any more, or it has none. */
export const transcriptOf = (
  message: string,
): string => `CASE WHEN ${message}.media_id IS NOT NULL AND ${message}.deleted_at IS NULL THEN (
         SELECT x.transcript_text FROM media x WHERE x.account_id = ${message}.account_id AND x.id = ${message}.media_id) END`;

/**
 * The bytes that an account has in the store, once for each content. The row is there before the bytes are, and is
 * deleted after them, so what the store has is known and counted.
 */
@Entity('media_files')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
export class MediaFileEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** In hexadecimal digits. */
  @PrimaryColumn('text')
  sha256: string;

  /** In bytes. */
  @Column('integer')
  size: number;

  /** Until then some process may write the bytes and name them in `media`. Later, what nothing names is deleted. */
  @Column('timestamptz')
  claim_until: Date;

  /** Some process deletes the bytes. Nobody writes them until the row is gone. */
  @Column('boolean', { default: false })
  is_removed: boolean;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}

/** How many bytes of its storage quota an account uses: the sum of its rows of `media_files`. */
@Entity('media_usage')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('media_usage_bytes_check', 'bytes >= 0')
export class MediaUsageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @Column('bigint', { transformer: NUMBER })
  bytes: number;
}
