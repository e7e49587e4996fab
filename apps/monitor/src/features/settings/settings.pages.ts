import type { ComponentType } from 'react';
import type { SettingsPageName } from './settings-names.format';
import { lazyPart } from '../../shared/parts/lazy.part';

/** Each page is a chunk of its own. */
export const PAGE_VIEWS: Record<SettingsPageName, ComponentType> = {
  assistants: lazyPart(() => import('./assistants/assistants.page').then((loaded) => loaded.AssistantsPage)),
  stages: lazyPart(() => import('./stages/stages.page').then((loaded) => loaded.StagesPage)),
  scenarios: lazyPart(() => import('./scenarios/scenarios.page').then((loaded) => loaded.ScenariosPage)),
  bots: lazyPart(() => import('./bots/bots.page').then((loaded) => loaded.BotsPage)),
  templates: lazyPart(() => import('./templates/templates.page').then((loaded) => loaded.TemplatesPage)),
  keys: lazyPart(() => import('./keys/keys.page').then((loaded) => loaded.KeysPage)),
  users: lazyPart(() => import('./users/users.page').then((loaded) => loaded.UsersPage)),
  webhooks: lazyPart(() => import('./webhooks/webhooks.page').then((loaded) => loaded.WebhooksPage)),
  audit: lazyPart(() => import('./audit/audit.page').then((loaded) => loaded.AuditPage)),
  work: lazyPart(() => import('./work/work.page').then((loaded) => loaded.WorkPage)),
};
