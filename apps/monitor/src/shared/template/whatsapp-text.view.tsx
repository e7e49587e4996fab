import { Fragment } from 'react';
import classes from './template-preview.module.css';
import { readMarks, type TextPiece } from './whatsapp-text.format';

const TAGS = { bold: 'strong', italic: 'em', struck: 's', code: 'code' } as const;

/** A text with WhatsApp's marks, as the customer sees it. */
export function WhatsappText({ text }: { text: string }) {
  return <Pieces pieces={readMarks(text)} />;
}

function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  // A text does not change its pieces but as a whole.
  return pieces.map((piece, n) => <Piece key={n} piece={piece} />);
}

function Piece({ piece }: { piece: TextPiece }) {
  if (typeof piece === 'string') return <Fragment>{piece}</Fragment>;
  const inside = <Pieces pieces={piece.inside} />;
  if (piece.mark === 'quote') return <span className={classes.quote}>{inside}</span>;
  if (piece.mark === 'item') return <>• {inside}</>;
  const Tag = TAGS[piece.mark];
  return <Tag>{inside}</Tag>;
}
