import { processLimits } from '@app/config/process-limits';
import type { Pool } from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy, type Table } from 'typeorm';
import { connectionTo } from './connection-address';
import { Foundation1763683200000 } from './migrations/1763683200000-foundation.migration';
import { Messages1763769600000 } from './migrations/1763769600000-messages.migration';
import { ArrivalOrder1763856000000 } from './migrations/1763856000000-arrival-order.migration';
import { Upkeep1763859600000 } from './migrations/1763859600000-upkeep.migration';
import { ShownTexts1763863200000 } from './migrations/1763863200000-shown-texts.migration';
import { ThreadRoom1763870400000 } from './migrations/1763870400000-thread-room.migration';
import { RejectsOnce1763881200000 } from './migrations/1763881200000-rejects-once.migration';
import { ConnectionRevision1763884800000 } from './migrations/1763884800000-connection-revision.migration';
import { BatchRange1763888400000 } from './migrations/1763888400000-batch-range.migration';
import { Agent1763892000000 } from './migrations/1763892000000-agent.migration';
import { AssistantTools1763895600000 } from './migrations/1763895600000-assistant-tools.migration';
import { StageRules1763899200000 } from './migrations/1763899200000-stage-rules.migration';
import { ReplyFairness1763902800000 } from './migrations/1763902800000-reply-fairness.migration';
import { ConstraintNames1763906400000 } from './migrations/1763906400000-constraint-names.migration';
import { OwnDueWork1763913600000 } from './migrations/1763913600000-own-due-work.migration';
import { PlainNames1763989200000 } from './migrations/1763989200000-plain-names.migration';
import { AnswerCount1763992800000 } from './migrations/1763992800000-answer-count.migration';
import { FailedMessages1763996400000 } from './migrations/1763996400000-failed-messages.migration';
import { WebhookGroups1764000000000 } from './migrations/1764000000000-webhook-groups.migration';
import { Scenarios1764003600000 } from './migrations/1764003600000-scenarios.migration';
import { ScenarioSecrets1764007200000 } from './migrations/1764007200000-scenario-secrets.migration';
import { AttentionNote1764010800000 } from './migrations/1764010800000-attention-note.migration';
import { ArchivedStages1764014400000 } from './migrations/1764014400000-archived-stages.migration';
import { StoppedScenarios1764018000000 } from './migrations/1764018000000-stopped-scenarios.migration';
import { Media1764028800000 } from './migrations/1764028800000-media.migration';
import { People1764025000000 } from './migrations/1764025000000-people.migration';
import { ActorTypes1764021600000 } from './migrations/1764021600000-actor-types.migration';
import { NameOverride1764025200000 } from './migrations/1764025200000-name-override.migration';
import { RetriedRejects1764039601000 } from './migrations/1764039601000-retried-rejects.migration';
import { Assignees1764045000000 } from './migrations/1764045000000-assignees.migration';
import { Erasure1764047000000 } from './migrations/1764047000000-erasure.migration';
import { RotatedKeys1764039600000 } from './migrations/1764039600000-rotated-keys.migration';
import { Audit1764023400000 } from './migrations/1764023400000-audit.migration';
import { AuditLists1764049000000 } from './migrations/1764049000000-audit-lists.migration';
import { ThreadOrders1764032400000 } from './migrations/1764032400000-thread-orders.migration';
import { ThreadSearch1764032410000 } from './migrations/1764032410000-thread-search.migration';
import { FigureRanges1764055000000 } from './migrations/1764055000000-figure-ranges.migration';
import { FoundPhoneDigits1764056500000 } from './migrations/1764056500000-found-phone-digits.migration';
import { FoundWithoutYo1764057000000 } from './migrations/1764057000000-found-without-yo.migration';
import { UnsentUploads1764058000000 } from './migrations/1764058000000-unsent-uploads.migration';
import { ErasureRetries1764060100000 } from './migrations/1764060100000-erasure-retries.migration';
import { AuditRequestIds1764061000000 } from './migrations/1764061000000-audit-request-ids.migration';
import { FormerAddresses1764064000000 } from './migrations/1764064000000-former-addresses.migration';
import { SendingHolds1764072000000 } from './migrations/1764072000000-sending-holds.migration';
import { RateCounters1764064500000 } from './migrations/1764064500000-rate-counters.migration';
import { SearchQueueMessages1764064600000 } from './migrations/1764064600000-search-queue-messages.migration';
import { ThreadsPast1764065000000 } from './migrations/1764065000000-threads-past.migration';
import { WebhooksOut1764070000000 } from './migrations/1764070000000-webhooks-out.migration';
import { AccountEvents1764070500000 } from './migrations/1764070500000-account-events.migration';
import { Traces1764073000000 } from './migrations/1764073000000-traces.migration';
import { ImportIgnoredColumns1764075000000 } from './migrations/1764075000000-import-ignored-columns.migration';
import { Imports1764071000000 } from './migrations/1764071000000-imports.migration';
import { FailedDeliveries1764075200000 } from './migrations/1764075200000-failed-deliveries.migration';
import { PhoneCountries1764076000000 } from './migrations/1764076000000-phone-countries.migration';
import { TakeoverEnd1764077200000 } from './migrations/1764077200000-takeover-end.migration';
import { ModelOptions1764077100000 } from './migrations/1764077100000-model-options.migration';
import { MessageLines1764079000000 } from './migrations/1764079000000-message-lines.migration';
import { AssignOnReply1764081100000 } from './migrations/1764081100000-assign-on-reply.migration';
import { MessageAuthors1764081200000 } from './migrations/1764081200000-message-authors.migration';
import { ReplyFailures1764081000000 } from './migrations/1764081000000-reply-failures.migration';
import { MessageRevisions1764079100000 } from './migrations/1764079100000-message-revisions.migration';
import { Vision1764080100000 } from './migrations/1764080100000-vision.migration';
import { Transcripts1764080000000 } from './migrations/1764080000000-transcripts.migration';
import { MessagePricing1764082000000 } from './migrations/1764082000000-message-pricing.migration';
import { ConductedElsewhere1764082300000 } from './migrations/1764082300000-conducted-elsewhere.migration';
import { TemplateQuality1764082600000 } from './migrations/1764082600000-template-quality.migration';
import { AuthenticationTemplates1764084000000 } from './migrations/1764084000000-authentication-templates.migration';
import { AttentionProviderCode1764088000000 } from './migrations/1764088000000-attention-provider-code.migration';
import { OpeningHours1764090000000 } from './migrations/1764090000000-opening-hours.migration';
import { BatchList1764087100000 } from './migrations/1764087100000-batch-list.migration';
import { StatusClearedAt1764085000000 } from './migrations/1764085000000-status-cleared-at.migration';
import { OwnAppSecrets1764086000000 } from './migrations/1764086000000-own-app-secrets.migration';
import { ErasedTranscripts1764087000000 } from './migrations/1764087000000-erased-transcripts.migration';
import { AccountClock1764077000000 } from './migrations/1764077000000-account-clock.migration';
import { CustomerAddresses1764078000000 } from './migrations/1764078000000-customer-addresses.migration';
import { UploadedBy1764078300000 } from './migrations/1764078300000-uploaded-by.migration';
import { ProcessHeartbeats1764089000000 } from './migrations/1764089000000-process-heartbeats.migration';
import { Figures1764036000000 } from './migrations/1764036000000-figures.migration';

const nameOf = (table: Table | string): string =>
  (typeof table === 'string' ? table : table.name).split('.').at(-1) ?? '';

/** Names keys as PostgreSQL does by default, so that entities, migrations and errors use the same names. */
class ConstraintNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_fkey`;
  }
}

const TIMES = processLimits('database', {
  statementMs: 5_000,
  lockMs: 2_000,
  idleInTransactionMs: 5_000,
  /** Also the longest wait for a free connection: a burst of 500 calls on a busy machine waits over two seconds. */
  connectMs: 5_000,
  /** Longer than the database's own limit. It ends the wait for a database that is frozen or cut off. */
  answerMs: 8_000,
});

export interface ConnectionOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  poolSize: number;
  /** Replaces those of a connection that serves calls. */
  limits?: object;
  /** For each session, such as `synchronous_commit=off`. */
  settings?: readonly string[];
}

/** Limits that every connection of the service sets, whatever the defaults of the database or its address are. */
export const CONNECTION_LIMITS = {
  statement_timeout: TIMES.statementMs,
  lock_timeout: TIMES.lockMs,
  idle_in_transaction_session_timeout: TIMES.idleInTransactionMs,
  connectionTimeoutMillis: TIMES.connectMs,
  query_timeout: TIMES.answerMs,
  keepAlive: true,
};

/**
 * The one definition of the data source, for the application and the command line. The callers add their entities.
 */
export function dataSourceOptions({
  url,
  applicationName,
  poolSize,
  limits = CONNECTION_LIMITS,
  settings = [],
}: ConnectionOptions): DataSourceOptions {
  const ours = { ...limits, application_name: applicationName };
  const { connectionString, ...extra } = connectionTo(url, ours, settings);
  return {
    type: 'postgres',
    url: connectionString,
    poolSize,
    synchronize: false,
    migrationsRun: false,
    migrationsTransactionMode: 'all',
    installExtensions: false,
    namingStrategy: new ConstraintNames(),
    migrations: [
      Foundation1763683200000,
      Messages1763769600000,
      ArrivalOrder1763856000000,
      Upkeep1763859600000,
      ShownTexts1763863200000,
      ThreadRoom1763870400000,
      RejectsOnce1763881200000,
      ConnectionRevision1763884800000,
      BatchRange1763888400000,
      Agent1763892000000,
      AssistantTools1763895600000,
      StageRules1763899200000,
      ReplyFairness1763902800000,
      ConstraintNames1763906400000,
      OwnDueWork1763913600000,
      PlainNames1763989200000,
      AnswerCount1763992800000,
      FailedMessages1763996400000,
      WebhookGroups1764000000000,
      Scenarios1764003600000,
      ScenarioSecrets1764007200000,
      AttentionNote1764010800000,
      ArchivedStages1764014400000,
      StoppedScenarios1764018000000,
      Media1764028800000,
      ActorTypes1764021600000,
      People1764025000000,
      NameOverride1764025200000,
      RotatedKeys1764039600000,
      Audit1764023400000,
      ThreadOrders1764032400000,
      ThreadSearch1764032410000,
      RetriedRejects1764039601000,
      Assignees1764045000000,
      Erasure1764047000000,
      Figures1764036000000,
      AuditLists1764049000000,
      FigureRanges1764055000000,
      FoundPhoneDigits1764056500000,
      FoundWithoutYo1764057000000,
      UnsentUploads1764058000000,
      ErasureRetries1764060100000,
      AuditRequestIds1764061000000,
      FormerAddresses1764064000000,
      RateCounters1764064500000,
      SearchQueueMessages1764064600000,
      ThreadsPast1764065000000,
      WebhooksOut1764070000000,
      AccountEvents1764070500000,
      SendingHolds1764072000000,
      Traces1764073000000,
      Imports1764071000000,
      ImportIgnoredColumns1764075000000,
      FailedDeliveries1764075200000,
      PhoneCountries1764076000000,
      AccountClock1764077000000,
      ModelOptions1764077100000,
      TakeoverEnd1764077200000,
      CustomerAddresses1764078000000,
      UploadedBy1764078300000,
      MessageLines1764079000000,
      MessageRevisions1764079100000,
      Transcripts1764080000000,
      Vision1764080100000,
      ReplyFailures1764081000000,
      AssignOnReply1764081100000,
      MessageAuthors1764081200000,
      MessagePricing1764082000000,
      ConductedElsewhere1764082300000,
      TemplateQuality1764082600000,
      AuthenticationTemplates1764084000000,
      StatusClearedAt1764085000000,
      OwnAppSecrets1764086000000,
      ErasedTranscripts1764087000000,
      BatchList1764087100000,
      AttentionProviderCode1764088000000,
      ProcessHeartbeats1764089000000,
      OpeningHours1764090000000,
    ],
    extra,
  };
}

/** What the ORM uses as `pg`. Its pool is ours, so hot statements and its repositories share connections. */
export const driverWith = (pool: Pool): object => ({
  Pool: function () {
    return pool;
  },
});
