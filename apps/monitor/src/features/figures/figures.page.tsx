/** `/figures` */
export function FiguresPage() {
  return <p>Figures</p>;
}
