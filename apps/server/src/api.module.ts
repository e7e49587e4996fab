import { Module } from '@nestjs/common';
import { AccountsController } from './accounts/accounts.controller';
import { ApiKeysController } from './accounts/api-keys.controller';
import { UsersController } from './accounts/users.controller';
import { AiSwitchController } from './ai-switch/ai-switch.controller';
import { AssistantToolsController } from './assistants/assistant-tools.controller';
import { AssistantTryController, AssistantsController } from './assistants/assistants.controller';
import { StagesController } from './assistants/stages.controller';
import { AuditController } from './audit/audit.controller';
import { AuthController, SecondFactorController } from './auth/auth.controller';
import { SessionIssuer } from './auth/session-issuer';
import { BotChannelsController, BotsController, NumberTestsController } from './bots/bots.controller';
import { FunnelFiguresController, TemplateFiguresController } from './figures/figures.controller';
import { SessionCookie } from './http/auth/session-cookie';
import { LeadEditsController, LeadsController } from './leads/leads.controller';
import { FileLinksController, MediaController, UploadsController } from './media/media.controller';
import { DialogWorkController } from './messages/dialog-work.controller';
import { MessagesController } from './messages/messages.controller';
import { PrivacyController } from './privacy/privacy.controller';
import { ScenarioRunsController } from './scenarios/scenario-runs.controller';
import { ScenarioTryController } from './scenarios/scenario-try.controller';
import { ScenarioSecretsController, ScenariosController } from './scenarios/scenarios.controller';
import {
  BotTemplatesController,
  TemplateModerationController,
  TemplatesController,
} from './templates/templates.controller';
import { ThreadLinks, ThreadsController } from './threads/threads.controller';
import { ExportsController } from './transfer/exports.controller';
import { ImportsController } from './transfer/imports.controller';
import { WebhookDeliveriesController } from './webhooks-out/webhook-deliveries.controller';
import { WebhookEndpointsController } from './webhooks-out/webhook-endpoints.controller';

/** What callers ask for over HTTP. The document lists the operations in this order. */
@Module({
  controllers: [
    ...[LeadsController, LeadEditsController],
    AiSwitchController,
    ...[MediaController, UploadsController, FileLinksController],
    ...[MessagesController, DialogWorkController],
    ...[BotTemplatesController, TemplatesController, TemplateModerationController],
    ThreadsController,
    ...[ImportsController, ExportsController],
    ...[AssistantsController, AssistantToolsController, AssistantTryController, StagesController],
    ...[ScenariosController, ScenarioSecretsController, ScenarioRunsController, ScenarioTryController],
    ...[BotsController, BotChannelsController, NumberTestsController],
    ...[AccountsController, ApiKeysController, UsersController],
    AuditController,
    ...[AuthController, SecondFactorController],
    ...[FunnelFiguresController, TemplateFiguresController],
    PrivacyController,
    ...[WebhookEndpointsController, WebhookDeliveriesController],
  ],
  providers: [SessionCookie, SessionIssuer, ThreadLinks],
})
export class ApiModule {}
