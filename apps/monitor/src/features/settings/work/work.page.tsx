/** `/settings/work` */
export function WorkPage() {
  return <p />;
}
