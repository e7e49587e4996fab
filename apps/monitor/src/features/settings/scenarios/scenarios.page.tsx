/** `/settings/scenarios` */
export function ScenariosPage() {
  return <p />;
}
