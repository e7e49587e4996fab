/** `/settings/stages` */
export function StagesPage() {
  return <p />;
}
