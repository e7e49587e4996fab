/** `/settings/<page>` */
export function SettingsPage() {
  return <p />;
}
