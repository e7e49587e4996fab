/** `/runs` */
export function RunsPage() {
  return <p>Runs</p>;
}
