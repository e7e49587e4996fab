/** `/settings/keys` */
export function KeysPage() {
  return <p />;
}
