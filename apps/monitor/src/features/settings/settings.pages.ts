import { lazy, type ComponentType } from 'react';
import type { SettingsPageName } from './settings-names.format';

/** Each page is a chunk of its own. */
export const PAGE_VIEWS: Record<SettingsPageName, ComponentType> = {
  assistants: lazy(() => import('./assistants/assistants.page').then((m) => ({ default: m.AssistantsPage }))),
  stages: lazy(() => import('./stages/stages.page').then((m) => ({ default: m.StagesPage }))),
  scenarios: lazy(() => import('./scenarios/scenarios.page').then((m) => ({ default: m.ScenariosPage }))),
  bots: lazy(() => import('./bots/bots.page').then((m) => ({ default: m.BotsPage }))),
  templates: lazy(() => import('./templates/templates.page').then((m) => ({ default: m.TemplatesPage }))),
  keys: lazy(() => import('./keys/keys.page').then((m) => ({ default: m.KeysPage }))),
  users: lazy(() => import('./users/users.page').then((m) => ({ default: m.UsersPage }))),
  webhooks: lazy(() => import('./webhooks/webhooks.page').then((m) => ({ default: m.WebhooksPage }))),
  audit: lazy(() => import('./audit/audit.page').then((m) => ({ default: m.AuditPage }))),
  work: lazy(() => import('./work/work.page').then((m) => ({ default: m.WorkPage }))),
};
