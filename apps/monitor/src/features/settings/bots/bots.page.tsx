/** `/settings/bots` */
export function BotsPage() {
  return <p />;
}
