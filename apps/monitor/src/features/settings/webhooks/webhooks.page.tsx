/** `/settings/webhooks` */
export function WebhooksPage() {
  return <p />;
}
