// Written by `npm run client` from test/snapshots/openapi.json. Do not edit.

export interface paths {
  '/api/v1/admin/accounts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listAccounts'];
    put?: never;
    post: operations['createAccount'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/accounts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getAccount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch: operations['changeAccount'];
    trace?: never;
  };
  '/api/v1/admin/api-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listApiKeys'];
    put?: never;
    post: operations['issueApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/api-keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['revokeApiKey'];
    options?: never;
    head?: never;
    patch: operations['changeApiKey'];
    trace?: never;
  };
  '/api/v1/admin/api-keys/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['rotateApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/assistants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listAssistants'];
    put?: never;
    post: operations['createAssistant'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/assistants/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getAssistant'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch: operations['changeAssistant'];
    trace?: never;
  };
  '/api/v1/admin/assistants/{id}/tools': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listTools'];
    put?: never;
    post: operations['createTool'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/assistants/{id}/tools/{tool_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['removeTool'];
    options?: never;
    head?: never;
    patch: operations['changeTool'];
    trace?: never;
  };
  '/api/v1/admin/assistants/{id}/try': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['tryAssistant'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listAudit'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/bots': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listBots'];
    put?: never;
    post: operations['createBot'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/bots/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getBot'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch: operations['changeBot'];
    trace?: never;
  };
  '/api/v1/admin/bots/{id}/channels/{channel}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations['connectChannel'];
    post?: never;
    delete: operations['disconnectChannel'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/bots/{id}/channels/{channel}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['testNumber'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenario-runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listRuns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenario-runs/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getRun'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenario-runs/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['cancelRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenario-runs/{id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['retryRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenario-runs/{id}/steps/{index}/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['resolveStep'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenarios': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listScenarios'];
    put?: never;
    post: operations['createScenario'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenarios/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getScenario'];
    put?: never;
    post?: never;
    delete: operations['deleteScenario'];
    options?: never;
    head?: never;
    patch: operations['changeScenario'];
    trace?: never;
  };
  '/api/v1/admin/scenarios/{id}/cancel-runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['cancelScenarioRuns'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenarios/{id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['rotateSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenarios/{id}/start': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['startScenario'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/scenarios/{id}/try': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['tryScenario'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/statuses': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listStatuses'];
    put?: never;
    post: operations['createStatus'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/statuses/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getStatus'];
    put?: never;
    post?: never;
    delete: operations['archiveStatus'];
    options?: never;
    head?: never;
    patch: operations['changeStatus'];
    trace?: never;
  };
  '/api/v1/admin/templates': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listTemplates'];
    put?: never;
    post: operations['createTemplate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/templates/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getTemplate'];
    put?: never;
    post?: never;
    delete: operations['removeTemplate'];
    options?: never;
    head?: never;
    patch: operations['changeTemplate'];
    trace?: never;
  };
  '/api/v1/admin/templates/{id}/submit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['submitTemplate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/templates/synchronize': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['synchronizeTemplates'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/threads/{id}/erase': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['erase'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/threads/{id}/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['exportThread'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listUsers'];
    put?: never;
    post: operations['createUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/users/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getUser'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch: operations['changeUser'];
    trace?: never;
  };
  '/api/v1/admin/users/{id}/invitation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['inviteUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/users/{id}/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['endUserSessions'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-deliveries/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getDelivery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-deliveries/{id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['retryDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listWebhookEndpoints'];
    put?: never;
    post: operations['createWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-endpoints/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getWebhookEndpoint'];
    put?: never;
    post?: never;
    delete: operations['deleteWebhookEndpoint'];
    options?: never;
    head?: never;
    patch: operations['changeWebhookEndpoint'];
    trace?: never;
  };
  '/api/v1/admin/webhook-endpoints/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-endpoints/{id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['replayEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-endpoints/{id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-endpoints/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['testEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-rejects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listRejected'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-rejects/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['deleteRejected'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/webhook-rejects/{id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['retryRejected'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/admin/work': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['work'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/accept-invitation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['acceptInvitation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/change-password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['changePassword'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['confirm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['me'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/second-factor/begin': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['beginSecondFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/second-factor/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['disableSecondFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/second-factor/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['enableSecondFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listSessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['endSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/sign-in': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['signIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/sign-out': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['signOut'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/assign': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['assign'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/cancel-import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['cancelImport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/clear-attention': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['clearAttention'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['exportLeads'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/get-assignees': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getAssignees'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/get-funnel-figures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getFunnelFigures'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/get-history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getHistory'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/get-import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getImport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/get-lead': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getLead'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/get-statuses': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getStatuses'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['importLeads'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/set-ai': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['setAi'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/set-name': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['setName'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/set-status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['setStatus'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/leads/set-status-bulk': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['setStatusBulk'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/add-note': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['addNote'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/get-batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/get-batches': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getBatches'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/get-message': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getMessage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/get-messages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getMessages'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/get-template-figures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getTemplateFigures'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/get-templates': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getTemplates'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/get-threads': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['getThreads'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/mark-read': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['markRead'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/media/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getMedia'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/request-phone': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['requestPhone'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/send-template': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['sendTemplate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/send-text': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['sendText'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/settle-message': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['settleMessage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/messages/upload-media': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['uploadMedia'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/files/{token}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['live'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['ready'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'batch.finished': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:batch.finished'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'bot.trouble': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:bot.trouble'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'import.finished': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:import.finished'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'lead.ai_switched': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:lead.ai_switched'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'lead.assigned': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:lead.assigned'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'lead.attention': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:lead.attention'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'lead.created': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:lead.created'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'lead.handler_changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:lead.handler_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'lead.opted_out': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:lead.opted_out'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'lead.renamed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:lead.renamed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'lead.status_changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:lead.status_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.deleted': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:message.deleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.edited': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:message.edited'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.received': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:message.received'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.sent': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:message.sent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.status_changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:message.status_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.transcribed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:message.transcribed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'quota.low': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:quota.low'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'scenario.finished': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:scenario.finished'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'template.status_changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:template.status_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'webhook.disabled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:webhook.disabled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'webhook.test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['webhook:webhook.test'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    AcceptInvitationBody: {
      code?: string;
      /** Format: password */
      password: string;
      token: string;
    };
    AccountAnswer: {
      /** @example true */
      assign_on_reply: boolean;
      /** @example false */
      automation_paused: boolean;
      default_country: string | null;
      id: string;
      media_quota_bytes: number | null;
      media_used_bytes: number;
      monthly_message_quota: number | null;
      name: string;
      opening_hours: components['schemas']['OpeningHoursSchema'] | null;
      opt_in_words: string[];
      opt_out_words: string[];
      /** Format: date-time */
      quota_reset_at: string;
      quota_used: number;
      retention_days: number | null;
      /** @example false */
      second_factor_required: boolean;
      /** @enum {string} */
      takeover_end: 'ask' | 'answer' | 'keep';
      timezone: string;
      /** @example true */
      transcription: boolean;
    };
    AccountListAnswer: {
      accounts: components['schemas']['AccountAnswer'][];
      next_cursor: string | null;
    };
    AddNoteBody: {
      text: string;
      thread_id: string;
    };
    ApiKeyAnswer: {
      account_id: string | null;
      assistant_ids: string[];
      bot_ids: string[];
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      expires_at: string | null;
      id: string;
      /** Format: date-time */
      last_used_at: string | null;
      limit_general: number | null;
      limit_leads: number | null;
      name: string;
      prefix: string;
      /** Format: date-time */
      revoked_at: string | null;
      scopes: ('messages' | 'leads' | 'admin')[];
    };
    ApiKeyListAnswer: {
      api_keys: components['schemas']['ApiKeyAnswer'][];
      next_cursor: string | null;
    };
    AssignAnswer: {
      assignee: components['schemas']['AssigneeAnswer'] | null;
      changed: boolean;
      thread_id: string;
    };
    AssigneeAnswer: {
      id: string;
      name: string;
    };
    AssigneesAnswer: {
      assignees: components['schemas']['AssigneeAnswer'][];
    };
    AssignRequest: {
      thread_id: string;
      user_id: string | null;
    };
    AssignStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'assign';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      user_id: string | null;
    };
    AssistantAnswer: {
      account_id: string;
      auto_return_minutes: number;
      barred_kinds: ('active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure')[];
      /** Format: date-time */
      created_at: string;
      handover_text: string | null;
      id: string;
      instructions: string;
      model: string | null;
      model_options: {
        [key: string]: unknown;
      } | null;
      name: string;
      replies_per_hour: number;
      reply_characters_max: number;
      reply_delay_ms: number | null;
      reply_parts_max: number;
      /** @example false */
      vision: boolean;
    };
    AssistantListAnswer: {
      assistants: components['schemas']['AssistantAnswer'][];
      next_cursor: string | null;
    };
    AttentionAnswer: {
      note: string | null;
      provider_code: number | null;
      /** @enum {string} */
      reason:
        | 'hand_over'
        | 'model'
        | 'messenger'
        | 'not_delivered'
        | 'unknown'
        | 'channel'
        | 'limit'
        | 'too_old'
        | 'nobody_answered'
        | 'missed_call'
        | 'scenario';
      /** Format: date-time */
      since: string;
    };
    AuditActor: {
      id: string;
      name: string;
      /** @enum {string} */
      type: 'user' | 'key' | 'agent' | 'scenario';
    };
    AuditEntryAnswer: {
      account_id: string | null;
      action: string;
      actor: components['schemas']['AuditActor'] | null;
      after: {
        [key: string]: unknown;
      } | null;
      /** Format: date-time */
      at: string;
      before: {
        [key: string]: unknown;
      } | null;
      id: string;
      ip: string | null;
      request_id: string | null;
      subject: components['schemas']['AuditSubject'];
    };
    AuditListAnswer: {
      entries: components['schemas']['AuditEntryAnswer'][];
      next_cursor: string | null;
    };
    AuditSubject: {
      id: string | null;
      name: string | null;
      type: string;
    };
    BatchAnswer: {
      batch_id: string;
      failed: number;
      queued: number;
      results: components['schemas']['RecipientResult'][];
      sent: number;
      total: number;
      unknown: number;
    };
    BatchListAnswer: {
      batches: components['schemas']['ListedBatchAnswer'][];
      next_cursor: string | null;
    };
    BatchTemplateAnswer: {
      language: string;
      name: string;
      template_id: string | null;
    };
    BegunSecondFactorAnswer: {
      otpauth_url: string;
      secret: string;
    };
    BotAnswer: {
      account_id: string;
      assistant_id: string;
      channels: components['schemas']['BotChannelAnswer'][];
      /** Format: date-time */
      created_at: string;
      id: string;
      name: string;
    };
    BotChannelAnswer: {
      app_secret_set: boolean;
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
      connected: boolean;
      messages_per_second: number | null;
      phone_country: string | null;
      sender: string;
      settings: {
        [key: string]: string;
      };
      stopped_reason: string | null;
      webhook_url: string | null;
    };
    BotChannelRequest: {
      bot_id: string;
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
    };
    BotListAnswer: {
      bots: components['schemas']['BotAnswer'][];
      next_cursor: string | null;
    };
    BulkItemAnswer: {
      data?: components['schemas']['SetStatusAnswer'];
      error?: components['schemas']['BulkItemError'];
      index: number;
      ok: boolean;
    };
    BulkItemError: {
      code: string;
      message: string;
    };
    ButtonAnswer: {
      /** @enum {string} */
      otp_type?: 'copy_code' | 'one_tap' | 'zero_tap';
      phone_number?: string;
      text: string;
      /** @enum {string} */
      type: 'quick_reply' | 'url' | 'phone_number' | 'copy_code' | 'otp' | 'other';
      url?: string;
    };
    CallContentAnswer: {
      /** @enum {string} */
      outcome: 'missed';
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'call';
    };
    CancelImportRequest: {
      import_id: string;
    };
    CancelledRunsAnswer: {
      cancelled: number;
    };
    CardMessageAnswer: {
      /** Format: date-time */
      created_at: string;
      lines?: components['schemas']['MessageLinesAnswer'];
      /** @enum {string} */
      role: 'AI' | 'USER' | 'OPERATOR' | 'SYSTEM';
      text: string;
    };
    ChangeAccountRequest: {
      /** @example true */
      assign_on_reply?: boolean;
      /** @example false */
      automation_paused?: boolean;
      default_country?: string | null;
      media_quota_bytes?: number | null;
      monthly_message_quota?: number | null;
      name?: string;
      opening_hours?: components['schemas']['OpeningHoursSchema'] | null;
      opt_in_words?: string[];
      opt_out_words?: string[];
      retention_days?: number | null;
      /** @example false */
      second_factor_required?: boolean;
      /** @enum {string} */
      takeover_end?: 'ask' | 'answer' | 'keep';
      timezone?: string;
      /** @example true */
      transcription?: boolean;
    };
    ChangeApiKeyRequest: {
      assistant_ids?: string[];
      bot_ids?: string[];
      /** Format: date-time */
      expires_at?: string | null;
      limit_general?: number | null;
      limit_leads?: number | null;
      name?: string;
      scopes?: ('messages' | 'leads' | 'admin')[];
    };
    ChangeAssistantRequest: {
      auto_return_minutes?: number;
      barred_kinds?: ('active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure')[];
      handover_text?: string | null;
      instructions?: string;
      model?: string | null;
      model_options?: {
        [key: string]: unknown;
      } | null;
      name?: string;
      replies_per_hour?: number;
      reply_characters_max?: number;
      reply_delay_ms?: number | null;
      reply_parts_max?: number;
      /** @example true */
      vision?: boolean;
    };
    ChangeBotRequest: {
      assistant_id?: string;
      name?: string;
    };
    ChangeEndpointRequest: {
      assistant_ids?: string[] | null;
      description?: string;
      /** @example false */
      disabled?: boolean;
      events?: (
        | 'lead.created'
        | 'lead.status_changed'
        | 'lead.ai_switched'
        | 'lead.handler_changed'
        | 'lead.opted_out'
        | 'lead.assigned'
        | 'lead.renamed'
        | 'lead.attention'
        | 'message.received'
        | 'message.sent'
        | 'message.status_changed'
        | 'message.transcribed'
        | 'message.edited'
        | 'message.deleted'
        | 'batch.finished'
        | 'scenario.finished'
        | 'import.finished'
        | 'template.status_changed'
        | 'bot.trouble'
        | 'quota.low'
        | 'webhook.disabled'
        | '*'
      )[];
      max_per_second?: number | null;
      url?: string;
    };
    ChangePasswordBody: {
      /** Format: password */
      current: string;
      /** Format: password */
      password: string;
    };
    ChangeScenarioRequest: {
      cooldown_seconds?: number;
      name?: string;
      /** @enum {string} */
      on_leave?: 'cancel' | 'continue';
      /** @enum {string} */
      on_reply?: 'continue' | 'cancel';
      /** @enum {string} */
      on_takeover?: 'wait' | 'continue' | 'cancel';
      order?: number;
      /** @enum {string} */
      reentry?: 'restart' | 'ignore' | 'once';
      /**
       * @default keep
       * @enum {string}
       */
      running?: 'keep' | 'cancel';
      send_hours?: components['schemas']['SendHoursSchema'] | null;
      /** @enum {string} */
      state?: 'on' | 'paused' | 'off';
      steps?: (
        | components['schemas']['SendTemplateStepSchema']
        | components['schemas']['SendTextStepSchema']
        | components['schemas']['RequestPhoneStepSchema']
        | components['schemas']['WaitStepSchema']
        | components['schemas']['WaitUntilStepSchema']
        | components['schemas']['WaitForReplyStepSchema']
        | components['schemas']['ConditionStepSchema']
        | components['schemas']['SetStatusStepSchema']
        | components['schemas']['SetAiStepSchema']
        | components['schemas']['HandOverStepSchema']
        | components['schemas']['ReturnToAiStepSchema']
        | components['schemas']['AssignStepSchema']
        | components['schemas']['HttpStepSchema']
        | components['schemas']['NotifyStepSchema']
      )[];
    };
    ChangeStageRequest: {
      /** @example true */
      ai_enabled?: boolean;
      /** @example false */
      ai_transition_locked?: boolean;
      description?: string | null;
      /** @enum {string} */
      kind?: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      name?: string;
      /** @enum {string|null} */
      on_enter?: 'ai' | 'operator' | null;
      order?: number;
    };
    ChangeTemplateRequest: {
      /** @default false */
      add_security_recommendation?: boolean;
      body?: string;
      buttons?: components['schemas']['TemplateButtonRequest'][];
      /** @enum {string} */
      category?: 'marketing' | 'utility' | 'authentication';
      code_expiration_minutes?: number | null;
      examples?: components['schemas']['TemplateExamplesRequest'];
      footer?: string | null;
      header?: components['schemas']['TemplateHeaderRequest'] | null;
    };
    ChangeToolRequest: {
      auto_fill?: {
        [key: string]:
          | 'thread_id'
          | 'phone'
          | 'customer_name'
          | 'assistant_id'
          | 'bot_id'
          | 'channel'
          | 'status_id';
      };
      description?: string;
      /** @example true */
      enabled?: boolean;
      headers?: {
        [key: string]: string;
      };
      /** @enum {string} */
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      name?: string;
      parameters?: {
        [key: string]: unknown;
      };
      timeout_ms?: number;
      url?: string;
    };
    ChangeUserRequest: {
      assistant_ids?: string[] | null;
      /** @example false */
      disabled?: boolean;
      email?: string;
      /** @enum {string} */
      locale?: 'ru' | 'en';
      name?: string;
      /** @enum {string} */
      role?: 'operator' | 'admin';
      /**
       * @example false
       * @enum {boolean}
       */
      second_factor?: false;
    };
    ChoiceContentAnswer: {
      description: string | null;
      id: string | null;
      title: string | null;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'choice';
    };
    ClearAttentionAnswer: {
      changed: boolean;
      thread_id: string;
    };
    ClearAttentionRequest: {
      thread_id: string;
    };
    ConditionFactSchema: {
      /** @enum {string} */
      fact: 'in_stage' | 'replied' | 'window_open' | 'waiting' | 'handler' | 'channel' | 'kind' | 'last_send';
      /** @example false */
      is: boolean | string;
    };
    ConditionStepSchema: {
      all: components['schemas']['ConditionFactSchema'][];
      else:
        | 'stop'
        | {
            go: string;
          };
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'condition';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
    };
    ConfirmBody: {
      /** Format: password */
      password: string;
    };
    ConnectChannelRequest: {
      app_secret?: string | null;
      credential?: string;
      messages_per_second?: number;
      sender: string;
      settings: {
        [key: string]: string;
      };
    };
    ContactsContentAnswer: {
      contacts: components['schemas']['SharedContactAnswer'][];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'contacts';
    };
    CreateAccountRequest: {
      /** @example true */
      assign_on_reply?: boolean;
      /** @example false */
      automation_paused?: boolean;
      default_country?: string | null;
      media_quota_bytes?: number | null;
      monthly_message_quota?: number | null;
      name: string;
      opening_hours?: components['schemas']['OpeningHoursSchema'] | null;
      opt_in_words?: string[];
      opt_out_words?: string[];
      retention_days?: number | null;
      /** @example false */
      second_factor_required?: boolean;
      /** @enum {string} */
      takeover_end?: 'ask' | 'answer' | 'keep';
      timezone?: string;
      /** @example true */
      transcription?: boolean;
    };
    CreateAssistantRequest: {
      account_id?: string;
      auto_return_minutes?: number;
      barred_kinds?: ('active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure')[];
      handover_text?: string | null;
      instructions?: string;
      model?: string | null;
      model_options?: {
        [key: string]: unknown;
      } | null;
      name: string;
      replies_per_hour?: number;
      reply_characters_max?: number;
      reply_delay_ms?: number | null;
      reply_parts_max?: number;
      /** @example true */
      vision?: boolean;
    };
    CreateBotRequest: {
      account_id?: string;
      assistant_id: string;
      name: string;
    };
    CreateEndpointRequest: {
      account_id?: string;
      assistant_ids?: string[] | null;
      description?: string;
      events: (
        | 'lead.created'
        | 'lead.status_changed'
        | 'lead.ai_switched'
        | 'lead.handler_changed'
        | 'lead.opted_out'
        | 'lead.assigned'
        | 'lead.renamed'
        | 'lead.attention'
        | 'message.received'
        | 'message.sent'
        | 'message.status_changed'
        | 'message.transcribed'
        | 'message.edited'
        | 'message.deleted'
        | 'batch.finished'
        | 'scenario.finished'
        | 'import.finished'
        | 'template.status_changed'
        | 'bot.trouble'
        | 'quota.low'
        | 'webhook.disabled'
        | '*'
      )[];
      max_per_second?: number | null;
      url: string;
    };
    CreateScenarioRequest: {
      cooldown_seconds?: number;
      name: string;
      /** @enum {string} */
      on_leave?: 'cancel' | 'continue';
      /** @enum {string} */
      on_reply?: 'continue' | 'cancel';
      /** @enum {string} */
      on_takeover?: 'wait' | 'continue' | 'cancel';
      order?: number;
      /** @enum {string} */
      reentry?: 'restart' | 'ignore' | 'once';
      send_hours?: components['schemas']['SendHoursSchema'] | null;
      /** @enum {string} */
      state?: 'on' | 'paused' | 'off';
      status_id: string;
      steps: (
        | components['schemas']['SendTemplateStepSchema']
        | components['schemas']['SendTextStepSchema']
        | components['schemas']['RequestPhoneStepSchema']
        | components['schemas']['WaitStepSchema']
        | components['schemas']['WaitUntilStepSchema']
        | components['schemas']['WaitForReplyStepSchema']
        | components['schemas']['ConditionStepSchema']
        | components['schemas']['SetStatusStepSchema']
        | components['schemas']['SetAiStepSchema']
        | components['schemas']['HandOverStepSchema']
        | components['schemas']['ReturnToAiStepSchema']
        | components['schemas']['AssignStepSchema']
        | components['schemas']['HttpStepSchema']
        | components['schemas']['NotifyStepSchema']
      )[];
    };
    CreateStageRequest: {
      /** @example true */
      ai_enabled?: boolean;
      /** @example false */
      ai_transition_locked?: boolean;
      assistant_id: string;
      description?: string | null;
      /** @enum {string} */
      kind: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      name: string;
      /** @enum {string|null} */
      on_enter?: 'ai' | 'operator' | null;
      order?: number;
    };
    CreateTemplateRequest: {
      /** @default false */
      add_security_recommendation?: boolean;
      body?: string;
      bot_id: string;
      /** @default [] */
      buttons?: components['schemas']['TemplateButtonRequest'][];
      /** @enum {string} */
      category: 'marketing' | 'utility' | 'authentication';
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
      code_expiration_minutes?: number;
      examples?: components['schemas']['TemplateExamplesRequest'];
      footer?: string;
      header?: components['schemas']['TemplateHeaderRequest'];
      /** @default ru */
      language?: string;
      name: string;
      /**
       * @default positional
       * @enum {string}
       */
      parameter_format?: 'positional' | 'named';
      template_id?: string;
    };
    CreateToolRequest: {
      auto_fill?: {
        [key: string]:
          | 'thread_id'
          | 'phone'
          | 'customer_name'
          | 'assistant_id'
          | 'bot_id'
          | 'channel'
          | 'status_id';
      };
      description: string;
      /** @example true */
      enabled?: boolean;
      headers?: {
        [key: string]: string;
      };
      /** @enum {string} */
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      name: string;
      parameters?: {
        [key: string]: unknown;
      };
      timeout_ms?: number;
      url: string;
    };
    CreateUserRequest: {
      account_id?: string;
      /** @default null */
      assistant_ids?: string[] | null;
      email: string;
      /**
       * @default ru
       * @enum {string}
       */
      locale?: 'ru' | 'en';
      name: string;
      /** @enum {string} */
      role: 'operator' | 'admin';
    };
    CustomerAnswer: {
      phone: string | null;
      phone_proven: boolean;
      user_id: string | null;
      username: string | null;
      wa_id: string | null;
    };
    DayFiguresAnswer: {
      /** Format: date */
      date: string;
      first_answers: components['schemas']['FirstAnswersBySpeakerAnswer'];
      /** Format: date-time */
      from: string;
      messages: components['schemas']['MessageCountsAnswer'];
      stages: components['schemas']['StageMovesAnswer'][];
      /** Format: date-time */
      to: string;
    };
    DeliveryAttemptAnswer: {
      /** Format: date-time */
      at: string;
      error: string | null;
      ms: number;
      /** @enum {string|null} */
      reason:
        | 'address'
        | 'name_address'
        | 'name_unknown'
        | 'refused'
        | 'reset'
        | 'unreachable'
        | 'certificate'
        | 'tls'
        | 'connection'
        | 'no_answer'
        | 'redirect'
        | 'secret'
        | 'no_event'
        | 'no_body'
        | 'broken_off'
        | null;
      status: number | null;
    };
    DialogMessageAnswer: {
      author: components['schemas']['AssigneeAnswer'] | null;
      content:
        | (
            | components['schemas']['LocationContentAnswer']
            | components['schemas']['ContactsContentAnswer']
            | components['schemas']['OrderContentAnswer']
            | components['schemas']['ChoiceContentAnswer']
            | components['schemas']['FormContentAnswer']
            | components['schemas']['ReactionContentAnswer']
            | components['schemas']['CallContentAnswer']
            | components['schemas']['UnsupportedContentAnswer']
          )
        | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      deleted_at: string | null;
      /** Format: date-time */
      edited_at: string | null;
      error: components['schemas']['MessageErrorAnswer'] | null;
      /** Format: uuid */
      id: string;
      media: components['schemas']['MediaAnswer'] | null;
      message_id: string | null;
      pricing: components['schemas']['PricingAnswer'] | null;
      quoted: components['schemas']['QuotedAnswer'] | null;
      referral: components['schemas']['ReferralAnswer'] | null;
      /** @enum {string} */
      role: 'AI' | 'USER' | 'OPERATOR' | 'SYSTEM';
      /** Format: date-time */
      sent_at: string | null;
      /** @enum {string} */
      status:
        | 'received'
        | 'queued'
        | 'sending'
        | 'unknown'
        | 'sent'
        | 'failed'
        | 'delivered'
        | 'read'
        | 'dropped';
      text: string;
      type: string;
    };
    DisableSecondFactorBody: {
      code: string;
      /** Format: password */
      password: string;
    };
    EnableSecondFactorBody: {
      code: string;
    };
    ErasedThreadAnswer: {
      /** Format: date-time */
      erased_at: string;
      thread_id: string;
    };
    ExamplesAnswer: {
      body?: string[];
      header?: string;
      media_id?: string;
    };
    ExportLeadsRequest: {
      /** Format: date-time */
      active_after?: string;
      assignee_id?: string | null;
      assistant_id: string;
      attention?:
        | boolean
        | (
            | 'hand_over'
            | 'model'
            | 'messenger'
            | 'not_delivered'
            | 'unknown'
            | 'channel'
            | 'limit'
            | 'too_old'
            | 'nobody_answered'
            | 'missed_call'
            | 'scenario'
          );
      /** Format: uuid */
      bot_id?: string;
      /** @enum {string} */
      channel?: 'waba_coexistence' | 'waba';
      /** Format: date-time */
      created_after?: string;
      /** Format: date-time */
      created_before?: string;
      /** @enum {string} */
      format: 'csv' | 'ndjson';
      /** @enum {string} */
      message_handler?: 'AI' | 'OPERATOR';
      /** @default false */
      needs_person?: boolean;
      opted_out?: boolean;
      phones?: string[];
      /** @enum {string} */
      run_state?: 'running' | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled';
      scenario_id?: string;
      search?: string;
      status_id?: string | null;
      status_ids?: (string | null)[];
      /** @enum {string} */
      status_kind?: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      thread_ids?: string[];
      unread?: boolean;
      user_ids?: string[];
      waiting?: boolean;
    };
    FailedMessagesAnswer: {
      code: string | null;
      messages: number;
      provider_code: number | null;
    };
    Failure: {
      error: {
        /** @enum {string} */
        code:
          | 'UNAUTHORIZED'
          | 'FORBIDDEN'
          | 'NOT_FOUND'
          | 'METHOD_NOT_ALLOWED'
          | 'PAYLOAD_TOO_LARGE'
          | 'VALIDATION_ERROR'
          | 'THREAD_NOT_FOUND'
          | 'STATUS_NOT_FOUND'
          | 'STATUS_AMBIGUOUS'
          | 'STATUS_CONFLICT'
          | 'STATUS_IN_USE'
          | 'ASSISTANT_NOT_FOUND'
          | 'BOT_NOT_FOUND'
          | 'THREAD_OPTED_OUT'
          | 'THREAD_ERASED'
          | 'MESSAGE_NOT_FOUND'
          | 'BATCH_NOT_FOUND'
          | 'IMPORT_NOT_FOUND'
          | 'MEDIA_NOT_FOUND'
          | 'MEDIA_GONE'
          | 'MEDIA_LOADING'
          | 'MEDIA_NO_PREVIEW'
          | 'MEDIA_QUOTA_EXCEEDED'
          | 'IDEMPOTENCY_IN_PROGRESS'
          | 'QUOTA_EXCEEDED'
          | 'PROVIDER_ERROR'
          | 'BILLING_ERROR'
          | 'MODEL_ERROR'
          | 'ACCOUNT_NOT_FOUND'
          | 'API_KEY_NOT_FOUND'
          | 'API_KEY_REVOKED'
          | 'TEMPLATE_NOT_FOUND'
          | 'TEMPLATE_CONFLICT'
          | 'TOOL_NOT_FOUND'
          | 'SCENARIO_NOT_FOUND'
          | 'RUN_NOT_FOUND'
          | 'RUN_STATE'
          | 'WEBHOOK_REJECT_NOT_FOUND'
          | 'WEBHOOK_ENDPOINT_NOT_FOUND'
          | 'WEBHOOK_ENDPOINT_DISABLED'
          | 'WEBHOOK_DELIVERY_NOT_FOUND'
          | 'WEBHOOK_DELIVERY_STATE'
          | 'ALREADY_EXISTS'
          | 'SIGN_IN_FAILED'
          | 'CODE_REQUIRED'
          | 'CSRF'
          | 'CONFIRM_REQUIRED'
          | 'WRONG_PASSWORD'
          | 'INVITATION_NOT_FOUND'
          | 'USER_NOT_FOUND'
          | 'SESSION_NOT_FOUND'
          | 'EMAIL_TAKEN'
          | 'LAST_ADMIN'
          | 'LIMIT_REACHED'
          | 'RATE_LIMITED'
          | 'INTERNAL_ERROR'
          | 'UNAVAILABLE';
        details?: {
          message: string;
          path: string;
          reason?: string;
          values?: {
            [key: string]: string | number;
          };
        }[];
        message: string;
        request_id: string;
        status: number;
      };
      /** @enum {boolean} */
      ok: false;
      provider_response?: unknown;
    };
    FirstAnswersAnswer: {
      answers: number;
      median_seconds: number | null;
    };
    FirstAnswersBySpeakerAnswer: {
      ai: components['schemas']['FirstAnswersAnswer'];
      answers: number;
      median_seconds: number | null;
      operator: components['schemas']['FirstAnswersAnswer'];
      system: components['schemas']['FirstAnswersAnswer'];
    };
    FormContentAnswer: {
      name: string | null;
      response: {
        [key: string]: unknown;
      } | null;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'form';
    };
    FunnelAnswer: {
      assistant_id: string;
      statuses: components['schemas']['FunnelStageAnswer'][];
    };
    FunnelFiguresAnswer: {
      assistant_id: string;
      complete: boolean;
      days: components['schemas']['DayFiguresAnswer'][];
      first_answers: components['schemas']['FirstAnswersBySpeakerAnswer'];
      /** Format: date-time */
      from: string;
      messages: components['schemas']['MessageCountsAnswer'];
      stages: components['schemas']['StageFiguresAnswer'][];
      timezone: string;
      /** Format: date-time */
      to: string;
    };
    FunnelStageAnswer: {
      ai_enabled: boolean;
      ai_transition_locked: boolean;
      description: string | null;
      id: string;
      /** @enum {string} */
      kind: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      name: string;
      order: number;
    };
    GetAssigneesRequest: {
      assistant_id: string;
    };
    GetBatchBody: {
      batch_id: string;
    };
    GetBatchesBody: {
      /** Format: uuid */
      bot_id?: string;
      cursor?: string;
      /** @default 50 */
      limit?: number;
    };
    GetFunnelFiguresRequest: {
      assistant_id: string;
      /** Format: date-time */
      from: string;
      timezone: string;
      /** Format: date-time */
      to: string;
    };
    GetHistoryRequest: {
      cursor?: string;
      /** @default 50 */
      limit?: number;
      thread_id: string;
    };
    GetImportRequest: {
      /** @default 10000 */
      faults_limit?: number;
      import_id: string;
    };
    GetLeadRequest: {
      thread_id: string;
    };
    GetMessageBody: {
      id: string;
    };
    GetMessagesRequest: {
      around?: string;
      cursor?: string;
      /** @default 50 */
      limit?: number;
      thread_id: string;
    };
    GetStatusesRequest: {
      assistant_id?: string;
    };
    GetTemplateFiguresRequest: {
      /** Format: uuid */
      bot_id: string;
      /** Format: date-time */
      from: string;
      /** Format: date-time */
      to: string;
    };
    GetTemplatesRequest: {
      bot_id: string;
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
      /** @enum {string} */
      status?: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';
    };
    GetThreadsRequest: {
      /** Format: date-time */
      active_after?: string;
      assignee_id?: string | null;
      assistant_id?: string;
      attention?:
        | boolean
        | (
            | 'hand_over'
            | 'model'
            | 'messenger'
            | 'not_delivered'
            | 'unknown'
            | 'channel'
            | 'limit'
            | 'too_old'
            | 'nobody_answered'
            | 'missed_call'
            | 'scenario'
          );
      /** Format: uuid */
      bot_id?: string;
      /** @enum {string} */
      channel?: 'waba_coexistence' | 'waba';
      /** @default false */
      counts?: boolean;
      /** Format: date-time */
      created_after?: string;
      /** Format: date-time */
      created_before?: string;
      cursor?: string;
      /** @default 50 */
      limit?: number;
      /** @enum {string} */
      message_handler?: 'AI' | 'OPERATOR';
      /** @default 0 */
      messages_limit?: number;
      /** @default false */
      needs_person?: boolean;
      opted_out?: boolean;
      phones?: string[];
      /** @enum {string} */
      run_state?: 'running' | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled';
      scenario_id?: string;
      search?: string;
      /**
       * @default opened
       * @enum {string}
       */
      sort?: 'opened' | 'activity' | 'waiting';
      status_id?: string | null;
      status_ids?: (string | null)[];
      /** @enum {string} */
      status_kind?: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      thread_ids?: string[];
      unread?: boolean;
      user_ids?: string[];
      waiting?: boolean;
    };
    GovernedTemplateAnswer: {
      account_id: string;
      add_security_recommendation: boolean;
      body: string;
      bot_id: string;
      buttons: components['schemas']['ButtonAnswer'][];
      /** @enum {string} */
      category: 'marketing' | 'utility' | 'authentication';
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
      code_expiration_minutes: number | null;
      /** Format: date-time */
      created_at: string;
      examples: components['schemas']['ExamplesAnswer'];
      footer: string | null;
      header: components['schemas']['HeaderAnswer'] | null;
      id: string;
      language: string;
      name: string;
      param_names: string[];
      /** @enum {string} */
      parameter_format: 'positional' | 'named';
      params_count: number;
      provider_id: string | null;
      /** @enum {string|null} */
      quality: 'green' | 'yellow' | 'red' | 'unknown' | null;
      reason: string | null;
      /** @enum {string} */
      status: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';
      /** Format: date-time */
      status_at: string | null;
      template_id: string;
      /** Format: date-time */
      updated_at: string;
    };
    HandOverStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'hand_over';
      label?: string;
      note?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
    };
    HeaderAnswer: {
      /** @enum {string} */
      format: 'text' | 'image' | 'video' | 'document' | 'location' | 'other';
      text?: string;
    };
    HistoryAnswer: {
      entries: components['schemas']['HistoryEntryAnswer'][];
      next_cursor: string | null;
    };
    HistoryCauseAnswer: {
      id: string;
      name: string;
      /** @enum {string} */
      type: 'key' | 'user' | 'agent' | 'scenario' | 'hand';
    };
    HistoryEntryAnswer: {
      actor?: {
        id: string;
        name: string;
        run_id?: string;
        type: string;
      } | null;
      /** Format: date-time */
      at: string;
      /** @enum {string} */
      by: 'AI' | 'OPERATOR_MANUAL' | 'SCENARIO' | 'SYSTEM' | 'USER' | 'OPERATOR' | 'PROVIDER';
      cause?: components['schemas']['HistoryCauseAnswer'];
      from:
        | components['schemas']['StageAnswer']
        | components['schemas']['AssigneeAnswer']
        | boolean
        | (string | null);
      note?: string;
      provider_code?: number;
      request_id: string | null;
      seq: number;
      to:
        | components['schemas']['StageAnswer']
        | components['schemas']['AssigneeAnswer']
        | boolean
        | (string | null);
      /** @enum {string} */
      type:
        | 'status'
        | 'ai'
        | 'handler'
        | 'opt_out'
        | 'reply_discarded'
        | 'attention'
        | 'model_error'
        | 'scenario'
        | 'name'
        | 'assignee'
        | 'erased'
        | 'message_edited'
        | 'message_deleted';
    };
    HoursSpanSchema: {
      from: string;
      to: string;
      weekdays: number[];
    };
    HttpStepSchema: {
      body?:
        | {
            [key: string]: unknown;
          }
        | unknown[]
        | string
        | number
        | boolean;
      headers?: {
        [key: string]: string | null;
      };
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'http';
      label?: string;
      /** @enum {string} */
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      url: string;
    };
    ImportAnswer: {
      assistant_id: string;
      /** Format: uuid */
      bot_id: string;
      channel: string;
      created: number;
      /** Format: date-time */
      created_at: string;
      done: number;
      dry_run: boolean;
      /** @enum {string|null} */
      failure: 'agent_changed' | 'internal' | null;
      faults: components['schemas']['ImportFaultAnswer'][];
      faulty: number;
      /** Format: date-time */
      finished_at: string | null;
      ignored_columns: string[];
      /** Format: uuid */
      import_id: string;
      moved: number;
      rows: number;
      /** @enum {string} */
      state: 'running' | 'done' | 'failed' | 'cancelled';
      unchanged: number;
      would_start: components['schemas']['WouldStartAnswer'] | null;
    };
    ImportFaultAnswer: {
      /** @enum {string|null} */
      column: 'phone' | 'name' | 'status' | 'assignee' | null;
      message: string;
      /** @enum {string} */
      reason:
        | 'malformed_quotes'
        | 'too_many_cells'
        | 'unreadable'
        | 'empty'
        | 'letters'
        | 'too_short'
        | 'too_long'
        | 'not_valid'
        | 'no_country'
        | 'ambiguous'
        | 'duplicate'
        | 'bad_name'
        | 'bad_reference'
        | 'no_stage'
        | 'several_stages'
        | 'nobody'
        | 'several_people'
        | 'disabled_person'
        | 'other_agent'
        | 'erased';
      row: number;
      values: {
        [key: string]: string | number;
      };
    };
    ImportRequest: {
      assistant_id: string;
      /** Format: uuid */
      bot_id: string;
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
      /**
       * @default false
       * @enum {string}
       */
      dry_run?: 'true' | 'false';
      /**
       * @default auto
       * @enum {string}
       */
      encoding?: 'auto' | 'utf-8' | 'utf-16' | 'windows-1251' | 'windows-1252';
      /** Format: binary */
      file: string;
      /**
       * @default false
       * @enum {string}
       */
      start_scenarios?: 'true' | 'false';
    };
    ImportStartedAnswer: {
      /** Format: uuid */
      import_id: string;
    };
    InvitationAnswer: {
      invitation: components['schemas']['InvitationLink'];
    };
    InvitationLink: {
      /** Format: date-time */
      expires_at: string;
      url: string;
    };
    InvitedUserAnswer: {
      account_id: string;
      assistant_ids: string[] | null;
      /** Format: date-time */
      created_at: string;
      /** @example false */
      disabled: boolean;
      email: string;
      id: string;
      invitation: components['schemas']['InvitationLink'];
      /** Format: date-time */
      last_seen_at: string | null;
      /** @enum {string} */
      locale: 'ru' | 'en';
      name: string;
      /** @enum {string} */
      role: 'operator' | 'admin';
      /** @example false */
      second_factor: boolean;
    };
    IssueApiKeyRequest: {
      account_id?: string;
      /** @default [] */
      assistant_ids?: string[];
      /** @default [] */
      bot_ids?: string[];
      /** Format: date-time */
      expires_at?: string | null;
      limit_general?: number | null;
      limit_leads?: number | null;
      name: string;
      scopes: ('messages' | 'leads' | 'admin')[];
    };
    IssuedApiKeyAnswer: {
      account_id: string | null;
      assistant_ids: string[];
      bot_ids: string[];
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      expires_at: string | null;
      id: string;
      key: string;
      /** Format: date-time */
      last_used_at: string | null;
      limit_general: number | null;
      limit_leads: number | null;
      name: string;
      prefix: string;
      /** Format: date-time */
      revoked_at: string | null;
      scopes: ('messages' | 'leads' | 'admin')[];
    };
    LeadAnswer: {
      assistant_id: string;
      channel: string;
      /** @enum {string} */
      message_handler: 'AI' | 'OPERATOR';
      phone: string | null;
      status: components['schemas']['StageAnswer'] | null;
      /** Format: date-time */
      status_set_at: string | null;
      /** @enum {string|null} */
      status_set_by: 'AI' | 'OPERATOR_MANUAL' | 'SCENARIO' | 'SYSTEM' | null;
      thread_id: string;
    };
    ListedBatchAnswer: {
      author: components['schemas']['AssigneeAnswer'] | null;
      batch_id: string;
      bot_id: string;
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
      /** Format: date-time */
      created_at: string;
      failed: number;
      queued: number;
      sent: number;
      template: components['schemas']['BatchTemplateAnswer'] | null;
      total: number;
      unknown: number;
    };
    ListedMessageAnswer: {
      /** Format: date-time */
      created_at: string;
      /** Format: uuid */
      id: string;
      media: components['schemas']['MediaAnswer'] | null;
      /** @enum {string} */
      role: 'AI' | 'USER' | 'OPERATOR' | 'SYSTEM';
      text: string;
    };
    LiveAnswer: {
      status: string;
    };
    LocationContentAnswer: {
      address: string | null;
      latitude: number;
      longitude: number;
      name: string | null;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'location';
    };
    MarkReadAnswer: {
      changed: boolean;
      thread_id: string;
      unread_count: number;
    };
    MarkReadBody: {
      /** @default false */
      tell_customer?: boolean;
      thread_id: string;
      up_to: string;
    };
    MediaAnswer: {
      file_name: string | null;
      height: number | null;
      id: string;
      /** @enum {string} */
      kind: 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker';
      mime_type: string | null;
      seconds: number | null;
      sha256: string | null;
      size: number | null;
      /** @enum {string} */
      state: 'loading' | 'stored' | 'failed' | 'gone';
      transcript: components['schemas']['TranscriptAnswer'] | null;
      url: string;
      width: number | null;
    };
    MessageAnswer: {
      author: components['schemas']['AssigneeAnswer'] | null;
      content:
        | (
            | components['schemas']['LocationContentAnswer']
            | components['schemas']['ContactsContentAnswer']
            | components['schemas']['OrderContentAnswer']
            | components['schemas']['ChoiceContentAnswer']
            | components['schemas']['FormContentAnswer']
            | components['schemas']['ReactionContentAnswer']
            | components['schemas']['CallContentAnswer']
            | components['schemas']['UnsupportedContentAnswer']
          )
        | null;
      created_at: string;
      /** Format: date-time */
      deleted_at: string | null;
      /** Format: date-time */
      edited_at: string | null;
      error: components['schemas']['MessageErrorAnswer'] | null;
      id: string;
      media: components['schemas']['MediaAnswer'] | null;
      message_id: string | null;
      pricing: components['schemas']['PricingAnswer'] | null;
      quoted: components['schemas']['QuotedAnswer'] | null;
      referral: components['schemas']['ReferralAnswer'] | null;
      /** @enum {string} */
      role: 'AI' | 'USER' | 'OPERATOR' | 'SYSTEM';
      sent_at: string | null;
      /** @enum {string} */
      status:
        | 'received'
        | 'queued'
        | 'sending'
        | 'unknown'
        | 'sent'
        | 'failed'
        | 'delivered'
        | 'read'
        | 'dropped';
      text: string;
      thread_id: string;
      type: string;
    };
    MessageCountsAnswer: {
      ai: number;
      operator: number;
      system: number;
    };
    MessageErrorAnswer: {
      /** @enum {string} */
      code: 'PROVIDER_ERROR' | 'BILLING_ERROR' | 'DUPLICATE';
      message: string;
      provider_code: number | null;
    };
    MessageLinesAnswer: {
      en: string;
      ru: string;
    };
    MessageListAnswer: {
      messages: components['schemas']['DialogMessageAnswer'][];
      next_cursor: string | null;
      previous_cursor?: string | null;
    };
    MovedStageAnswer: {
      ai_enabled: boolean;
      id: string;
      /** @enum {string} */
      kind: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      name: string;
      order: number;
    };
    NewScenarioAnswer: {
      account_id: string;
      assistant_id: string;
      cooldown_seconds: number;
      /** Format: date-time */
      created_at: string;
      id: string;
      name: string;
      /** @enum {string} */
      on_leave: 'cancel' | 'continue';
      /** @enum {string} */
      on_reply: 'continue' | 'cancel';
      /** @enum {string} */
      on_takeover: 'wait' | 'continue' | 'cancel';
      order: number;
      /** @enum {string} */
      reentry: 'restart' | 'ignore' | 'once';
      revision: number;
      send_hours: components['schemas']['SendHoursSchema'] | null;
      signing_secret: string;
      /** @enum {string} */
      state: 'on' | 'paused' | 'off';
      status_id: string;
      steps: (
        | components['schemas']['SendTemplateStepSchema']
        | components['schemas']['SendTextStepSchema']
        | components['schemas']['RequestPhoneStepSchema']
        | components['schemas']['WaitStepSchema']
        | components['schemas']['WaitUntilStepSchema']
        | components['schemas']['WaitForReplyStepSchema']
        | components['schemas']['ConditionStepSchema']
        | components['schemas']['SetStatusStepSchema']
        | components['schemas']['SetAiStepSchema']
        | components['schemas']['HandOverStepSchema']
        | components['schemas']['ReturnToAiStepSchema']
        | components['schemas']['AssignStepSchema']
        | components['schemas']['HttpStepSchema']
        | components['schemas']['NotifyStepSchema']
      )[];
      /** Format: date-time */
      updated_at: string;
    };
    NewWebhookEndpointAnswer: {
      account_id: string;
      assistant_ids: string[] | null;
      /** Format: date-time */
      created_at: string;
      description: string;
      disabled: boolean;
      /** Format: date-time */
      disabled_at: string | null;
      /** @enum {string|null} */
      disabled_reason: 'admin' | 'gone' | 'failing' | null;
      events: (
        | 'lead.created'
        | 'lead.status_changed'
        | 'lead.ai_switched'
        | 'lead.handler_changed'
        | 'lead.opted_out'
        | 'lead.assigned'
        | 'lead.renamed'
        | 'lead.attention'
        | 'message.received'
        | 'message.sent'
        | 'message.status_changed'
        | 'message.transcribed'
        | 'message.edited'
        | 'message.deleted'
        | 'batch.finished'
        | 'scenario.finished'
        | 'import.finished'
        | 'template.status_changed'
        | 'bot.trouble'
        | 'quota.low'
        | 'webhook.disabled'
        | '*'
      )[];
      failures_in_a_row: number;
      id: string;
      /** Format: date-time */
      last_success_at: string | null;
      max_per_second: number | null;
      pending: number;
      secret: string;
      url: string;
    };
    NothingAnswer: Record<string, never>;
    NotifyStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'notify';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      text: string;
    };
    NumberTestAnswer: {
      /** Format: date-time */
      checked_at: string;
      number?: string;
      ok: boolean;
      problem?: string;
      provider_response?: {
        [key: string]: unknown;
      } | null;
    };
    OpeningHoursSchema: {
      closed: string[];
      spans: components['schemas']['HoursSpanSchema'][];
    };
    OrderContentAnswer: {
      catalog_id: string | null;
      items: components['schemas']['OrderItemAnswer'][];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'order';
    };
    OrderItemAnswer: {
      currency: string | null;
      price: string | null;
      product_id: string | null;
      quantity: number | null;
    };
    OwnAccount: {
      id: string;
      name: string;
      /** @example false */
      second_factor_required: boolean;
    };
    OwnAssistant: {
      id: string;
      name: string;
    };
    PricingAnswer: {
      /** @example true */
      billable: boolean | null;
      category: string | null;
      model: string | null;
      type: string | null;
    };
    QuotedAnswer: {
      /** Format: uuid */
      id: string;
      lines?: components['schemas']['MessageLinesAnswer'];
      /** @enum {string} */
      role: 'AI' | 'USER' | 'OPERATOR' | 'SYSTEM';
      text: string;
    };
    ReactionContentAnswer: {
      emoji: string | null;
      message_id: string | null;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'reaction';
    };
    ReadyAnswer: {
      /** @enum {string} */
      database: 'up';
      /** @enum {string} */
      feed: 'up' | 'behind';
      /** @enum {string} */
      sending: 'on' | 'held';
      /** @enum {string|null} */
      sending_reason: 'database_restored' | 'database_went_back' | null;
      status: string;
    };
    RecipientRequest: {
      buttons?: {
        [key: string]: unknown;
      }[];
      header?: {
        [key: string]: unknown;
      };
      named_params?: {
        [key: string]: string;
      };
      params?: string[];
      phone?: string;
      thread_id?: string;
    };
    RecipientResult: {
      /** @enum {string} */
      error?: 'PROVIDER_ERROR' | 'BILLING_ERROR' | 'DUPLICATE';
      id: string;
      index: number;
      message?: string;
      message_id: string | null;
      ok: boolean;
      phone: string | null;
      provider_code?: number | null;
      provider_response?: {
        [key: string]: unknown;
      } | null;
      /** @enum {string} */
      status: 'sent' | 'failed' | 'queued' | 'unknown';
      thread_id: string;
    };
    RecoveryCodesAnswer: {
      recovery_codes: string[];
    };
    ReferralAnswer: {
      body: string | null;
      click_id: string | null;
      headline: string | null;
      source_id: string | null;
      source_type: string | null;
      source_url: string | null;
    };
    RejectedItemAnswer: {
      account_id: string | null;
      bot_id: string | null;
      id: string;
      item: string;
      path: string;
      /** @enum {string} */
      provider: 'cloud' | 'gupshup';
      reason: string;
      /** Format: date-time */
      received_at: string;
    };
    RejectedItemListAnswer: {
      next_cursor: string | null;
      webhook_rejects: components['schemas']['RejectedItemAnswer'][];
    };
    ReplayAnswer: {
      queued: number;
    };
    ReplayRequest: {
      /** Format: date-time */
      since: string;
      /** Format: date-time */
      until?: string;
    };
    RequestPhoneBody: {
      /** @default Please share your phone number with us. */
      text?: string;
      thread_id: string;
    };
    RequestPhoneStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'request_phone';
      label?: string;
      /** @default 21600 */
      max_late_seconds?: number;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      text: string;
    };
    ResolveStepRequest: {
      sent: boolean;
    };
    RetriedRejectAnswer: {
      id: string;
      reason: string | null;
      taken_in: boolean;
    };
    RetryRunRequest: {
      /**
       * @default failed
       * @enum {string}
       */
      from?: 'failed' | 'start';
    };
    ReturnToAiStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'return_to_ai';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
    };
    RotateApiKeyRequest: {
      /** @default 24 */
      overlap_hours?: number;
    };
    RotatedApiKeyAnswer: {
      id: string;
      key: string;
      /** Format: date-time */
      old_key_expires_at: string;
    };
    RotatedWebhookSecretAnswer: {
      id: string;
      /** Format: date-time */
      old_secret_expires_at: string | null;
      secret: string;
    };
    RotateEndpointSecretRequest: {
      /** @default 24 */
      overlap_hours?: number;
    };
    RotateSecretRequest: {
      /** @default 24 */
      overlap_hours?: number;
    };
    RunActorAnswer: {
      id: string;
      name: string;
      type: string;
    };
    RunAnswer: {
      cause: components['schemas']['RunCauseAnswer'];
      depth: number;
      /** Format: date-time */
      finished_at: string | null;
      /** Format: uuid */
      id: string;
      /** Format: date-time */
      next_at: string | null;
      /** @enum {string|null} */
      reason:
        | 'left_stage'
        | 'replied'
        | 'opted_out'
        | 'takeover'
        | 'restarted'
        | 'archived'
        | 'person'
        | 'step_failed'
        | 'loop'
        | 'stopped'
        | null;
      retried_by: components['schemas']['RunActorAnswer'] | null;
      revision: number;
      /** Format: uuid */
      scenario_id: string;
      scenario_name: string;
      /** Format: date-time */
      started_at: string;
      /** @enum {string} */
      state: 'running' | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled';
      status_id: string;
      steps: components['schemas']['RunStepAnswer'][];
      thread_id: string;
    };
    RunCauseAnswer: {
      id: string;
      name: string;
      /** @enum {string} */
      type: 'key' | 'user' | 'agent' | 'scenario' | 'hand';
    };
    RunListAnswer: {
      next_cursor: string | null;
      runs: components['schemas']['RunAnswer'][];
    };
    RunMessageAnswer: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status:
        | 'received'
        | 'queued'
        | 'sending'
        | 'unknown'
        | 'sent'
        | 'failed'
        | 'delivered'
        | 'read'
        | 'dropped';
    };
    RunStepAnswer: {
      attempts: number;
      error: components['schemas']['StepErrorAnswer'] | null;
      /** Format: date-time */
      finished_at: string | null;
      index: number;
      /** @enum {string} */
      kind:
        | 'send_template'
        | 'send_text'
        | 'request_phone'
        | 'wait'
        | 'wait_until'
        | 'wait_for_reply'
        | 'condition'
        | 'set_status'
        | 'set_ai'
        | 'hand_over'
        | 'return_to_ai'
        | 'assign'
        | 'http'
        | 'notify';
      label: string | null;
      message: components['schemas']['RunMessageAnswer'] | null;
      /** Format: date-time */
      started_at: string | null;
      /** @enum {string} */
      state: 'pending' | 'running' | 'waiting' | 'done' | 'skipped' | 'failed' | 'unknown';
    };
    ScenarioAnswer: {
      account_id: string;
      assistant_id: string;
      cooldown_seconds: number;
      /** Format: date-time */
      created_at: string;
      id: string;
      name: string;
      /** @enum {string} */
      on_leave: 'cancel' | 'continue';
      /** @enum {string} */
      on_reply: 'continue' | 'cancel';
      /** @enum {string} */
      on_takeover: 'wait' | 'continue' | 'cancel';
      order: number;
      /** @enum {string} */
      reentry: 'restart' | 'ignore' | 'once';
      revision: number;
      send_hours: components['schemas']['SendHoursSchema'] | null;
      /** @enum {string} */
      state: 'on' | 'paused' | 'off';
      status_id: string;
      steps: (
        | components['schemas']['SendTemplateStepSchema']
        | components['schemas']['SendTextStepSchema']
        | components['schemas']['RequestPhoneStepSchema']
        | components['schemas']['WaitStepSchema']
        | components['schemas']['WaitUntilStepSchema']
        | components['schemas']['WaitForReplyStepSchema']
        | components['schemas']['ConditionStepSchema']
        | components['schemas']['SetStatusStepSchema']
        | components['schemas']['SetAiStepSchema']
        | components['schemas']['HandOverStepSchema']
        | components['schemas']['ReturnToAiStepSchema']
        | components['schemas']['AssignStepSchema']
        | components['schemas']['HttpStepSchema']
        | components['schemas']['NotifyStepSchema']
      )[];
      /** Format: date-time */
      updated_at: string;
    };
    ScenarioListAnswer: {
      next_cursor: string | null;
      scenarios: components['schemas']['ScenarioAnswer'][];
    };
    SendHoursSchema: {
      closed: string[];
      spans: components['schemas']['HoursSpanSchema'][];
      timezone: string;
    };
    SendTemplateBody: {
      /** Format: uuid */
      bot_id: string;
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
      earlier_batch_ids?: string[];
      /** @default false */
      skip_duplicates?: boolean;
      template_id: string;
      /** @default ru */
      template_language?: string;
      to: components['schemas']['RecipientRequest'] | components['schemas']['RecipientRequest'][];
    };
    SendTemplateStepSchema: {
      buttons?: {
        [key: string]: unknown;
      }[];
      /** @enum {string} */
      channel?: 'waba_coexistence' | 'waba';
      header?: {
        [key: string]: unknown;
      };
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'send_template';
      label?: string;
      /** @default 21600 */
      max_late_seconds?: number;
      named_params?: {
        [key: string]: string;
      };
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      params?: string[];
      template_id: string;
      /** @default ru */
      template_language?: string;
    };
    SendTextBody: {
      media_id?: string;
      text?: string;
      thread_id: string;
    };
    SendTextStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'send_text';
      label?: string;
      /** @default 21600 */
      max_late_seconds?: number;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      text: string;
    };
    SentAnswer: {
      id: string;
      message_id: string | null;
      phone: string | null;
      /** @enum {string} */
      status: 'sent';
      thread_id: string;
    };
    SessionAnswer: {
      /** Format: date-time */
      created_at: string;
      current: boolean;
      id: string;
      ip: string;
      /** Format: date-time */
      last_seen_at: string;
      user_agent: string;
    };
    SetAiAnswer: {
      ai_enabled: boolean;
      answered_pending_message: boolean;
      changed: boolean;
      /** @enum {string} */
      message_handler: 'AI' | 'OPERATOR';
      thread_id: string;
    };
    SetAiRequest: {
      /** @example false */
      ai_enabled: boolean;
      thread_id: string;
    };
    SetAiStepSchema: {
      /** @enum {boolean} */
      ai_enabled: false;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'set_ai';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
    };
    SetNameAnswer: {
      changed: boolean;
      customer_name: string | null;
      thread_id: string;
    };
    SetNameRequest: {
      name: string | null;
      thread_id: string;
    };
    SetStatusAnswer: {
      answered_pending_message: boolean;
      changed: boolean;
      status: components['schemas']['MovedStageAnswer'] | null;
      thread_id: string;
    };
    SetStatusBulkAnswer: {
      results: components['schemas']['BulkItemAnswer'][];
      would_start?: components['schemas']['WouldStartAnswer'];
    };
    SetStatusBulkRequest: {
      /** @default false */
      dry_run?: boolean;
      items: components['schemas']['SetStatusRequestBody'][];
      /** @default false */
      start_scenarios?: boolean;
    };
    SetStatusRequestBody: {
      /** @default false */
      answer_pending_message?: boolean;
      expected_status_id?: string | null;
      /** @default false */
      skip_scenarios?: boolean;
      status_id?: string | null;
      status_name?: string;
      thread_id: string;
    };
    SetStatusStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'set_status';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      status_id: string | null;
    };
    SettledAnswer: {
      author: components['schemas']['AssigneeAnswer'] | null;
      changed: boolean;
      content:
        | (
            | components['schemas']['LocationContentAnswer']
            | components['schemas']['ContactsContentAnswer']
            | components['schemas']['OrderContentAnswer']
            | components['schemas']['ChoiceContentAnswer']
            | components['schemas']['FormContentAnswer']
            | components['schemas']['ReactionContentAnswer']
            | components['schemas']['CallContentAnswer']
            | components['schemas']['UnsupportedContentAnswer']
          )
        | null;
      created_at: string;
      /** Format: date-time */
      deleted_at: string | null;
      /** Format: date-time */
      edited_at: string | null;
      error: components['schemas']['MessageErrorAnswer'] | null;
      id: string;
      media: components['schemas']['MediaAnswer'] | null;
      message_id: string | null;
      pricing: components['schemas']['PricingAnswer'] | null;
      quoted: components['schemas']['QuotedAnswer'] | null;
      referral: components['schemas']['ReferralAnswer'] | null;
      /** @enum {string} */
      role: 'AI' | 'USER' | 'OPERATOR' | 'SYSTEM';
      sent_at: string | null;
      /** @enum {string} */
      status:
        | 'received'
        | 'queued'
        | 'sending'
        | 'unknown'
        | 'sent'
        | 'failed'
        | 'delivered'
        | 'read'
        | 'dropped';
      text: string;
      thread_id: string;
      type: string;
    };
    SettleMessageBody: {
      id: string;
      /** @enum {string} */
      outcome: 'sent' | 'failed';
    };
    SharedContactAnswer: {
      emails: string[];
      name: string | null;
      organization: string | null;
      phones: components['schemas']['SharedPhoneAnswer'][];
    };
    SharedPhoneAnswer: {
      label: string | null;
      phone: string;
    };
    SignedInAnswer: {
      account: components['schemas']['OwnAccount'];
      assistants: components['schemas']['OwnAssistant'][];
      csrf_token: string;
      user: components['schemas']['UserAnswer'];
    };
    SignInBody: {
      code?: string;
      email: string;
      /** Format: password */
      password: string;
    };
    SigningSecretAnswer: {
      signing_secret: string;
    };
    SkippedThreadAnswer: {
      /** @enum {string} */
      reason:
        | 'not_in_stage'
        | 'already_started'
        | 'opted_out'
        | 'takeover'
        | 'once'
        | 'already_running'
        | 'cooldown'
        | 'loop';
      thread_id: string;
    };
    StageAnswer: {
      id: string;
      /** @enum {string} */
      kind: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      name: string;
      order: number;
    };
    StageFiguresAnswer: {
      archived: boolean;
      conversion: number | null;
      converted: number;
      entered: number;
      /** @enum {string|null} */
      kind: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure' | null;
      leads: number;
      left: number;
      median_seconds: number | null;
      name: string | null;
      now: number;
      order: number | null;
      p90_seconds: number | null;
      status_id: string | null;
    };
    StageListAnswer: {
      next_cursor: string | null;
      statuses: components['schemas']['StageSettingsAnswer'][];
    };
    StageMovesAnswer: {
      entered: number;
      left: number;
      status_id: string | null;
    };
    StageSettingsAnswer: {
      /** @example true */
      ai_enabled: boolean;
      /** @example false */
      ai_transition_locked: boolean;
      assistant_id: string;
      description: string | null;
      id: string;
      /** @enum {string} */
      kind: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      name: string;
      /** @enum {string|null} */
      on_enter: 'ai' | 'operator' | null;
      order: number;
    };
    StageTotalAnswer: {
      status_id: string | null;
      total: number;
    };
    StartScenarioAnswer: {
      skipped: components['schemas']['SkippedThreadAnswer'][];
      skipped_counts: {
        [key: string]: number;
      };
      started: number;
      would_start: components['schemas']['WouldStartAnswer'];
    };
    StartScenarioRequest: {
      /** @default false */
      dry_run?: boolean;
      thread_ids?: string[];
      /** @enum {boolean} */
      whole_stage?: true;
    };
    StepErrorAnswer: {
      code: string;
      message: string;
      provider_code: number | null;
    };
    SynchronisationAnswer: {
      added: number;
      changed: number;
      disabled: number;
      listed: number;
      unreadable: number;
    };
    TemplateAnswer: {
      body: string;
      buttons: components['schemas']['ButtonAnswer'][];
      /** @enum {string} */
      category: 'marketing' | 'utility' | 'authentication';
      footer: string | null;
      header: components['schemas']['HeaderAnswer'] | null;
      language: string;
      name: string;
      params_count: number;
      /** @enum {string} */
      status: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';
      template_id: string;
    };
    TemplateButtonRequest: {
      /**
       * @default copy_code
       * @enum {string}
       */
      otp_type?: 'copy_code' | 'one_tap' | 'zero_tap';
      phone_number?: string;
      text?: string;
      /** @enum {string} */
      type: 'quick_reply' | 'url' | 'phone_number' | 'copy_code' | 'otp';
      url?: string;
    };
    TemplateExamplesRequest: {
      body?: string[];
      header?: string;
      media_id?: string;
    };
    TemplateFiguresAnswer: {
      category: string | null;
      /** @enum {string} */
      channel: 'waba_coexistence' | 'waba';
      delivered: number;
      failed: number;
      failed_by_code: components['schemas']['FailedMessagesAnswer'][];
      language: string;
      messages: number;
      name: string;
      queued: number;
      read: number;
      replied: number;
      sent: number;
      template_id: string;
      unknown: number;
    };
    TemplateFiguresOfBotAnswer: {
      /** Format: uuid */
      bot_id: string;
      complete: boolean;
      /** Format: date-time */
      from: string;
      templates: components['schemas']['TemplateFiguresAnswer'][];
      /** Format: date-time */
      to: string;
    };
    TemplateHeaderRequest: {
      /** @enum {string} */
      format: 'text' | 'image' | 'video' | 'document' | 'location';
      text?: string;
    };
    TemplateListAnswer: {
      next_cursor: string | null;
      templates: components['schemas']['GovernedTemplateAnswer'][];
    };
    TemplatesOfBotAnswer: {
      phone_country: string | null;
      templates: components['schemas']['TemplateAnswer'][];
    };
    ThreadAnswer: {
      ai_enabled: boolean;
      assignee: components['schemas']['AssigneeAnswer'] | null;
      assistant_id: string;
      attention: components['schemas']['AttentionAnswer'] | null;
      /** Format: uuid */
      bot_id: string;
      channel: string;
      /** @example false */
      conducted_elsewhere: boolean;
      /** Format: date-time */
      created_at: string;
      customer: components['schemas']['CustomerAnswer'];
      customer_name: string | null;
      /** Format: date-time */
      erased_at: string | null;
      last_message: components['schemas']['CardMessageAnswer'] | null;
      lead_status: components['schemas']['ThreadStageAnswer'] | null;
      /** @enum {string} */
      message_handler: 'AI' | 'OPERATOR';
      messages?: components['schemas']['ListedMessageAnswer'][];
      opted_out: boolean;
      phone: string | null;
      same_customer: string[];
      /** Format: date-time */
      status_cleared_at: string | null;
      /** Format: date-time */
      status_set_at: string | null;
      /** @enum {string|null} */
      status_set_by: 'AI' | 'OPERATOR_MANUAL' | 'SCENARIO' | 'SYSTEM' | null;
      /** Format: date-time */
      takeover_until: string | null;
      thread_id: string;
      unread_count: number;
      /** Format: date-time */
      updated_at: string;
      /** Format: uri */
      url: string;
      version: number;
      waiting: boolean;
      /** @enum {string|null} */
      waiting_reason:
        | 'number_down'
        | 'agent_off'
        | 'stage_mutes'
        | 'takeover'
        | 'held'
        | 'window_closed'
        | 'no_model'
        | 'model_failed'
        | 'hourly_limit'
        | 'agent_due'
        | null;
      /** Format: date-time */
      waiting_since: string | null;
      /** Format: date-time */
      window_until: string | null;
    };
    ThreadListAnswer: {
      has_more: boolean;
      next_cursor: string | null;
      not_found: string[];
      not_found_user_ids: string[];
      threads: components['schemas']['ThreadAnswer'][];
      totals?: components['schemas']['StageTotalAnswer'][];
    };
    ThreadStageAnswer: {
      id: string;
      /** @enum {string} */
      kind: 'active' | 'qualified' | 'awaiting_payment' | 'success' | 'failure';
      name: string;
      order: number;
    };
    ToolAnswer: {
      assistant_id: string;
      auto_fill: {
        [key: string]:
          | 'thread_id'
          | 'phone'
          | 'customer_name'
          | 'assistant_id'
          | 'bot_id'
          | 'channel'
          | 'status_id';
      };
      /** Format: date-time */
      created_at: string;
      description: string;
      /** @example true */
      enabled: boolean;
      header_names: string[];
      id: string;
      /** @enum {string} */
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      name: string;
      parameters: {
        [key: string]: unknown;
      };
      timeout_ms: number;
      url: string;
    };
    ToolListAnswer: {
      next_cursor: string | null;
      tools: components['schemas']['ToolAnswer'][];
    };
    TranscriptAnswer: {
      language: string | null;
      /** @enum {string} */
      state: 'pending' | 'ready' | 'failed' | 'none';
      text: string | null;
    };
    TriedCallAnswer: {
      arguments: Record<string, never>;
      name: string;
      result: string;
    };
    TriedMessageRequest: {
      /** @enum {string} */
      role: 'AI' | 'USER' | 'OPERATOR' | 'SYSTEM' | 'user' | 'assistant';
      text: string;
    };
    TriedReplyAnswer: {
      parts: string[];
      reply: string;
      tool_calls: components['schemas']['TriedCallAnswer'][];
    };
    TriedRequestAnswer: {
      body: Record<string, never> | null;
      headers: string[];
      method: string;
      url: string;
    };
    TriedStepAnswer: {
      /** Format: date-time */
      at: string | null;
      index: number;
      /** @enum {string} */
      kind:
        | 'send_template'
        | 'send_text'
        | 'request_phone'
        | 'wait'
        | 'wait_until'
        | 'wait_for_reply'
        | 'condition'
        | 'set_status'
        | 'set_ai'
        | 'hand_over'
        | 'return_to_ai'
        | 'assign'
        | 'http'
        | 'notify';
      label: string | null;
      met?: boolean;
      next?: number | null;
      /** @enum {string} */
      outcome: 'pending' | 'running' | 'waiting' | 'done' | 'skipped' | 'failed' | 'unknown';
      params?: string[];
      replied?: boolean;
      request?: components['schemas']['TriedRequestAnswer'];
      text?: string;
      /** Format: date-time */
      waits_until?: string | null;
    };
    TryAssistantRequest: {
      messages: components['schemas']['TriedMessageRequest'][];
    };
    TryScenarioAnswer: {
      /** Format: date-time */
      ends_at: string | null;
      /** @enum {string} */
      state: 'running' | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled';
      steps: components['schemas']['TriedStepAnswer'][];
    };
    TryScenarioRequest: {
      replies?: number[];
      /** Format: date-time */
      starts_at?: string;
      thread_id?: string;
    };
    UnsupportedContentAnswer: {
      code: number | null;
      details: string | null;
      title: string | null;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'unsupported';
    };
    UploadAnswer: {
      media: components['schemas']['MediaAnswer'];
    };
    UserAnswer: {
      account_id: string;
      assistant_ids: string[] | null;
      /** Format: date-time */
      created_at: string;
      /** @example false */
      disabled: boolean;
      email: string;
      id: string;
      /** Format: date-time */
      last_seen_at: string | null;
      /** @enum {string} */
      locale: 'ru' | 'en';
      name: string;
      /** @enum {string} */
      role: 'operator' | 'admin';
      /** @example false */
      second_factor: boolean;
    };
    UserListAnswer: {
      next_cursor: string | null;
      users: components['schemas']['UserAnswer'][];
    };
    WaitForReplyStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'wait_for_reply';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      /** @default continue */
      on_timeout?:
        | ('continue' | 'stop')
        | {
            go: string;
          };
      seconds: number;
    };
    WaitStepSchema: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'wait';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      seconds: number;
    };
    WaitUntilStepSchema: {
      /** @default 0 */
      at_least_seconds?: number;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'wait_until';
      label?: string;
      /**
       * @default stop
       * @enum {string}
       */
      on_failure?: 'stop' | 'continue';
      time: string;
      timezone: string;
      weekdays?: number[];
    };
    WebhookDeliveryAnswer: {
      attempts: components['schemas']['DeliveryAttemptAnswer'][];
      /** Format: date-time */
      created_at: string;
      endpoint_id: string;
      event_id: string;
      id: string;
      /** Format: date-time */
      next_at: string | null;
      replayed: boolean;
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'failed' | 'skipped';
      thread_id: string | null;
      /** @enum {string} */
      type:
        | 'lead.created'
        | 'lead.status_changed'
        | 'lead.ai_switched'
        | 'lead.handler_changed'
        | 'lead.opted_out'
        | 'lead.assigned'
        | 'lead.renamed'
        | 'lead.attention'
        | 'message.received'
        | 'message.sent'
        | 'message.status_changed'
        | 'message.transcribed'
        | 'message.edited'
        | 'message.deleted'
        | 'batch.finished'
        | 'scenario.finished'
        | 'import.finished'
        | 'template.status_changed'
        | 'bot.trouble'
        | 'quota.low'
        | 'webhook.disabled'
        | 'webhook.test';
    };
    WebhookDeliveryListAnswer: {
      deliveries: components['schemas']['WebhookDeliveryAnswer'][];
      next_cursor: string | null;
    };
    WebhookDeliveryWithRequestAnswer: {
      attempts: components['schemas']['DeliveryAttemptAnswer'][];
      /** Format: date-time */
      created_at: string;
      endpoint_id: string;
      event_id: string;
      id: string;
      /** Format: date-time */
      next_at: string | null;
      replayed: boolean;
      request: components['schemas']['WebhookRequestAnswer'];
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'failed' | 'skipped';
      thread_id: string | null;
      /** @enum {string} */
      type:
        | 'lead.created'
        | 'lead.status_changed'
        | 'lead.ai_switched'
        | 'lead.handler_changed'
        | 'lead.opted_out'
        | 'lead.assigned'
        | 'lead.renamed'
        | 'lead.attention'
        | 'message.received'
        | 'message.sent'
        | 'message.status_changed'
        | 'message.transcribed'
        | 'message.edited'
        | 'message.deleted'
        | 'batch.finished'
        | 'scenario.finished'
        | 'import.finished'
        | 'template.status_changed'
        | 'bot.trouble'
        | 'quota.low'
        | 'webhook.disabled'
        | 'webhook.test';
    };
    WebhookEndpointAnswer: {
      account_id: string;
      assistant_ids: string[] | null;
      /** Format: date-time */
      created_at: string;
      description: string;
      disabled: boolean;
      /** Format: date-time */
      disabled_at: string | null;
      /** @enum {string|null} */
      disabled_reason: 'admin' | 'gone' | 'failing' | null;
      events: (
        | 'lead.created'
        | 'lead.status_changed'
        | 'lead.ai_switched'
        | 'lead.handler_changed'
        | 'lead.opted_out'
        | 'lead.assigned'
        | 'lead.renamed'
        | 'lead.attention'
        | 'message.received'
        | 'message.sent'
        | 'message.status_changed'
        | 'message.transcribed'
        | 'message.edited'
        | 'message.deleted'
        | 'batch.finished'
        | 'scenario.finished'
        | 'import.finished'
        | 'template.status_changed'
        | 'bot.trouble'
        | 'quota.low'
        | 'webhook.disabled'
        | '*'
      )[];
      failures_in_a_row: number;
      id: string;
      /** Format: date-time */
      last_success_at: string | null;
      max_per_second: number | null;
      pending: number;
      url: string;
    };
    WebhookEndpointListAnswer: {
      next_cursor: string | null;
      webhook_endpoints: components['schemas']['WebhookEndpointAnswer'][];
    };
    WebhookRequestAnswer: {
      body: string | null;
      headers: {
        [key: string]: string;
      };
      url: string;
    };
    WorkAnswer: {
      queues: components['schemas']['WorkQueueAnswer'][];
      /** Format: date-time */
      sending_held_since: string | null;
    };
    WorkQueueAnswer: {
      due: number;
      failed_last_hour: number;
      in_flight: number;
      /** @enum {string} */
      name:
        | 'replies'
        | 'send-queues'
        | 'inbound-webhooks'
        | 'media'
        | 'transcripts'
        | 'scenarios'
        | 'webhooks-out'
        | 'archived-stages'
        | 'thread-search'
        | 'retention'
        | 'figures'
        | 'imports';
      oldest_due_seconds: number | null;
    };
    WouldStartAnswer: {
      messages: number;
      runs: number;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listAccounts: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AccountListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createAccount: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAccountRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AccountAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getAccount: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AccountAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeAccount: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeAccountRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AccountAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        account_id?: string;
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ApiKeyListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  issueApiKey: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['IssueApiKeyRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['IssuedApiKeyAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  revokeApiKey: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ApiKeyAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeApiKey: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeApiKeyRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ApiKeyAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  rotateApiKey: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateApiKeyRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RotatedApiKeyAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listAssistants: {
    parameters: {
      query?: {
        account_id?: string;
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AssistantListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createAssistant: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAssistantRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AssistantAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getAssistant: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AssistantAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeAssistant: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeAssistantRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AssistantAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listTools: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ToolListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createTool: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateToolRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ToolAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  removeTool: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
        tool_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ToolAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeTool: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
        tool_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeToolRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ToolAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  tryAssistant: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TryAssistantRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['TriedReplyAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listAudit: {
    parameters: {
      query?: {
        account_id?: string;
        action?:
          | 'access.refused'
          | 'account.create'
          | 'account.update'
          | 'assistant.create'
          | 'assistant.update'
          | 'bot.create'
          | 'bot.update'
          | 'channel.connect'
          | 'channel.disconnect'
          | 'channel.test'
          | 'import.cancel'
          | 'import.create'
          | 'key.create'
          | 'key.revoke'
          | 'key.rotate'
          | 'key.update'
          | 'lead.export'
          | 'run.cancel'
          | 'run.resolve'
          | 'run.retry'
          | 'scenario.archive'
          | 'scenario.cancel_runs'
          | 'scenario.create'
          | 'scenario.rotate_secret'
          | 'scenario.start'
          | 'scenario.update'
          | 'second_factor.begin'
          | 'second_factor.disable'
          | 'second_factor.enable'
          | 'session.end'
          | 'status.archive'
          | 'status.create'
          | 'status.update'
          | 'template.create'
          | 'template.delete'
          | 'template.submit'
          | 'template.synchronize'
          | 'template.update'
          | 'thread.erase'
          | 'thread.export'
          | 'tool.create'
          | 'tool.delete'
          | 'tool.update'
          | 'user.change_password'
          | 'user.create'
          | 'user.end_sessions'
          | 'user.invite'
          | 'user.update'
          | 'webhook_delivery.retry'
          | 'webhook_endpoint.create'
          | 'webhook_endpoint.delete'
          | 'webhook_endpoint.replay'
          | 'webhook_endpoint.rotate_secret'
          | 'webhook_endpoint.test'
          | 'webhook_endpoint.update'
          | 'webhook_reject.delete'
          | 'webhook_reject.retry'
          | 'sending.held'
          | 'session.create'
          | 'session.refused'
          | 'user.accept_invitation'
          | 'webhook_endpoint.disable';
        actor_id?: string;
        after?: string;
        before?: string;
        cursor?: string;
        limit?: number;
        subject_id?: string;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AuditListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listBots: {
    parameters: {
      query?: {
        account_id?: string;
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BotListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createBot: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateBotRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BotAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getBot: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BotAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeBot: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeBotRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BotAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  connectChannel: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        channel: 'waba_coexistence' | 'waba';
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConnectChannelRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BotAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  disconnectChannel: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        channel: 'waba_coexistence' | 'waba';
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BotAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  testNumber: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        channel: 'waba_coexistence' | 'waba';
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NumberTestAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listRuns: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
        scenario_id?: string;
        state?: 'running' | 'waiting' | 'paused' | 'done' | 'failed' | 'cancelled';
        thread_id?: string;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RunListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getRun: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RunAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  cancelRun: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RunAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  retryRun: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RetryRunRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RunAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  resolveStep: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
        index: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResolveStepRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RunAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listScenarios: {
    parameters: {
      query?: {
        assistant_id?: string;
        cursor?: string;
        limit?: number;
        status_id?: string;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ScenarioListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createScenario: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateScenarioRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NewScenarioAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getScenario: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ScenarioAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  deleteScenario: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ScenarioAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeScenario: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeScenarioRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ScenarioAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  cancelScenarioRuns: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['CancelledRunsAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  rotateSecret: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateSecretRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SigningSecretAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  startScenario: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StartScenarioRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['StartScenarioAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  tryScenario: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['TryScenarioRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['TryScenarioAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listStatuses: {
    parameters: {
      query?: {
        assistant_id?: string;
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['StageListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createStatus: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateStageRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['StageSettingsAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getStatus: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['StageSettingsAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  archiveStatus: {
    parameters: {
      query?: {
        move_to?: string;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['StageSettingsAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeStatus: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeStageRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['StageSettingsAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listTemplates: {
    parameters: {
      query?: {
        bot_id?: string;
        channel?: 'waba_coexistence' | 'waba';
        cursor?: string;
        limit?: number;
        status?: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['TemplateListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createTemplate: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTemplateRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['GovernedTemplateAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getTemplate: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['GovernedTemplateAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  removeTemplate: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['GovernedTemplateAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeTemplate: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeTemplateRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['GovernedTemplateAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  submitTemplate: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['GovernedTemplateAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  synchronizeTemplates: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BotChannelRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SynchronisationAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  erase: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ErasedThreadAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  exportThread: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
    };
  };
  listUsers: {
    parameters: {
      query?: {
        account_id?: string;
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['UserListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createUser: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateUserRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['InvitedUserAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['UserAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeUser: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeUserRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['UserAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  inviteUser: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['InvitationAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  endUserSessions: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['UserAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getDelivery: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookDeliveryWithRequestAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  retryDelivery: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookDeliveryAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listWebhookEndpoints: {
    parameters: {
      query?: {
        account_id?: string;
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpointListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  createWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateEndpointRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NewWebhookEndpointAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpointAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  deleteWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpointAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changeWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeEndpointRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpointAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
        state?: 'pending' | 'delivered' | 'failed' | 'skipped';
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookDeliveryListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  replayEvents: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ReplayAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateEndpointSecretRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RotatedWebhookSecretAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  testEndpoint: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookDeliveryAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listRejected: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RejectedItemListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  deleteRejected: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RejectedItemAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  retryRejected: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RetriedRejectAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  work: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WorkAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  acceptInvitation: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AcceptInvitationBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SignedInAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NothingAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  confirm: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NothingAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  me: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SignedInAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  beginSecondFactor: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BegunSecondFactorAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  disableSecondFactor: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DisableSecondFactorBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NothingAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  enableSecondFactor: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EnableSecondFactorBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RecoveryCodesAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  listSessions: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SessionAnswer'][];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NothingAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  signIn: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SignInBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SignedInAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  signOut: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NothingAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  assign: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AssignRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AssignAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  cancelImport: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CancelImportRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ImportAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  clearAttention: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ClearAttentionRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ClearAttentionAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  exportLeads: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ExportLeadsRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
          'text/csv': string;
        };
      };
    };
  };
  getAssignees: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetAssigneesRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AssigneesAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getFunnelFigures: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetFunnelFiguresRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['FunnelFiguresAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getHistory: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetHistoryRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['HistoryAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getImport: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetImportRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ImportAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getLead: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetLeadRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['LeadAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getStatuses: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetStatusesRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['FunnelAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  importLeads: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['ImportRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ImportStartedAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  setAi: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetAiRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SetAiAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  setName: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetNameRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SetNameAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  setStatus: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetStatusRequestBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SetStatusAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  setStatusBulk: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetStatusBulkRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SetStatusBulkAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  addNote: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AddNoteBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['MessageAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getBatch: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetBatchBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BatchAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getBatches: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetBatchesBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BatchListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getMessage: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetMessageBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['MessageAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getMessages: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetMessagesRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['MessageListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getTemplateFigures: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetTemplateFiguresRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['TemplateFiguresOfBotAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getTemplates: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetTemplatesRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['TemplatesOfBotAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getThreads: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GetThreadsRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ThreadListAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  markRead: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MarkReadBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['MarkReadAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getMedia: {
    parameters: {
      query?: {
        preview?: '1';
      };
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          '*/*': string;
        };
      };
      206: {
        headers: {
          'Content-Range'?: string;
          ETag?: string;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          '*/*': string;
        };
      };
    };
  };
  requestPhone: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestPhoneBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SentAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  sendTemplate: {
    parameters: {
      query?: never;
      header?: {
        'Idempotency-Key'?: string;
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendTemplateBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'Idempotent-Replayed'?: 'true';
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SentAnswer'] | components['schemas']['BatchAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  sendText: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendTextBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SentAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  settleMessage: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SettleMessageBody'];
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SettledAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  uploadMedia: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /** Format: binary */
          file: string;
        };
      };
    };
    responses: {
      200: {
        headers: {
          'RateLimit-Limit'?: number;
          'RateLimit-Remaining'?: number;
          'RateLimit-Reset'?: number;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['UploadAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  getFile: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path: {
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          '*/*': string;
        };
      };
      206: {
        headers: {
          'Content-Range'?: string;
          ETag?: string;
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          '*/*': string;
        };
      };
    };
  };
  live: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['LiveAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  ready: {
    parameters: {
      query?: never;
      header?: {
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ReadyAnswer'];
            /** @enum {boolean} */
            ok: true;
          };
        };
      };
    };
  };
  'webhook:batch.finished': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            batch_id: string;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            failed: number;
            phone: string | null;
            queued: number;
            request_id: string | null;
            sent: number;
            seq: number;
            thread_id: string | null;
            total: number;
            /** @constant */
            truncated?: true;
            unknown: number;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'batch.finished';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:bot.trouble': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            /** @enum {string} */
            code: 'CREDENTIAL' | 'BILLING_ERROR' | 'RESTRICTED' | 'STOPPED' | 'NOTICE';
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            message: string | null;
            phone: string | null;
            request_id: string | null;
            resolved: boolean;
            seq: number;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'bot.trouble';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:import.finished': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            created: number;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            faults: number;
            /** Format: uuid */
            import_id: string;
            moved: number;
            phone: string | null;
            request_id: string | null;
            rows: number;
            seq: number;
            /** @enum {string} */
            state: 'done' | 'failed' | 'cancelled';
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            unchanged: number;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'import.finished';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:lead.ai_switched': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            by: string;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            from: boolean;
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            to: boolean;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'lead.ai_switched';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:lead.assigned': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            by: string;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            from: components['schemas']['AssigneeAnswer'] | null;
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            to: components['schemas']['AssigneeAnswer'] | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'lead.assigned';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:lead.attention': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            by: string;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            /** @enum {string|null} */
            from:
              | 'hand_over'
              | 'model'
              | 'messenger'
              | 'not_delivered'
              | 'unknown'
              | 'channel'
              | 'limit'
              | 'too_old'
              | 'nobody_answered'
              | 'missed_call'
              | 'scenario'
              | null;
            note: string | null;
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @enum {string|null} */
            to:
              | 'hand_over'
              | 'model'
              | 'messenger'
              | 'not_delivered'
              | 'unknown'
              | 'channel'
              | 'limit'
              | 'too_old'
              | 'nobody_answered'
              | 'missed_call'
              | 'scenario'
              | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'lead.attention';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:lead.created': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            by: string;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            customer_name: string | null;
            /** Format: uuid */
            event_id: string;
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'lead.created';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:lead.handler_changed': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            by: string;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            from: 'AI' | 'OPERATOR';
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @enum {string} */
            to: 'AI' | 'OPERATOR';
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'lead.handler_changed';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:lead.opted_out': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            by: string;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            from: boolean;
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            to: boolean;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'lead.opted_out';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:lead.renamed': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            by: string;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            from: string | null;
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            to: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'lead.renamed';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:lead.status_changed': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            by: string;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            from: components['schemas']['StageAnswer'] | null;
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            to: components['schemas']['StageAnswer'] | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'lead.status_changed';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:message.deleted': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            message: components['schemas']['MessageAnswer'];
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'message.deleted';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:message.edited': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            message: components['schemas']['MessageAnswer'];
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'message.edited';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:message.received': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            message: components['schemas']['MessageAnswer'];
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'message.received';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:message.sent': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            message: components['schemas']['MessageAnswer'];
            phone: string | null;
            request_id: string | null;
            seq: number;
            status?: string;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'message.sent';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:message.status_changed': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            message: components['schemas']['MessageAnswer'];
            phone: string | null;
            request_id: string | null;
            seq: number;
            status: string;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'message.status_changed';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:message.transcribed': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            message: components['schemas']['MessageAnswer'];
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'message.transcribed';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:quota.low': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            limit: number;
            month: string;
            /** @enum {integer} */
            percent: 80 | 100;
            phone: string | null;
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            used: number;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'quota.low';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:scenario.finished': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            phone: string | null;
            reason: string | null;
            request_id: string | null;
            /** Format: uuid */
            run_id: string;
            /** Format: uuid */
            scenario_id: string;
            seq: number;
            /** @enum {string} */
            state: 'done' | 'failed' | 'cancelled';
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'scenario.finished';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:template.status_changed': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            from: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';
            /** Format: uuid */
            id: string;
            language: string;
            name: string;
            phone: string | null;
            reason: string | null;
            request_id: string | null;
            seq: number;
            template_id: string;
            thread_id: string | null;
            /** @enum {string} */
            to: 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'template.status_changed';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:webhook.disabled': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            endpoint_id: string;
            /** Format: uuid */
            event_id: string;
            phone: string | null;
            /** @enum {string} */
            reason: 'gone' | 'failing';
            request_id: string | null;
            seq: number;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'webhook.disabled';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  'webhook:webhook.test': {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-replay'?: 'true';
        'webhook-signature': string;
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          data: {
            /** Format: uuid */
            account_id: string;
            actor: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** Format: uuid */
            assistant_id: string | null;
            /** Format: uuid */
            bot_id: string | null;
            cause: {
              id: string;
              name: string;
              /** Format: uuid */
              run_id?: string;
              /** @enum {string} */
              type: 'user' | 'key' | 'agent' | 'scenario' | 'hand';
            } | null;
            /** @enum {string|null} */
            channel: 'WABA_COEXISTENCE' | 'WABA' | null;
            customer: components['schemas']['CustomerAnswer'] | null;
            /** Format: uuid */
            endpoint_id: string;
            /** Format: uuid */
            event_id: string;
            phone: string | null;
            request_id: string | null;
            seq: null;
            thread_id: string | null;
            /** @constant */
            truncated?: true;
            version: number | null;
          };
          /** Format: date-time */
          timestamp: string;
          /** @constant */
          type: 'webhook.test';
        };
      };
    };
    responses: {
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
